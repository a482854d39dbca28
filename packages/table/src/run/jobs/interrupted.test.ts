import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { flaws } from '../../../test/depot/flaws.ts'
import { rawItems, rawKeys } from '../../../test/depot/raw.ts'
import { codeOf } from '../../../test/depot/refused.ts'
import { DyingSender, WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, directSender, ownDepot } from '../../../test/depot/table.ts'
import { isFreeholdError } from '../../errors.ts'
import { design, entity, mirror, text } from '../../language.ts'
import type { Stored } from '../../plan/stored.ts'
import { connect } from '../connect.ts'
import { ensureTable } from '../ensure-table.ts'
import type { Repository } from '../repository.ts'
import { restoreItems } from '../restore.ts'
import { lease_ms } from './job.ts'

// A worker may fall silent before any of its requests, for longer than its lease, and wake up when another has ended its job and all is
// made anew: what it still sends must change nothing. Or it may end, and so may the next, and the next.

const clock = new Clock()
const { now } = clock
const requestsTried_max = 80

async function organisation(table: Depot): Promise<void> {
  await table.Site.create({ site: 'A', name: 'old', region: 'north' })
  for (const id of ['ada', 'bob']) {
    await table.Person.create({ id, email: `${id}@x.org`, handle: id })
    await table.PersonSite.create({ id, site: 'A' })
  }
  for (const id of ['r1', 'r2']) {
    await table.Room.create({ id, site: 'A', name: id })
    await table.Sensor.create({ id: `${id}-s`, room: id })
    await table.PersonRoom.create({ id: 'ada', room: id })
  }
  await table.PersonBadge.create({ id: 'ada', badge: 'b', shelf: 's' })
  await table.Session.create({ id: 'session', person: 'ada', token: 'token', until: '2030-01-01T00:00:00Z' })
}

let seed: readonly Stored[]
beforeAll(async () => {
  const table = await ownDepot({ now })
  await organisation(table)
  seed = await rawItems(table)
  expect(await flaws(table)).toEqual([])
})

async function seeded(): Promise<Depot> {
  const table = await ownDepot({ now })
  await restoreItems(table.runtime, seed)
  return table
}

type Work = (table: Depot) => Promise<unknown>

/** Makes again what is not there; from then on nothing is under way. */
async function makeAnew(table: Depot): Promise<void> {
  for (const id of ['ada', 'bob']) await table.Person.ensure({ id, email: `${id}@x.org`, handle: id })
  await table.Site.ensure({ site: 'A', name: 'anew' })
  for (const id of ['ada', 'bob']) await table.PersonSite.ensure({ id, site: 'A' })
  for (const id of ['r1', 'r2']) {
    await table.Room.ensure({ id, site: 'A', name: 'anew' })
    await table.Sensor.ensure({ id: `${id}-s`, room: id })
    await table.PersonRoom.ensure({ id: 'ada', room: id })
  }
  await table.PersonBadge.ensure({ id: 'ada', badge: 'b', shelf: 's' })
}

/**
 * Lets a worker fall silent before each of its requests in turn, until there is no such request. `whole`: with all that it has under way;
 * else the one request is held up, and what is done side by side with it goes on. `isClockStopped`: its clock stands still, so that it does
 * not know.
 */
async function silentEverywhere(work: Work, { whole = false, isClockStopped = false } = {}): Promise<number> {
  for (let silent = 0; silent < requestsTried_max; silent++) {
    const table = await seeded()
    let before: readonly Stored[] | undefined
    let silence: Promise<void> | undefined
    const sender = new WatchedSender(async (_operation, index) => {
      if (index === silent) silence = beSilent()
      if (whole || index === silent) await silence
    })
    const beSilent = async () => {
      if ((await table.jobs.list()).length === 0) return
      clock.forward(lease_ms + 1)
      expect(await table.jobs.resume()).toMatchObject({ done: expect.any(Number), held: [], failed: [] })
      await makeAnew(table)
      await table.Site.update({ site: 'A' }, { name: 'later', region: 'west' })
      await table.Person.update({ id: 'ada' }, { rank: 'junior', handle: 'later' })
      before = await rawItems(table)
      expect(await flaws(table)).toEqual([])
    }
    const begun = now()
    await work(depotOf(table.runtime.table, { now: isClockStopped ? () => begun : now, sender, patience_ms: 1e9 })).catch(
      (error: unknown) => {
        // Of a removal that another worker has ended it may only be told that nobody knows how.
        if (isFreeholdError(error) && error.details.uncertain === true) return
        throw new Error(`silent before request ${silent}`, { cause: error })
      },
    )
    if (before !== undefined) expect({ silent, items: await rawItems(table) }).toEqual({ silent, items: before })
    expect({ silent, flaws: await flaws(table) }).toEqual({ silent, flaws: [] })
    if (sender.sent.length <= silent) return silent
  }
  throw new Error(`the work is not done after ${requestsTried_max} requests`)
}

describe('a worker that falls silent before any of its requests, and wakes up when all is made anew, changes nothing', () => {
  test.each<[string, Work]>([
    ['removing a site', ({ Site }) => Site.remove({ site: 'A' })],
    ['removing a room', ({ Room }) => Room.remove({ site: 'A', id: 'r1' })],
    ['removing a person', ({ Person }) => Person.remove({ id: 'ada' })],
    ['leaving a site', ({ PersonSite }) => PersonSite.remove({ id: 'ada', site: 'A' })],
    ['renaming a site', ({ Site }) => Site.update({ site: 'A' }, { name: 'new', region: 'south' })],
    ['renaming a person', ({ Person }) => Person.update({ id: 'ada' }, { handle: 'new', rank: 'senior' })],
  ])('%s', async (_name, work) => {
    expect(await silentEverywhere(work)).toBeGreaterThan(4)
  })

  test.each([{ whole: true }, { isClockStopped: true }, { whole: true, isClockStopped: true }])('removing a site: %o', async (how) => {
    expect(await silentEverywhere(({ Site }) => Site.remove({ site: 'A' }), how)).toBeGreaterThan(4)
  })
})

test('nor does it where a cascade finds what goes by its mirrors', async () => {
  const Shelf = entity('Shelf', { attributes: { shelf: text() }, key: ['SHELF#{shelf}', 'META'] })
  const Book = entity('Book', {
    attributes: { id: text(), shelf: text() },
    key: ['BOOK#{id}', 'META'],
    refers: { shelf: Shelf },
  })
  const BookOfShelf = mirror('BookOfShelf', Book, ['SHELF#{shelf}', 'BOOK#{id}'])
  const library = design({ name: 'library', table: 'library', entities: { Shelf, Book, BookOfShelf }, patterns: {} })
  const make = async (shelves: Repository<typeof Shelf>, books: Repository<typeof Book>) => {
    await shelves.create({ shelf: 's' })
    for (const id of ['one', 'two']) await books.create({ id, shelf: 's' })
  }
  let slept = 0
  for (let silent = 0; silent < requestsTried_max; silent++) {
    const name = `library-${randomUUID()}`
    const table = connect(library, { table: name, sender: directSender(), now })
    await ensureTable(table.runtime)
    await make(table.Shelf, table.Book)
    const expected = await rawItems(table)
    let isGone = false
    let isAnew = false
    // Between one request and the next all is removed, and before the one after that all is made anew: what was read in between is not
    // there.
    const sender = new WatchedSender(async (_operation, index) => {
      if (index === silent && (await table.jobs.list()).length > 0) {
        clock.forward(lease_ms + 1)
        await table.jobs.resume()
        isGone = true
      } else if (index > silent && isGone && !isAnew) {
        await make(table.Shelf, table.Book)
        isAnew = true
        slept++
      }
    })
    await connect(library, { table: name, sender, now, patience_ms: 1e9 }).Shelf.remove({ shelf: 's' })
    expect({ silent, items: await rawItems(table) }).toEqual({ silent, items: isAnew ? expected : [] })
    if (sender.sent.length <= silent) break
  }
  expect(slept).toBeGreaterThan(4)
})

/** Operations that a marked item refuses, each with its error. */
function forbidden(table: Depot, { Type, ...item }: Stored): [string, () => Promise<unknown>][] {
  const [id, site, room] = [item.id, item.site, item.room].map(String)
  const missing = (work: () => Promise<unknown>): [string, () => Promise<unknown>] => ['MissingEnd', work]
  const going = (work: () => Promise<unknown>): [string, () => Promise<unknown>] => ['BeingDeleted', work]
  const taken = (work: () => Promise<unknown>): [string, () => Promise<unknown>] => ['AlreadyExists', work]
  if (id === undefined || site === undefined || room === undefined) return []
  switch (Type) {
    case 'Site':
      return [
        missing(() => table.Room.create({ site, name: 'late' })),
        missing(() => table.PersonSite.create({ id: 'eve', site })),
        going(() => table.Site.update({ site }, { name: 'late' })),
        going(() => table.Site.remove({ site })),
        taken(() => table.Site.create({ site, name: 'late' })),
        taken(() => table.Site.ensure({ site, name: 'late' })),
      ]
    case 'Room':
      return [
        missing(() => table.Sensor.create({ room: id })),
        missing(() => table.PersonRoom.create({ id: 'eve', room: id })),
        going(() => table.Room.update({ site, id }, { name: 'late' })),
        going(() => table.Room.move({ site, id }, { site: 'B' })),
        taken(() => table.Room.create({ site: 'B', id, name: 'late' })),
      ]
    case 'Person':
      return [
        missing(() => table.PersonSite.create({ id, site: 'B' })),
        missing(() => table.PersonBadge.create({ id, badge: 'late', shelf: 'late' })),
        missing(() => table.Task.create({ person: id, title: 'late' })),
        missing(() => table.Remark.create({ person: id, text: 'late' })),
        missing(() => table.Session.create({ person: id, until: '2030-01-01T00:00:00Z' })),
        going(() => table.Person.update({ id }, { city: 'late' })),
        taken(() => table.Person.create({ id, email: 'late@x.org' })),
        taken(() => table.Person.create({ email: `${id}@x.org` })),
      ]
    case 'PersonSite':
      return [
        missing(() => table.PersonRoom.create({ id, room: 'r3' })),
        going(() => table.SitePerson.update({ id, site }, { remark: 'late' })),
        // If its site is removed, too, that error comes first.
        ['AlreadyExists or MissingEnd', () => table.PersonSite.create({ id, site })],
        ['AlreadyExists or MissingEnd', () => table.SitePerson.ensure({ id, site })],
      ]
    default:
      return []
  }
}

/** Tries everything that a mark forbids: each is refused as it should be, and nothing is written. */
async function tryForbidden(table: Depot): Promise<number> {
  const before = await rawItems(table)
  const attempts = before.filter(({ deleting }) => deleting !== undefined).flatMap((item) => forbidden(table, item))
  for (const [codes, work] of attempts)
    expect({ work, codes: codes.split(' or ') }).toEqual({ work, codes: expect.arrayContaining([await codeOf(work())]) })
  if (attempts.length > 0) expect(await rawItems(table)).toEqual(before)
  return attempts.length
}

/**
 * A worker, and those who take its job over one after another, each live for so many writes. Gives how often a forbidden thing was tried.
 */
async function dyingInTurn(work: Work, writes: number): Promise<number> {
  const table = await seeded()
  await table.Person.create({ id: 'eve', email: 'eve@x.org' })
  await table.Site.create({ site: 'B', name: 'other' })
  await table.PersonSite.create({ id: 'eve', site: 'A' })
  await table.Room.create({ site: 'A', id: 'r3', name: 'r3' })
  let tried = 0
  let doing: Work = work
  for (let workers = 0; workers < requestsTried_max; workers++) {
    const sender = new DyingSender(writes)
    await doing(depotOf(table.runtime.table, { now, sender })).catch((error: unknown) => {
      if (!sender.isDead) throw error
    })
    tried += await tryForbidden(table)
    const held = await table.jobs.list()
    // Nobody takes over what is not left alone.
    if (held.every(({ leaseUntil }) => leaseUntil > now().toISOString()))
      expect(await table.jobs.resume()).toEqual({ done: 0, held, failed: [] })
    if (held.length === 0) {
      expect(await flaws(table)).toEqual([])
      return tried
    }
    clock.forward(lease_ms)
    doing = ({ jobs }) => jobs.resume()
  }
  throw new Error(`the work is not done by ${requestsTried_max} workers`)
}

describe('workers that end one after another get it done, and what is marked meanwhile is not to be had', () => {
  describe.each<[string, Work, string[]]>([
    ['removing a site', ({ Site }) => Site.remove({ site: 'A' }), ['SITE#A', 'r1', 'r2', 'r3']],
    ['removing a person', ({ Person }) => Person.remove({ id: 'ada' }), ['ada']],
    ['leaving a site', ({ PersonSite }) => PersonSite.remove({ id: 'ada', site: 'A' }), ['PERSON#ada / SITE#A', 'PERSON#ada / ROOM#r1']],
  ])('%s', (_name, work, gone) => {
    // Taking a job over is a write: who lives for one write gets nothing done.
    test.each([2, 3, 4, 5])('living for %i writes each', async (writes) => {
      const tried = await dyingInTurn(work, writes)
      if (writes === 2) expect(tried).toBeGreaterThan(0)
    })

    test('leaves nothing of it', async () => {
      const table = await seeded()
      await work(table)
      const keys = await rawKeys(table)
      for (const text of gone) expect(keys.filter((key) => key.includes(text))).toEqual([])
    })
  })

  test.each([2, 3, 4, 5])('renaming what is copied twice over, living for %i writes each', async (writes) => {
    await dyingInTurn(({ Site }) => Site.update({ site: 'A' }, { name: 'new', region: 'south' }), writes)
  })
})
