import { beforeEach, describe, expect, test } from 'vitest'
import { PersonSite } from '../../test/depot/design.ts'
import { flaws } from '../../test/depot/flaws.ts'
import { takeLease } from '../../test/depot/raw.ts'
import { refusal } from '../../test/depot/refused.ts'
import { WatchedSender } from '../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, directSender, ownDepot } from '../../test/depot/table.ts'
import type { Sender } from '../dynamo/sender.ts'
import { FreeholdError } from '../errors.ts'
import { creating, removing, updating } from '../plan/step.ts'
import { tableOn } from './connect.ts'
import { lease_ms } from './jobs/job.ts'
import { collectPending, endOf } from './pending.ts'

// A write that is committed is told as done, whatever becomes of the durable jobs that it leaves: these are told as pending (spec rule 13).

let clock: Clock
let table: Depot
beforeEach(async () => {
  clock = new Clock()
  table = await ownDepot({ now: clock.now })
  await table.Site.create({ site: 'A', name: 'old' })
  await table.Person.create({ id: 'ada', email: 'ada@x.org' })
  await table.PersonSite.create({ id: 'ada', site: 'A' })
})

/** All requests after the first write fail so, as often as they are sent. */
function failingAfterCommit(failure: unknown, answer?: unknown): Depot {
  let isCommitted = false
  let at_ms = 0
  const sender: Sender = {
    send: async (operation, input) => {
      if (isCommitted && answer !== undefined) return answer as never
      if (isCommitted) throw failure
      const output = await directSender().send(operation, input)
      isCommitted = operation === 'TransactWriteItems'
      return output
    },
    close: () => {},
  }
  const sleep = async (ms: number) => {
    at_ms += ms
  }
  return depotOf(table.runtime.table, { now: clock.now, sender, sleep, monotonic_ms: () => at_ms })
}

/** Work with a table that collects what it leaves. */
const collected = <T>({ runtime }: Depot, work: (collecting: Depot) => Promise<T>) =>
  // A table of the same design.
  collectPending(runtime, (collecting) => work(tableOn(collecting(runtime)) as Depot))

const named = (name: string) => Object.assign(new Error(name), { name })

describe.each<[string, unknown, unknown, string]>([
  ['meets throttling', named('ThrottlingException'), undefined, 'Busy'],
  ['is refused its rights', named('AccessDeniedException'), undefined, 'Unavailable'],
  ['gets a garbled answer', undefined, [], 'Unavailable'],
  ['is answered null', undefined, null, 'Unavailable'],
])('where the job of a write that is done %s', (_, failure, answer, code) => {
  const left = (kind: string, entity: string) => [{ job: expect.any(String), kind, entity, reason: { code, message: expect.any(String) } }]

  async function finished(): Promise<void> {
    clock.forward(lease_ms + 1)
    expect(await table.jobs.resume()).toMatchObject({ done: 1, failed: [] })
    expect(await flaws(table)).toEqual([])
  }

  test('an update gives the item, and names the job', async () => {
    const { pending, ...item } = await failingAfterCommit(failure, answer).Site.update({ site: 'A' }, { name: 'new' })
    expect([item, pending]).toMatchObject([{ name: 'new', version: 2 }, left('follow', 'Site')])
    expect((await table.jobs.list()).map(({ id }) => id)).toEqual(pending?.map(({ job }) => job))
    await finished()
    expect(await table.PersonSite.get({ id: 'ada', site: 'A' })).toMatchObject({ siteName: 'new' })
  })

  test('a removal names the job', async () => {
    expect(await failingAfterCommit(failure, answer).Site.remove({ site: 'A' })).toEqual({ pending: left('remove', 'Site') })
    await finished()
    expect(await table.Site.get({ site: 'A' })).toBeUndefined()
  })

  test('a transaction gives its items, and names the job', async () => {
    const faulty = failingAfterCommit(failure, answer)
    const { site, pending } = await faulty.transact({ site: updating(table.Site.entity, { site: 'A' }, { name: 'new' }) })
    expect([site, pending]).toMatchObject([{ name: 'new' }, left('follow', 'Site')])
    await finished()
  })

  test('a collector gets them, too', async () => {
    const faulty = failingAfterCommit(failure, answer)
    const { result, pending } = await collected(faulty, async (collecting) => {
      await collecting.Site.remove({ site: 'A' })
      return 'else'
    })
    expect([result, pending]).toEqual(['else', left('remove', 'Site')])
  })
})

describe('a removal that nobody waits for', () => {
  test('names its job, without a reason', async () => {
    const { pending } = await table.Site.remove({ site: 'A' }, { wait: false })
    expect(pending).toEqual([{ job: expect.any(String), kind: 'remove', entity: 'Site' }])
  })
})

describe('a job that takes longer than its caller waits', () => {
  test('is left between two of its pieces, and any worker goes on at once', async () => {
    for (let number = 0; number < 300; number++) {
      const id = `p${number}`
      await table.transact({
        person: creating(table.Person.entity, { id, email: `${id}@x.org` }),
        edge: creating(PersonSite, { id, site: 'A' }),
      })
    }
    let at_ms = 0
    const monotonic_ms = () => {
      at_ms += 10
      return at_ms
    }
    const hurried = depotOf(table.runtime.table, { now: clock.now, monotonic_ms, wait_ms: 1 })
    const { pending } = await hurried.Site.remove({ site: 'A' })
    expect(pending).toEqual([{ job: expect.any(String), kind: 'remove', entity: 'Site' }])
    const other = depotOf(table.runtime.table, { now: clock.now })
    expect(await other.jobs.resume()).toMatchObject({ done: 1, held: [] })
    expect(await flaws(table)).toEqual([])
  })
})

test('a removal that its design refuses is no pending job: it was taken back', async () => {
  await table.Task.create({ person: 'ada', title: 'stay' })
  expect((await refusal(table.Person.remove({ id: 'ada' }))).code).toBe('InUse')
  expect(await table.jobs.list()).toEqual([])
})

test('no step is named as the jobs are that are left', async () => {
  const error = await refusal(table.transact({ pending: removing(table.Site.entity, { site: 'A' }) }))
  expect(error).toMatchObject({ code: 'InvalidInput' })
})

describe('work that writes, and then meets a fault', () => {
  const fault = () => Promise.reject(new FreeholdError('Unavailable', 'DynamoDB did not answer.', { uncertain: false }))

  test('is uncertain: a part of it is there', async () => {
    const work = collected(table, async (collecting) => {
      await collecting.Site.create({ site: 'B', name: 'new' })
      await fault()
    })
    expect(await refusal(work)).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
  })

  test('is uncertain to all around it', async () => {
    const inner = (outer: Depot) => collected(outer, (collecting) => collecting.Site.create({ site: 'C', name: 'new' }))
    expect(await refusal(collected(table, (collecting) => inner(collecting).then(fault)))).toMatchObject({ details: { uncertain: true } })
  })

  test('is as certain as the fault is where it has written nothing', async () => {
    expect(await refusal(collected(table, fault))).toMatchObject({ details: { uncertain: false } })
  })

  test('is uncertain where a refusal ends it, which keeps its code', async () => {
    const work = collected(table, async (collecting) => {
      await collecting.Site.create({ site: 'D', name: 'new' })
      await collecting.Site.create({ site: 'D', name: 'again' })
    })
    const error = await refusal(work)
    expect(error).toMatchObject({ code: 'AlreadyExists', category: 'conflict', details: { uncertain: true } })
    expect(endOf(error).details.uncertain).toBeUndefined()
  })

  test('is certain where a removal was taken back, since its item is in use', async () => {
    await table.Task.create({ person: 'ada', title: 'stays' })
    const work = collected(table, (collecting) => collecting.Person.remove({ id: 'ada' }))
    const { code, details } = await refusal(work)
    expect([code, details.uncertain]).toEqual(['InUse', undefined])
  })
})

test('copies of copies keep to the bound, too', async () => {
  await table.Site.create({ site: 'B', name: 'of nobody' })
  await table.Room.create({ site: 'B', id: 'r1', name: 'hall' })
  await table.Sensor.create({ room: 'r1', id: 's1' })
  let at_ms = 0
  const monotonic_ms = () => {
    at_ms += 10
    return at_ms
  }
  const hurried = depotOf(table.runtime.table, { now: clock.now, monotonic_ms, wait_ms: 1 })
  const { pending = [] } = await hurried.Site.update({ site: 'B' }, { region: 'north' })
  expect(pending).toMatchObject([{ entity: 'Site' }, { entity: 'Room' }])
  expect((await table.jobs.list()).map(({ id }) => id)).toEqual(pending.map(({ job }) => job))
  expect(await depotOf(table.runtime.table, { now: clock.now }).jobs.resume()).toMatchObject({ done: 2, failed: [] })
  expect(await table.Sensor.get({ room: 'r1', id: 's1' })).toMatchObject({ place: 'north' })
})

test('copies of copies that another worker goes on with are told as pending, unless it ends in time', async () => {
  await table.Room.create({ site: 'A', id: 'r1', name: 'hall' })
  await table.Sensor.create({ room: 'r1', id: 's1' })
  for (const isEnded of [false, true]) {
    let isTaken = false
    const other = depotOf(table.runtime.table, { now: clock.now })
    const sender = new WatchedSender(async (operation) => {
      if (isTaken || operation === 'GetItem') return
      const [, copies] = await table.jobs.list()
      if (copies === undefined) return
      isTaken = true
      clock.forward(lease_ms + 1)
      await takeLease(table, copies.id)
    })
    let at_ms = 0
    const sleep = async (ms: number) => {
      at_ms += ms
      clock.forward(lease_ms + 1)
      if (isEnded) await other.jobs.resume()
    }
    const waiting = depotOf(table.runtime.table, { now: clock.now, sender, sleep, monotonic_ms: () => at_ms, wait_ms: 2_000 })
    const { pending } = await waiting.Site.update({ site: 'A' }, { region: isEnded ? 'south' : 'north' })
    expect(isTaken).toBe(true)
    expect(pending).toEqual(isEnded ? undefined : [{ job: expect.any(String), kind: 'follow', entity: 'Room' }])
    await other.jobs.resume()
  }
})

test('what a caller does with the progress that it is told changes nothing', async () => {
  const onProgress = () => {
    throw new Error('a fault of the caller')
  }
  const careless = depotOf(table.runtime.table, { now: clock.now, onProgress })
  expect(await careless.Site.update({ site: 'A' }, { name: 'new' })).not.toHaveProperty('pending')
  expect(await careless.Site.remove({ site: 'A' })).toEqual({})
  expect(await table.jobs.list()).toEqual([])
})
