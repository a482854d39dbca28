import { describe, expect, test } from 'vitest'
import { putRaw, rawItems } from '../../../test/depot/raw.ts'
import { WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, ownDepot } from '../../../test/depot/table.ts'
import { FreeholdError } from '../../errors.ts'
import type { JobHandlers } from '../runtime.ts'
import { lease_ms } from './job.ts'

const malformed = new FreeholdError('MalformedItem', 'not as it should be')

interface Tidying {
  readonly took_ms?: number
  readonly fails?: readonly string[]
  /** The error of those. */
  readonly error?: Error
}

/** A table whose jobs say what they were done with, take so long, and fail where they are told to. */
async function tidied({ took_ms = 0, fails = [], error = malformed }: Tidying = {}) {
  const clock = new Clock()
  const done: unknown[] = []
  const jobHandlers: JobHandlers = {
    tidy: async ({ input }) => {
      done.push(input)
      clock.forward(took_ms)
      if (fails.includes(String(input))) throw error
    },
  }
  const options = { jobHandlers, now: clock.now }
  const table = await ownDepot(options)
  return { clock, done, options, table }
}

/** Recorded one after the other, by texts such as `ada 1`: the word is the subject, the whole is the input. */
async function leave({ jobs }: Depot, clock: Clock, texts: readonly string[]): Promise<void> {
  for (const input of texts) {
    await jobs.start('tidy', { subject: input.split(' ')[0] ?? '', input, wait: false })
    clock.forward(1)
  }
}

test('one subject keeps no other waiting, however many jobs of its own it has recorded', async () => {
  const { clock, done, table } = await tidied()
  await leave(table, clock, ['eve 1', 'eve 2', 'eve 3', 'eve 4', 'ada 1', 'bob 1', 'ada 2'])
  expect(await table.jobs.resume()).toEqual({ done: 7, held: [], failed: [] })
  expect(done).toEqual(['eve 1', 'ada 1', 'bob 1', 'eve 2', 'ada 2', 'eve 3', 'eve 4'])
})

test('no more jobs are done than it may take, and the next goes on with the others', async () => {
  const { clock, done, table } = await tidied()
  await leave(table, clock, ['eve 1', 'eve 2', 'eve 3', 'ada 1'])
  expect(await table.jobs.resume({ jobs_max: 2 })).toEqual({ done: 2, held: [], failed: [], hasMore: true })
  expect(done).toEqual(['eve 1', 'ada 1'])
  expect(await table.jobs.resume({ jobs_max: 2 })).toEqual({ done: 2, held: [], failed: [] })
  expect(await rawItems(table)).toEqual([])
})

test('no further job is begun once its time is over; the first is done however long that takes', async () => {
  const { clock, done, table } = await tidied({ took_ms: 600 })
  await leave(table, clock, ['a', 'b', 'c', 'd'])
  expect(await table.jobs.resume({ ms_max: 1000 })).toEqual({ done: 2, held: [], failed: [], hasMore: true })
  expect(await table.jobs.resume({ ms_max: 1 })).toEqual({ done: 1, held: [], failed: [], hasMore: true })
  expect(done).toEqual(['a', 'b', 'c'])
})

test('what is recorded while it goes on, or from a given instant on, is left to the next', async () => {
  const { clock, done, options, table } = await tidied()
  await leave(table, clock, ['a', 'b'])
  const before = clock.now()
  await leave(table, clock, ['c'])
  expect(await table.jobs.resume({ before })).toEqual({ done: 2, held: [], failed: [] })
  const sender = new WatchedSender(async (operation) => {
    if (operation !== 'DeleteItem' && operation !== 'TransactWriteItems') return
    clock.forward(1)
    await leave(table, clock, [`later ${done.length}`])
  })
  expect(await depotOf(table.runtime.table, { ...options, sender }).jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
  expect(done).toEqual(['a', 'b', 'c'])
  expect((await table.jobs.list()).length).toBeGreaterThan(0)
})

test('a job that failed comes after those that were not tried since, so it keeps none from its turn', async () => {
  const { clock, done, table } = await tidied({ fails: ['a', 'b'] })
  await leave(table, clock, ['a', 'b', 'c', 'd'])
  for (let look = 0; look < 3; look++) {
    await table.jobs.resume({ jobs_max: 2 })
    clock.forward(lease_ms)
  }
  expect(done).toEqual(['a', 'b', 'c', 'd', 'a', 'b'])
})

const ofEve = ['eve 1', 'eve 2', 'eve 3', 'eve 4', 'eve 5']

test.each<[string, Error, string]>([
  ['others stand in the way of', new FreeholdError('Busy', 'others keep writing'), 'Busy'],
  ['end in a fault of what does them', new TypeError('it is not a function'), 'Unavailable'],
  ['storage fails', new FreeholdError('Unavailable', 'not now'), 'Unavailable'],
])('jobs of one subject that %s keep no other waiting', async (_, error, code) => {
  const { clock, done, table } = await tidied({ fails: ofEve, error })
  await leave(table, clock, [...ofEve, 'ada 1'])
  const { failed, ...rest } = await table.jobs.resume()
  expect(rest).toEqual({ done: 1, held: [] })
  expect(failed.map(({ job, error }) => [job.key.PK, error.code])).toEqual(ofEve.map(() => ['eve', code]))
  expect(done.slice(0, 2)).toEqual(['eve 1', 'ada 1'])
})

describe('an item in the place of a job that is none', () => {
  const SK = 'JOB#00000000000000000000000000'
  const at = '2026-01-01T00:00:00.000Z'
  const record = {
    ...{ PK: 'FREEHOLD_JOBS', SK, Type: 'Job', version: 1, id: SK.slice(4), kind: 'flow', entity: 'tidy' },
    ...{ key: { PK: 'x', SK: '' }, createdAt: at, done: 0, holder: 'w', leaseUntil: at, input: 'x' },
  }

  test.each([
    ['of another program', { PK: record.PK, SK, note: "it's ours" }],
    ['of an unknown kind', { ...record, kind: 'dance' }],
    ['without a subject', { ...record, key: 'x' }],
    ['that names another job', { ...record, id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
    ['whose lease has no end', { ...record, leaseUntil: 'z' }],
    ['that was recorded at no time', { ...record, createdAt: 7 }],
    ['of another type', { ...record, holder: null }],
  ])('%s is told of, and stops no job', async (_, item) => {
    const { clock, done, table } = await tidied()
    await leave(table, clock, ['a', 'b'])
    await putRaw(table, item)
    const told = { key: { PK: record.PK, SK }, reason: expect.stringMatching(/is not a job.* aws dynamodb delete-item .*JOB#0+"/) }
    const malformed: unknown[] = []
    const listed = await table.jobs.list({ limit: 2, onMalformed: (each) => malformed.push(each) })
    expect(listed.map(({ input }) => input)).toEqual(['a', 'b'])
    expect(malformed).toEqual([told])
    expect(await table.jobs.resume({ jobs_max: 1 })).toMatchObject({ done: 1, malformed: [told], hasMore: true })
    expect(await table.jobs.resume()).toEqual({ done: 1, held: [], failed: [], malformed: [told] })
    expect(done).toEqual(['a', 'b'])
  })

  test('keeps no equal job from its start', async () => {
    const { clock, done, table } = await tidied()
    await leave(table, clock, ['a'])
    const [job] = await table.jobs.list()
    await putRaw(table, { PK: record.PK, SK: `JOB#${job?.id}` })
    await leave(table, clock, ['a'])
    expect(await table.jobs.resume()).toMatchObject({ done: 1, malformed: { length: 1 } })
    expect(done).toEqual(['a'])
  })
})

test('what a fault was is kept with the error, and not said in it', async () => {
  const error = new TypeError('it is not a function')
  const { clock, table } = await tidied({ fails: ['eve 1'], error })
  await leave(table, clock, ['eve 1'])
  const [failed] = (await table.jobs.resume()).failed
  expect(failed?.error.cause).toBe(error)
  expect(failed?.error.message).not.toContain(error.message)
})

test('storage that fails the jobs of three in a row ends the look, and the next goes on with the others', async () => {
  const fails = ['a', 'b', 'c', 'e', 'f']
  const { clock, done, table } = await tidied({ fails, error: new FreeholdError('Unavailable', 'not now') })
  await leave(table, clock, ['a', 'b', 'd', 'c', 'e', 'f', 'g'])
  await expect(table.jobs.resume()).rejects.toMatchObject({ code: 'Unavailable' })
  expect(done).toEqual(['a', 'b', 'd', 'c', 'e', 'f'])
  expect(await table.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
  expect(done.at(-1)).toBe('g')
})

test('faults of what does jobs are none of storage, however many in a row', async () => {
  const fails = ['a', 'b', 'c', 'd']
  const { clock, table } = await tidied({ fails, error: new TypeError('it is not a function') })
  await leave(table, clock, [...fails, 'e'])
  expect(await table.jobs.resume()).toMatchObject({ done: 1, failed: { length: 4 } })
})

test('jobs that failed here are not held: nobody looks again as soon as their leases end; to another worker they are', async () => {
  const fails = Array.from({ length: 103 }, (_, index) => `s${index}`)
  const { clock, options, table } = await tidied({ fails })
  await leave(table, clock, fails)
  expect(await table.jobs.resume({ jobs_max: 100 })).toMatchObject({ failed: { length: 100 }, hasMore: true })
  clock.forward(lease_ms - 1)
  expect(await table.jobs.resume({ jobs_max: 100 })).toEqual({ done: 0, held: [], failed: expect.toSatisfy(({ length }) => length === 3) })
  expect((await depotOf(table.runtime.table, options).jobs.resume()).held).toHaveLength(103)
})

test('a hundred at a time are picked, each is tried once, and all are told of', async () => {
  const fails = ['s7', 's150']
  const { clock, done, options, table } = await tidied({ fails })
  await leave(
    table,
    clock,
    Array.from({ length: 205 }, (_, index) => `s${index}`),
  )
  const sender = new WatchedSender()
  const { failed, ...rest } = await depotOf(table.runtime.table, { ...options, sender }).jobs.resume()
  expect(rest).toEqual({ done: 203, held: [] })
  expect(failed.map(({ error }) => error.code)).toEqual(['MalformedItem', 'MalformedItem'])
  expect(new Set(done).size).toBe(done.length)
  expect(sender.sent.filter((operation) => operation === 'Query')).toHaveLength(3)
})

test('requests that look for jobs are as many as it may make; of what they did not see it says that there may be more', async () => {
  const { clock, done, options, table } = await tidied()
  // A request reads at most 1 MB.
  const long = 'x'.repeat(300_000)
  for (const subject of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    await table.jobs.start('tidy', { subject, input: `${subject}${long}`, wait: false })
    clock.forward(1)
  }
  const sender = new WatchedSender()
  const looking = depotOf(table.runtime.table, { ...options, sender })
  expect(await looking.jobs.resume({ pages_max: 1, jobs_max: 1 })).toEqual({ done: 1, held: [], failed: [], hasMore: true })
  expect(sender.sent.filter((operation) => operation === 'Query')).toHaveLength(1)
  expect(done).toEqual([`a${long}`])
  expect(await table.jobs.resume()).toMatchObject({ done: 7 })
})

test('jobs are listed so many at once, and from after the last of these', async () => {
  const { clock, table } = await tidied()
  await leave(table, clock, ['a', 'b', 'c'])
  const inputs = (jobs: readonly { readonly input?: unknown }[]) => jobs.map(({ input }) => input)
  const first = await table.jobs.list({ limit: 2 })
  expect(inputs(first)).toEqual(['a', 'b'])
  expect(inputs(await table.jobs.list({ limit: 2, after: first.at(-1)?.id }))).toEqual(['c'])
  expect(inputs(await table.jobs.list())).toEqual(['a', 'b', 'c'])
})
