import { designModules } from '@freehold/designs'
import { StorageError } from '@freehold/engine'
import { FreeholdError } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../config/settings.ts'
import type { Shell } from '../shell.ts'
import { failureOf, reportFailure } from './failure.ts'

function recording(env: Shell['env'] = {}): { readonly shell: Shell; readonly written: string[] } {
  const written: string[] = []
  const shell: Shell = {
    designs: designModules,
    settings: defaultSettings,
    env,
    cwd: '/',
    stdin: (async function* () {})(),
    out: async () => {},
    err: (text) => written.push(text),
    isInteractive: false,
    now: () => new Date(0),
  }
  return { shell, written }
}

describe('an error', () => {
  test.each([
    ['NotFound', 1],
    ['AlreadyExists', 1],
    ['VersionConflict', 1],
    ['InUse', 1],
    ['Denied', 1],
    ['InvalidInput', 2],
    ['UnknownName', 2],
    ['MalformedItem', 2],
    ['Busy', 2],
    ['Unavailable', 2],
  ] as const)('%s exits with %i', async (code, exit) => {
    expect(await failureOf(recording().shell, new FreeholdError(code, 'A sentence.'))).toEqual({ code, message: 'A sentence.', exit })
  })

  test('that nobody expected tells its name, and neither what it quotes nor where it was', async () => {
    const failure = await failureOf(recording().shell, new TypeError('cannot read the password hunter2'))
    expect(failure).toMatchObject({ code: 'Unexpected', exit: 2, message: expect.stringContaining('(TypeError)') })
    expect(failure.message).not.toContain('hunter2')
    expect(await failureOf(recording().shell, 'thrown text')).toMatchObject({ exit: 2, message: expect.stringContaining('(string)') })
  })

  test('tells nothing of its cause', async () => {
    const { shell, written } = recording()
    const error = new FreeholdError('Unavailable', 'DynamoDB did not answer.', { failure: 'lost' }, { cause: new Error('10.0.0.7:8000') })
    reportFailure(shell, await failureOf(shell, error), false)
    expect(written).toEqual(['freehold: DynamoDB did not answer. (Unavailable)\n'])
  })

  test('of a disk that is full says what to do', async () => {
    const cause = new StorageError('StorageFull', '/data/data.mdb')
    const error = new FreeholdError('Unavailable', 'DynamoDB cannot be reached.', { failure: 'unreached' }, { cause })
    const { message } = await failureOf(recording({ DYNAMODB_ENDPOINT: 'x' }).shell, error)
    expect(message).toBe('DynamoDB cannot be reached. /data/data.mdb: the disk is full: free some space, then try again.')
  })

  test('of a transaction tells that of each step', async () => {
    const failures = {
      first: new FreeholdError('AlreadyExists', 'It is there.'),
      second: new FreeholdError('NotFound', 'It is not there.'),
    }
    const { message } = await failureOf(recording().shell, new FreeholdError('TransactionFailed', 'Nothing was written.', { failures }))
    expect(message).toBe('Nothing was written. first: It is there. second: It is not there.')
  })

  test('of a table that is not there says how to make it', async () => {
    const error = new FreeholdError('Unavailable', 'The table does not exist.', { failure: 'missing-table' })
    expect((await failureOf(recording().shell, error)).message).toContain('`freehold setup`')
  })

  test('moves no cursor', async () => {
    const { shell, written } = recording()
    for (const asJson of [false, true]) reportFailure(shell, { code: 'InvalidInput', message: 'No \u001b[2J\n', exit: 2 }, asJson)
    expect(written).toEqual([
      'freehold: No \\u001b[2J\\n (InvalidInput)\n',
      '{"error":{"code":"InvalidInput","message":"No \\\\u001b[2J\\\\n"}}\n',
    ])
  })
})
