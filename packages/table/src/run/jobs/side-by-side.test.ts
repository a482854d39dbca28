import { beforeAll, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { flaws } from '../../../test/depot/flaws.ts'
import { rawItems } from '../../../test/depot/raw.ts'
import { ConflictingSender, WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, directSender, ownDepot } from '../../../test/depot/table.ts'
import type { Sender } from '../../dynamo/sender.ts'
import { meter } from '../meter.ts'
import { lease_ms } from './job.ts'

// The cost of a cascade is counted in requests, which are exact. A site is removed with its people's memberships, its rooms, and their
// dependants.

const clock = new Clock()
const { now } = clock
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now })
})

let count = 0
/** A site with so many rooms, each with a sensor, and so many people, who are in a room each. */
async function siteOf(rooms: number, people: number): Promise<string> {
  const site = `S${++count}`
  await table.Site.create({ site, name: 'n', region: 'north' })
  await table.Room.createMany(Array.from({ length: rooms }, (_, n) => ({ site, id: `${site}-r${n}`, name: `${n}` })))
  await table.Sensor.createMany(Array.from({ length: rooms }, (_, n) => ({ room: `${site}-r${n}`, id: `${site}-s${n}` })))
  const ids = Array.from({ length: people }, (_, n) => `${site}-p${n}`)
  await table.Person.createMany(ids.map((id) => ({ id, email: `${id}@x.org` })))
  await table.PersonSite.createMany(ids.map((id) => ({ id, site })))
  if (rooms > 0) await table.PersonRoom.createMany(ids.map((id, n) => ({ id, room: `${site}-r${n % rooms}` })))
  return site
}

const left = async (site: string) => (await rawItems(table)).filter((item) => JSON.stringify(item).includes(`"SITE#${site}"`))

describe('a cascade', () => {
  // The site is read and marked; the job reads it, what hangs on it, and that it is marked still; it ends with the site. Each room is an
  // item and its mirror, so that 20 are a transaction: one marks them, one deletes them. What hangs on a room lies in one partition.
  test.each([
    [0, { requests: 5, roundTrips: 5 }],
    [1, { requests: 9, roundTrips: 9 }],
    [20, { requests: 28, roundTrips: 9 }],
    [21, { requests: 31, roundTrips: 9 }],
    [400, { requests: 446, roundTrips: 9 }],
  ])('over %i rooms takes one query each and two transactions for 20, and as many round trips as over one', async (rooms, expected) => {
    const site = `E${++count}`
    await table.Site.create({ site, name: 'n' })
    await table.Room.createMany(Array.from({ length: rooms }, (_, n) => ({ site, id: `${site}-r${n}`, name: `${n}` })))
    const { cost } = await meter(() => table.Site.remove({ site }))
    expect({ requests: cost.requests, roundTrips: cost.roundTrips }).toEqual(expected)
    expect(await left(site)).toEqual([])
  })

  test('counts every item that it removes', async () => {
    const site = await siteOf(60, 30)
    const told: number[] = []
    await depotOf(table.runtime.table, { now, onProgress: ({ done }) => told.push(done) }).Site.remove({ site })
    // Rooms, sensors, memberships of the site and of rooms, and the site.
    expect(told.at(-1)).toBe(60 + 60 + 30 + 30 + 1)
    expect(told).toEqual([...told].sort((one, other) => one - other))
  })

  test('has no more requests under way than it may', async () => {
    const site = await siteOf(120, 40)
    let [atOnce, most] = [0, 0]
    const sender: Sender = {
      send: async (operation, input) => {
        most = Math.max(most, ++atOnce)
        try {
          return await directSender().send(operation, input)
        } finally {
          atOnce--
        }
      },
      close: () => {},
    }
    await depotOf(table.runtime.table, { now, sender, jobRequests_max: 5 }).Site.remove({ site })
    expect(most).toBe(5)
    expect(await left(site)).toEqual([])
  })

  test('keeps to the bytes that a transaction may have: what is deleted counts there', async () => {
    const site = await siteOf(0, 0)
    const remark = 'r'.repeat(100_000)
    const ids = Array.from({ length: 50 }, (_, n) => `${site}-p${n}`)
    await table.Person.createMany(ids.map((id) => ({ id, email: `${id}@x.org` })))
    await table.PersonSite.createMany(ids.map((id) => ({ id, site, remark })))
    const actions: number[] = []
    const sender = senderAfter((_, input) => {
      if ('TransactItems' in input) actions.push(input.TransactItems.length)
    })
    await depotOf(table.runtime.table, { now, sender }).Site.remove({ site })
    expect(await left(site)).toEqual([])
    expect(Math.max(...actions) * remark.length).toBeLessThan(4 * 1024 * 1024)
  })

  test('keeps what stands in one transaction apart from what stands in another: conflicts as at AWS are few, and it ends whole', async () => {
    const site = await siteOf(200, 150)
    const sender = new ConflictingSender()
    await depotOf(table.runtime.table, { now, sender }).Site.remove({ site })
    expect(await left(site)).toEqual([])
    expect(await flaws(table)).toEqual([])
    expect(sender.underWay.most).toBe(2)
    expect(sender.underWay.conflicts).toBeLessThanOrEqual(sender.transactions / 20)
  })

  test('of two workers at once meets conflicts as at AWS, and ends whole', async () => {
    const site = await siteOf(40, 40)
    await table.Site.remove({ site }, { wait: false })
    const sender = new ConflictingSender()
    const [first, second] = [0, 1].map(() => depotOf(table.runtime.table, { now, sender }))
    const taking = first?.jobs.resume()
    clock.forward(lease_ms + 1)
    await Promise.all([taking, second?.jobs.resume()])
    clock.forward(lease_ms + 1)
    await table.jobs.resume()
    expect(await left(site)).toEqual([])
    expect(await flaws(table)).toEqual([])
    expect(await table.jobs.list()).toEqual([])
  })

  test('is not held up by what changes meanwhile: that goes as it is then', async () => {
    const site = await siteOf(40, 20)
    let renamed = 0
    const sender = new WatchedSender(async (operation) => {
      if (operation !== 'TransactWriteItems' || renamed >= 10) return
      const id = `${site}-p${renamed++}`
      await table.Person.update({ id }, { rank: 'senior' })
    })
    await depotOf(table.runtime.table, { now, sender }).Site.remove({ site })
    expect(renamed).toBe(10)
    expect(await left(site)).toEqual([])
    expect(await flaws(table)).toEqual([])
  })
})
