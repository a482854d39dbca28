import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { folder } from '../recorded-shell.ts'
import type { EffectsOf } from './effect.ts'
import { served } from './served.ts'

const asked = { user: 'nobody@example.org', location: 'NYC001', page: 'dashboard' }

/** The lines that the server leaves in its decision log, after so many questions. */
async function decided(settings: Readonly<Record<string, unknown>>, count = 1) {
  const decisionLog = join(folder(), 'decisions.jsonl')
  const { call, process, ended } = await served({ decisionLog, ...settings })
  for (let each = 0; each < count; each++) await (await call('POST', '/v1/rebac/can', asked)).text()
  await (await call('POST', '/v1/rebac/can', { ...asked, user: 'ada@example.org' })).text()
  process.kill('SIGINT')
  await ended
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean) : [])
  return { lines: read(decisionLog).map((line) => JSON.parse(line)) }
}

export const observing: EffectsOf<'Observing'> = {
  metricsPort: async () => {
    const metricsPort = await freePort()
    await served({ metricsPort })
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(text).toContain('freehold_decisions_total')
    expect(text).toContain('freehold_admission_refused_total 0')
  },
  metricsHost: async () => {
    const { lines } = await served({ metricsPort: 0, metricsHost: 'localhost' })
    const message = expect.stringMatching(/^Metrics are at http:\/\/localhost:\d+\/metrics\.$/)
    await expect.poll(lines).toContainEqual(expect.objectContaining({ message }))
  },
  decisionLog: async () => {
    const { lines } = await decided({})
    expect(lines).toMatchObject([
      { design: 'rebac', question: 'can', asked, outcome: 'denied', roundTrips: expect.any(Number) },
      { asked: { user: 'ada@example.org' }, outcome: 'allowed' },
    ])
  },
  decisionLogOf: async () => {
    const { lines } = await decided({ decisionLogOf: 'denials' }, 2)
    expect(lines.map(({ outcome }) => outcome)).toEqual(['denied', 'denied'])
  },
  decisionLogEvidence: async () => {
    const { lines } = await decided({ decisionLogEvidence: true })
    expect(lines).toContainEqual(
      expect.objectContaining({ question: 'can', outcome: 'allowed', evidence: { chains: [expect.any(Array)] } }),
    )
  },
}
