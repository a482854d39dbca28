import { designModules } from '@freehold/designs'
import { accountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { rebac } from '@freehold/designs/rebac'
import { operator } from '@freehold/frame/flow'
import { connect, FreeholdError } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { startFaultProxy } from '../../../../test/faults/fault-proxy.ts'
import { sampleTable } from '../../test/organisation.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'
import { openTables } from '../serving/open-tables.ts'
import { watchJobs } from '../serving/watch-jobs.ts'

const inMinutes = (minutes: number) => () => new Date(Date.now() + minutes * 60_000)
/** When the lease of an abandoned job has ended for sure. */
const later = inMinutes(2)

/** A table in which the removal of a user was begun and left, by a process whose clock is a minute ahead: its lease ends then. */
async function abandoned(): Promise<{ table: string; userId: string }> {
  const table = await sampleTable()
  const people = connect(rebac, { table, dynamo: { endpoint }, now: inMinutes(1) })
  const { items } = await people.users({})
  const userId = items.find(({ displayName }) => displayName === 'Ada')?.userId ?? ''
  await people.User.remove({ userId }, { wait: false })
  people.close()
  return { table, userId }
}

describe('jobs', () => {
  test('lists those that are under way or were left behind, and lets them be', async () => {
    const { table, userId } = await abandoned()
    for (const [now, state] of [
      [() => new Date(), 'under way'],
      [later, 'left behind'],
    ] as const) {
      const { exit, out } = await freehold(['jobs', 'rebac', '--table', table, '--json'], { now })
      expect(exit).toBe(0)
      expect(JSON.parse(out)).toEqual([
        {
          id: expect.stringMatching(/^\w{26}$/),
          kind: 'remove',
          entity: 'User',
          key: { PK: `USER#${userId}`, SK: 'META' },
          state,
          done: 0,
          createdAt: expect.any(String),
          leaseUntil: expect.any(String),
        },
      ])
    }
    const { out } = await freehold(['jobs', 'rebac', '--table', table])
    expect(out).toMatch(/^job +kind +entity +key +state +items done +since\n/)
  })

  test('finishes them with --resume', async () => {
    const { table, userId } = await abandoned()
    const { exit, out } = await freehold(['jobs', 'rebac', '--table', table, '--resume', '--json'], { now: later })
    expect({ exit, out }).toEqual({ exit: 0, out: '{"done":1,"held":[],"failed":[]}\n' })
    expect(await freehold(['get', 'rebac', 'User', `{"userId":"${userId}"}`, '--table', table])).toMatchObject({ exit: 1 })
    expect(await freehold(['jobs', 'rebac', '--table', table])).toMatchObject({ out: expect.stringContaining('There are no jobs') })
  })
})

test('an item that is no job is told of, with the command that removes it, and the rest is finished', async () => {
  const { table } = await abandoned()
  const { runtime, close } = connect(rebac, { table, dynamo: { endpoint } })
  await restoreItems(runtime, [{ PK: 'FREEHOLD_JOBS', SK: "JOB#1'2", Type: 'Job' }])
  close()
  const told = `The item 'FREEHOLD_JOBS' / 'JOB#1'2' is not a job, and is passed by. Remove it: aws dynamodb delete-item --table-name ${table} --key '{"PK":{"S":"FREEHOLD_JOBS"},"SK":{"S":"JOB#1'\\''2"}}'.\n`
  const listed = await freehold(['jobs', 'rebac', '--table', table], { now: later })
  expect(listed).toMatchObject({ exit: 0, out: expect.stringContaining('left behind'), err: told })
  expect(await freehold(['query', 'rebac', 'roles', '{}', '--table', table])).toMatchObject({
    exit: 0,
    err: expect.stringContaining('see `freehold jobs rebac --resume`'),
  })
  const resumed = await freehold(['jobs', 'rebac', '--table', table, '--resume'], { now: later })
  expect(resumed).toEqual({ exit: 1, out: 'Finished 1 job.\n', err: told })
  const { out } = await freehold(['jobs', 'rebac', '--table', table, '--resume', '--json'], { now: later })
  expect(JSON.parse(out)).toMatchObject({ done: 0, malformed: [{ key: { SK: "JOB#1'2" } }] })
})

/** A table with a job that fails each time: it is about an entity that the design does not have. */
async function broken(): Promise<string> {
  const table = await sampleTable()
  const { runtime, close } = connect(rebac, { table, dynamo: { endpoint } })
  const [id, instant] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '2026-01-01T00:00:00.000Z']
  const job = {
    id,
    kind: 'remove',
    entity: 'Nobody',
    key: { PK: 'a', SK: 'b' },
    createdAt: instant,
    done: 0,
    holder: 'x',
    leaseUntil: instant,
  }
  await restoreItems(runtime, [{ PK: 'FREEHOLD_JOBS', SK: `JOB#${id}`, Type: 'Job', version: 1, ...job }])
  close()
  return table
}

describe('a job that fails', () => {
  test('is told of, with why, and stays', async () => {
    const table = await broken()
    const person = await freehold(['jobs', 'rebac', '--table', table, '--resume'])
    expect(person).toEqual({
      exit: 1,
      out: 'Finished 0 jobs.\n',
      err: expect.stringMatching(/^The job \w{26} failed and stays recorded: .*'Nobody'.*\(UnknownName\)\n$/),
    })
    const { exit, out } = await freehold(['jobs', 'rebac', '--table', table, '--resume', '--json'], { now: later })
    expect(exit).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ done: 0, held: [], failed: [{ entity: 'Nobody', error: { code: 'UnknownName' } }] })
  })

  test('keeps no other command from its own work, which says so', async () => {
    expect(await freehold(['query', 'rebac', 'roles', '{}', '--table', await broken(), '--json'])).toMatchObject({
      exit: 0,
      err: expect.stringContaining('could not be finished: see `freehold jobs rebac --resume`.'),
    })
  })
})

test('where storage does not answer, a question tells of no job that nobody has seen', async () => {
  const table = await sampleTable()
  const proxy = await startFaultProxy([
    {
      when: (input) => 'Key' in input || 'RequestItems' in input || 'KeyConditions' in input || 'KeyConditionExpression' in input,
      fault: { kind: 'deny' },
      times: 99,
    },
  ])
  const question = JSON.stringify({ user: 'ada@example.org', location: 'NYC001', page: 'reports' })
  const { exit, out, err } = await freehold(['can', 'rebac', question, '--table', table], { env: { DYNAMODB_ENDPOINT: proxy.endpoint } })
  await proxy.close()
  expect({ exit, out, err }).toEqual({
    exit: 2,
    out: expect.stringContaining('(StorageFault)'),
    err: expect.stringMatching(
      /^It says: .*\nJobs of earlier processes, if there are any, could not be looked through: .*credentials.*\n$/,
    ),
  })
})

describe('any command that opens the table', () => {
  test('finishes what a process left behind, and says so', async () => {
    const { table } = await abandoned()
    const { exit, err } = await freehold(['query', 'rebac', 'roles', '{}', '--table', table, '--json'], { now: later })
    expect({ exit, err }).toEqual({ exit: 0, err: '{"note":"Finished 1 job of an earlier process."}\n' })
    expect(await freehold(['jobs', 'rebac', '--table', table, '--json'])).toMatchObject({ out: '[]\n' })
  })

  test('leaves alone what another process is at', async () => {
    const { table } = await abandoned()
    expect(await freehold(['query', 'rebac', 'roles', '{}', '--table', table, '--json'])).toMatchObject({ exit: 0, err: '' })
    expect(JSON.parse((await freehold(['jobs', 'rebac', '--table', table, '--json'])).out)).toHaveLength(1)
  })
})

describe('a job of a flow', () => {
  const there = '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11'

  /** A table in which a user's move was begun by a process that died before it had done anything. */
  async function begun(): Promise<{ readonly table: string; readonly id: string }> {
    const table = freshTable()
    const moveUser = async () => {
      throw new FreeholdError('Unavailable', 'The process has died.')
    }
    const accounts = connect(accountManagement, { table, dynamo: { endpoint }, jobHandlers: { moveUser } })
    await ensureTable(accounts.runtime)
    const { id: client_id } = await accounts.Client.create({ name: 'Here' })
    await accounts.Client.create({ id: there, name: 'There' })
    const { id } = await accounts.User.create({ client_id, email: 'ada@example.org', user_type: 'client_admin' })
    const moving = offeredAccountFlows.of(accounts, { actor: operator }).moveUser({ id, client_id: there })
    await expect(moving).rejects.toMatchObject({ code: 'Pending', cause: { message: 'The process has died.' } })
    accounts.close()
    return { table, id }
  }
  const userIn = async ({ table, id }: Awaited<ReturnType<typeof begun>>) => {
    const { out } = await freehold([
      'get',
      'account-management',
      'User',
      JSON.stringify({ id }),
      '--table',
      table,
      '--json',
      '--consistent',
    ])
    return JSON.parse(out)
  }

  test('is listed with its name and what it is about', async () => {
    const { table, id } = await begun()
    const { out } = await freehold(['jobs', 'account-management', '--table', table, '--json'])
    expect(JSON.parse(out)).toMatchObject([{ kind: 'flow', entity: 'moveUser', key: { PK: `USER#${id}` }, state: 'under way' }])
  })

  test('is finished by the next command, once its lease has ended', async () => {
    const left = await begun()
    expect(await userIn(left)).not.toMatchObject({ client_id: there })
    const { err } = await freehold(['query', 'account-management', 'clients', '--table', left.table, '--json'], { now: later })
    expect(err).toBe('{"note":"Finished 1 job of an earlier process."}\n')
    expect(await userIn(left)).toMatchObject({ client_id: there })
  })

  test('is finished by `jobs --resume`', async () => {
    const left = await begun()
    const { out } = await freehold(['jobs', 'account-management', '--table', left.table, '--resume', '--json'], { now: later })
    expect(JSON.parse(out)).toMatchObject({ done: 1, failed: [] })
    expect(await userIn(left)).toMatchObject({ client_id: there })
  })

  test('is finished by a server, whatever else it does', async () => {
    const left = await begun()
    const module = designModules.get('account-management')
    const sender = senderOf({ endpoint })
    const connecting = { sender, table: left.table, now: later }
    const [served] = await openTables(module === undefined ? [] : [module], true, { connecting, isAtAws: false }, () => {})
    const told: string[] = []
    const end = served === undefined ? () => {} : watchJobs(served.table.jobs, (sentence) => told.push(sentence), { interval_ms: 30_000 })
    await expect.poll(() => told).toEqual(['Finished 1 job of an earlier process.'])
    end()
    sender.close()
    expect(await userIn(left)).toMatchObject({ client_id: there })
  })
})

describe('setup', () => {
  test('makes the table once', async () => {
    const table = freshTable()
    expect(await freehold(['setup', 'rebac', '--table', table])).toEqual({ exit: 0, out: `Created the table ${table}.\n`, err: '' })
    expect(await freehold(['setup', 'rebac', '--table', table, '--json'])).toEqual({
      exit: 0,
      out: `{"table":"${table}","isNew":false}\n`,
      err: '',
    })
  })

  test('makes the table of API keys too, and no other', async () => {
    const table = freshTable()
    expect(await freehold(['setup', 'service', '--table', table])).toMatchObject({ exit: 0, out: `Created the table ${table}.\n` })
    expect(await freehold(['setup', 'servize', '--table', table])).toMatchObject({ exit: 2, err: expect.stringContaining('(UnknownName)') })
  })
})
