import { beforeEach, expect, test } from 'vitest'
import { flaws } from '../../../test/depot/flaws.ts'
import { takeLease } from '../../../test/depot/raw.ts'
import { WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, noWait, ownDepot } from '../../../test/depot/table.ts'
import { lease_ms } from './job.ts'

// A caller waits for a removal. Its worker falls silent for longer than the lease, and another takes the job over.

let clock: Clock
let other: Depot
beforeEach(async () => {
  clock = new Clock()
  other = await ownDepot({ now: clock.now })
  await other.Site.create({ site: 'A', name: 'A' })
  for (let number = 0; number < 120; number++) {
    const id = `p${number}`
    await other.Person.create({ id, email: `${id}@x.org`, handle: id })
    await other.PersonSite.create({ id, site: 'A' })
  }
})

/** Another worker takes the lease when the waiting one sends its second transaction, and does no more than that. */
function overtaken(sleep: () => Promise<void>): Depot {
  let transactions = 0
  let silence: Promise<void> | undefined
  const sender = new WatchedSender(async (operation) => {
    if (operation === 'TransactWriteItems' && ++transactions === 2) silence = take()
    // A worker that is silent sends nothing, however much it has under way.
    await silence
  })
  const take = async () => {
    clock.forward(lease_ms + 1)
    const [job] = await other.jobs.list()
    await takeLease(other, String(job?.id))
  }
  return depotOf(other.runtime.table, { now: clock.now, sender, sleep })
}

test('the removal returns when the other has ended it, and not before', async () => {
  let looks = 0
  const waiting = overtaken(async () => {
    if (++looks < 3) return
    clock.forward(lease_ms + 1)
    await other.jobs.resume()
  })
  await waiting.Site.remove({ site: 'A' })
  expect(looks).toBe(3)
  expect(await other.jobs.list()).toEqual([])
  expect(await other.Site.get({ site: 'A' }, { consistent: true })).toBeUndefined()
})

test('where the other does not end it, the caller is told that it is pending', async () => {
  const waiting = overtaken(noWait)
  const { pending } = await waiting.Site.remove({ site: 'A' })
  const [job] = await other.jobs.list()
  expect(pending).toEqual([{ job: job?.id, kind: 'remove', entity: 'Site' }])
  expect(await other.Site.get({ site: 'A' }, { consistent: true })).toMatchObject({ deleting: expect.any(String) })
})

test('an item that the removal of another takes along is removed at once: nobody else would end its own job', async () => {
  let looks = 0
  let transactions = 0
  const sender = new WatchedSender(async (operation) => {
    // The first transaction marks the edge. Before the second the site is removed, with the edge.
    if (operation === 'TransactWriteItems' && ++transactions === 2) await other.Site.remove({ site: 'A' })
  })
  const sleep = async () => {
    looks++
  }
  const { pending } = await depotOf(other.runtime.table, { now: clock.now, sender, sleep }).PersonSite.remove({ id: 'p7', site: 'A' })
  expect([pending, looks]).toEqual([undefined, 0])
  expect(await other.jobs.list()).toEqual([])
  expect(await flaws(other)).toEqual([])
})
