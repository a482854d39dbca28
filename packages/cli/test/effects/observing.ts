import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Environment } from '../../src/environment.ts'
import { closing } from '../../src/serving/closing.ts'
import { openDecisionLog } from '../../src/serving/server-decisions.ts'
import { openServerLog } from '../../src/serving/server-log.ts'
import { openMetrics } from '../../src/serving/server-metrics.ts'
import { portToUse } from '../processes.ts'
import { folder } from '../recorded-shell.ts'
import { settledBy } from '../settled.ts'
import type { EffectsOf } from './effect.ts'
import { quietShell } from './quiet-shell.ts'
import { served } from './served.ts'

const asked = { user: 'nobody@example.org', location: 'NYC001', page: 'dashboard' }

/** What /metrics says at once and again, of a table whose jobs are told so late, and how often it was asked. */
async function metricsOf(env: Environment, late_ms: number) {
  const opened = closing()
  const counted = await openMetrics(settledBy({ FREEHOLD_METRICS_PORT: '0', ...env }), opened, async () => [])
  let looks = 0
  const list = async () => {
    looks++
    await setTimeout(late_ms)
    return []
  }
  counted?.metrics.watchJobs('rebac', { list })
  const read = async () => (await fetch(counted?.address ?? '')).text()
  const texts = [await read(), await read()]
  await opened.all()
  return { hasAge: texts.map((text) => text.includes('freehold_oldest_job_age_seconds{design="rebac"}')), looks }
}

/** What a decision log does with a line. */
async function keepsLine(env: Environment): Promise<boolean> {
  const opened = closing()
  let written = ''
  const out = async (text: string) => {
    written += text
  }
  const line = { time: '', design: 'rebac', question: 'can', asked: { user: 'a'.repeat(2_000) }, outcome: 'denied', ms: 1 } as const
  openDecisionLog({ settings: settledBy({ FREEHOLD_DECISION_LOG: '-', ...env }), out }, opened, () => {}, undefined)?.write(line)
  await opened.all()
  return written !== ''
}

/** The lines that the server leaves in its decision log, after so many questions. */
async function decided(settings: Readonly<Record<string, unknown>>, count = 1) {
  const decisionLog = join(folder(), 'decisions.jsonl')
  const { call, process, ended } = await served({ decisionLog, ...settings })
  for (let each = 0; each < count; each++) await (await call('POST', '/v1/rebac/can', asked)).text()
  await (await call('POST', '/v1/rebac/can', { ...asked, user: 'ada@example.org' })).text()
  process.kill('SIGINT')
  await ended
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean) : [])
  return {
    lines: read(decisionLog).map((line) => JSON.parse(line)),
    files: [1, 2, 3].filter((each) => existsSync(`${decisionLog}.${each}`)),
  }
}

let terseOnce: Promise<readonly Readonly<Record<string, unknown>>[]> | undefined

/** The lines of a decision log with short texts, for which no evidence may be read. */
const terse = () => {
  terseOnce ??= decided({ decisionLogTextMax: 6, decisionLogEvidence: true, decisionLogExplainedMax: 0 }).then(({ lines }) => lines)
  return terseOnce
}

export const observing: EffectsOf<'Observing'> = {
  metricsPort: async () => {
    const metricsPort = await portToUse()
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
  decisionLogPercent: async () => {
    const { lines } = await decided({ decisionLogOf: 'sample', decisionLogPercent: 100 })
    expect(lines).toHaveLength(2)
  },
  decisionLogEvidence: async () => {
    const { lines } = await decided({ decisionLogEvidence: true })
    expect(lines).toContainEqual(
      expect.objectContaining({ question: 'can', outcome: 'allowed', evidence: { chains: [expect.any(Array)] } }),
    )
  },
  decisionLogBytesMax: async () => {
    const { files } = await decided({ decisionLogBytesMax: 1 })
    expect(files).toEqual([1])
  },
  metricsWaitMs: async () => {
    expect((await metricsOf({ FREEHOLD_METRICS_WAIT_MS: '1' }, 200)).hasAge).toEqual([false, false])
    expect((await metricsOf({}, 20)).hasAge).toEqual([true, true])
  },
  metricsJobsAgeMs: async () => {
    expect((await metricsOf({ FREEHOLD_METRICS_JOBS_AGE_MS: '0' }, 0)).looks).toBe(2)
    expect((await metricsOf({}, 0)).looks).toBe(1)
  },
  logHoldMs: async () => {
    const written = (env: Environment) => {
      const opened = closing()
      let lines = ''
      const err = (text: string) => {
        lines += text
      }
      openServerLog({ ...quietShell(settledBy(env)), err }, opened).from('test')('A line.')
      return { lines, end: opened.all() }
    }
    const [held, apart] = [written({}), written({ FREEHOLD_LOG_HOLD_MS: '0' })]
    expect([held.lines, apart.lines]).toEqual(['', expect.stringContaining('A line.')])
    await Promise.all([held.end, apart.end])
  },
  decisionLogHeldMax: async () => {
    expect([await keepsLine({}), await keepsLine({ FREEHOLD_DECISION_LOG_HELD_MAX: '1024' })]).toEqual([true, false])
  },
  decisionLogTextMax: async () => {
    expect(await terse()).toMatchObject([{ asked: { user: 'nobody', page: 'dashbo' } }, { asked: { user: 'ada@ex' } }])
  },
  decisionLogExplainedMax: async () => {
    expect((await terse()).map(({ evidence }) => evidence)).toEqual([undefined, undefined])
  },
  decisionLogFilesMax: async () => {
    const { files } = await decided({ decisionLogBytesMax: 1, decisionLogFilesMax: 1 }, 4)
    expect(files).toEqual([1])
  },
}
