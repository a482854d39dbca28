import { describe, expect, test } from 'vitest'
import { rawItems, rawKeys } from '../../../test/depot/raw.ts'
import { DyingSender, LosingSender, WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, depotOf, ownDepot } from '../../../test/depot/table.ts'
import type { JobHandlers } from '../runtime.ts'
import type { StartingJob } from './flow-job.ts'
import { lease_ms } from './job.ts'

const starting: StartingJob = { subject: 'PERSON#ada', input: { shelf: 1, from: 'here' }, wait: false }

/** A table whose jobs say what they were started with. `meanwhile` is called as each begins. */
async function tidied(meanwhile: () => Promise<unknown> = async () => {}) {
  const clock = new Clock()
  const runs: unknown[] = []
  const jobHandlers: JobHandlers = {
    tidy: async ({ input }) => {
      runs.push(input)
      await meanwhile()
    },
    sort: async () => {},
  }
  const options = { jobHandlers, now: clock.now }
  return { clock, runs, options, table: await ownDepot(options) }
}

describe('a job that is the same as one that has not begun', () => {
  test('joins it: however often it is started, one is recorded and done', async () => {
    const { runs, table } = await tidied()
    const first = await table.jobs.start('tidy', starting)
    for (let count = 0; count < 20; count++) expect((await table.jobs.start('tidy', starting)).id).toBe(first.id)
    expect(await table.jobs.list()).toEqual([first])
    expect(await table.jobs.resume()).toMatchObject({ done: 1 })
    expect(runs).toHaveLength(1)
    expect(await rawItems(table)).toEqual([])
  })

  test('joins it where many start at once, each at its own time', async () => {
    const { clock, options, table } = await tidied()
    const now = () => {
      clock.forward(1)
      return clock.now()
    }
    const { jobs } = depotOf(table.runtime.table, { ...options, now })
    const started = await Promise.all(Array.from({ length: 8 }, () => jobs.start('tidy', starting)))
    expect(new Set(started.map(({ id }) => id)).size).toBe(1)
    expect(await table.jobs.list()).toHaveLength(1)
  })

  test('is the same by what it is said to have in common, whatever else it is started with', async () => {
    const { runs, table } = await tidied()
    await table.jobs.start('tidy', { ...starting, same: { shelf: 1 } })
    const input = { shelf: 1, from: 'elsewhere' }
    await table.jobs.start('tidy', { ...starting, input, same: { shelf: 1 } })
    await table.jobs.resume()
    expect(runs).toEqual([input])
  })

  test('is as if it had been asked for last: what came in between is not left out', async () => {
    const asked: unknown[] = []
    const clock = new Clock()
    const tidy: JobHandlers[string] = async ({ createdAt, input }) => void asked.push([createdAt, input])
    const table = await ownDepot({ jobHandlers: { tidy }, now: clock.now })
    for (const input of ['first', 'second', 'third']) {
      clock.forward(1000)
      await table.jobs.start('tidy', { ...starting, input, same: 'one' })
    }
    const last = clock.now().toISOString()
    clock.forward(1000)
    await table.jobs.resume()
    expect(asked).toEqual([[last, 'third']])
    await table.jobs.start('tidy', { ...starting, input: 'waits not', same: 'one' })
    clock.forward(1000)
    await table.jobs.start('tidy', { ...starting, input: 'waits', same: 'one', wait: true })
    expect(asked.slice(1)).toEqual([[clock.now().toISOString(), 'waits']])
  })

  test('is as if it had been asked for last within one millisecond, too, even where another asks just before it is begun', async () => {
    const { runs, options, table } = await tidied()
    const start = (jobs: typeof table.jobs, input: string, wait = false) => jobs.start('tidy', { ...starting, input, same: 'one', wait })
    await start(table.jobs, 'first')
    await start(table.jobs, 'second')
    let updates = 0
    const sender = new WatchedSender(async (operation) => {
      // The first write joins, the second takes the lease.
      const isWrite = operation === 'UpdateItem' || operation === 'TransactWriteItems'
      if (isWrite && ++updates === 2) await start(table.jobs, 'last')
    })
    await start(depotOf(table.runtime.table, { ...options, sender }).jobs, 'third', true)
    expect(runs).toEqual(['last'])
    expect(await rawItems(table)).toEqual([])
  })

  test.each<[string, string, StartingJob]>([
    ['name', 'sort', starting],
    ['subject', 'tidy', { ...starting, subject: 'PERSON#bob' }],
    ['input', 'tidy', { ...starting, input: { shelf: 2, from: 'here' } }],
  ])('is none of another %s', async (_, name, other) => {
    const { table } = await tidied()
    await table.jobs.start('tidy', starting)
    await table.jobs.start(name, other)
    expect(await table.jobs.list()).toHaveLength(2)
  })

  test('does it at once for a caller who waits', async () => {
    const { runs, table } = await tidied()
    await table.jobs.start('tidy', starting)
    await table.jobs.start('tidy', { ...starting, wait: true })
    expect(runs).toHaveLength(1)
    expect(await rawItems(table)).toEqual([])
  })

  test('is waited for where another worker was faster to begin it', async () => {
    const { clock, runs, options, table } = await tidied()
    await table.jobs.start('tidy', starting)
    const dying = depotOf(table.runtime.table, {
      ...options,
      jobHandlers: { tidy: () => Promise.reject(new Error('this process has ended')) },
    })
    const sender = new WatchedSender(async (operation) => {
      if (operation === 'UpdateItem') await dying.jobs.resume().catch(() => undefined)
    })
    let looks = 0
    const sleep = async () => {
      if (++looks < 3) return
      clock.forward(lease_ms)
      await table.jobs.resume()
    }
    const { jobs } = depotOf(table.runtime.table, { ...options, sender, sleep })
    await jobs.start('tidy', { ...starting, wait: true })
    expect([looks, runs.length]).toEqual([3, 1])
    expect(await rawItems(table)).toEqual([])
  })
})

test('a job that is the same as one that has begun is recorded: the other may have passed what it is for', async () => {
  let count = 0
  const { runs, table } = await tidied(async () => {
    if (count++ === 0) for (let times = 0; times < 3; times++) await table.jobs.start('tidy', starting)
  })
  await table.jobs.start('tidy', starting)
  await table.jobs.resume({ jobs_max: 1 })
  expect(await table.jobs.list()).toHaveLength(1)
  // The end of the first leaves alone what names the second.
  await table.jobs.start('tidy', starting)
  expect(await table.jobs.list()).toHaveLength(1)
  expect(await table.jobs.resume()).toMatchObject({ done: 1 })
  expect(runs).toHaveLength(2)
  expect(await rawItems(table)).toEqual([])
})

test('a job that begins just as another is to join it is not joined', async () => {
  const { clock, options, table } = await tidied()
  const first = await table.jobs.start('tidy', starting)
  clock.forward(1000)
  const other = depotOf(table.runtime.table, {
    ...options,
    jobHandlers: { tidy: () => Promise.reject(new Error('this process has ended')) },
  })
  const sender = new WatchedSender(async (operation, index) => {
    if (operation === 'UpdateItem' && index === 2) await other.jobs.resume().catch(() => undefined)
  })
  const { id } = await depotOf(table.runtime.table, { ...options, sender }).jobs.start('tidy', starting)
  expect(id).not.toBe(first.id)
  expect((await table.jobs.list()).map((job) => job.createdAt)).toEqual([first.createdAt, clock.now().toISOString()])
})

describe('whatever becomes of the process or of an answer', () => {
  test('the job is done once it was recorded, and nothing that names it is left', async () => {
    for (let writes = 0; writes < 10; writes++) {
      const { clock, runs, options, table } = await tidied()
      const sender = new DyingSender(writes)
      const dying = depotOf(table.runtime.table, { ...options, sender })
      await dying.jobs
        .start('tidy', starting)
        .then(() => dying.jobs.resume())
        .catch(() => undefined)
      clock.forward(lease_ms)
      expect(await table.jobs.resume()).toMatchObject({ held: [], failed: [] })
      expect(await rawKeys(table)).toEqual([])
      expect(runs.length > 0).toBe(writes > 0)
      if (!sender.isDead) return
    }
    throw new Error('the work is never done')
  })

  test.each(['before', 'after', 'after, and the token is forgotten'] as const)(
    'one is recorded where the answer is lost %s',
    async (loss) => {
      const { options, table } = await tidied()
      const sender = new LosingSender(0, loss)
      await depotOf(table.runtime.table, { ...options, sender }).jobs.start('tidy', starting)
      await table.jobs.start('tidy', starting)
      expect([sender.isLost, (await table.jobs.list()).length]).toEqual([true, 1])
      await table.jobs.resume()
      expect(await rawItems(table)).toEqual([])
    },
  )
})
