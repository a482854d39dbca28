import { expect } from 'vitest'
import { reach } from '../../src/opening/reach.ts'
import { sampleTable } from '../organisation.ts'
import { folder, freehold } from '../recorded-shell.ts'
import { settledBy } from '../settled.ts'
import { counting, type Treating } from './counting.ts'
import type { EffectsOf } from './effect.ts'
import { served } from './served.ts'

/** Runs a command that fails, at such a DynamoDB, and counts the requests that were not forwarded. */
async function keptOf(treat: Treating, ...argv: readonly string[]): Promise<number> {
  const { endpoint: between, counts, close } = await counting(treat)
  const { exit, err } = await freehold(argv, { env: { DYNAMODB_ENDPOINT: between } })
  close()
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringMatching(/Unavailable|Busy/) })
  return counts.kept
}

const butTables =
  (treated: 'throttle' | 'hang'): Treating =>
  (operation) =>
    ['DescribeTable', 'CreateTable'].includes(operation) ? 'forward' : treated
const query = ['query', 'rebac', 'users']
const serve = ['serve', '--port', '0', '--design', 'rebac', '--log-level', 'silent']

export const dynamo: EffectsOf<'DynamoDB'> = {
  patienceMs: async () => {
    expect(await keptOf(butTables('throttle'), ...query, '--patience-ms', '0')).toBe(1)
  },
  attemptMs: async () => {
    // With attempts of five seconds there would be one.
    expect(await keptOf(butTables('hang'), ...query, '--patience-ms', '3000', '--attempt-ms', '700')).toBeGreaterThan(2)
  },
  sockets: async () => {
    const table = await sampleTable()
    const rows = ['user,location,page', ...Array.from({ length: 20 }, () => 'ada@example.org,NYC001,reports')].join('\n')
    const cwd = folder({ 'questions.csv': rows })
    const atOnceWith = async (sockets: string) => {
      const { endpoint: between, counts, close } = await counting(() => 'forward')
      const ask = ['can', 'rebac', '--batch', 'questions.csv', '--table', table, '--consistency', 'strong', '--sockets', sockets]
      expect(await freehold(ask, { cwd, env: { DYNAMODB_ENDPOINT: between } })).toMatchObject({ exit: 0 })
      close()
      return counts.atOnce
    }
    expect(await atOnceWith('1')).toBe(1)
    expect(await atOnceWith('20')).toBeGreaterThan(1)
  },
  connectMs: async () => {
    const shell = { settings: settledBy({ FREEHOLD_CONNECT_MS: '77' }), env: {}, err: () => {} }
    const { dynamo: options } = await reach(shell, { kind: 'aws', region: 'eu-central-1' }, { name: 'freehold query', role: 'guest' })
    expect(options).toMatchObject({ connect_ms: 77 })
  },
  socketIdleMs: async () => {
    const { endpoint: between, counts, close } = await counting(() => 'forward')
    const { process, ended } = await served({ jobLookMs: 1_500, socketIdleMs: 10 }, { DYNAMODB_ENDPOINT: between })
    const begun = counts.connections
    // Connections that are kept for twenty seconds serve every look.
    await expect.poll(() => counts.connections, { timeout: 8_000 }).toBeGreaterThan(begun + 1)
    process.kill('SIGKILL')
    await ended
    close()
  },
  startPatienceMs: async () => {
    expect(await keptOf(butTables('throttle'), ...serve, '--start-patience-ms', '0')).toBe(1)
  },
  startAttemptMs: async () => {
    // An attempt of two seconds would be answered.
    expect(await keptOf(() => 'delay', ...serve, '--start-attempt-ms', '100')).toBe(0)
  },
}
