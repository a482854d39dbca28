import { expect } from 'vitest'
import { sampleTable } from '../organisation.ts'
import { folder, freehold } from '../recorded-shell.ts'
import { counting, type Treating } from './counting.ts'
import type { EffectsOf } from './effect.ts'

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
    expect(await keptOf(butTables('hang'), ...query, '--patience-ms', '1000', '--attempt-ms', '50')).toBeGreaterThan(2)
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
  startPatienceMs: async () => {
    expect(await keptOf(butTables('throttle'), ...serve, '--start-patience-ms', '0')).toBe(1)
  },
  startAttemptMs: async () => {
    // An attempt of two seconds would be answered.
    expect(await keptOf(() => 'delay', ...serve, '--start-attempt-ms', '100')).toBe(0)
  },
}
