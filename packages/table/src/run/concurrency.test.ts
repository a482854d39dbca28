import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { Person, PersonSite, Room, Site } from '../../test/depot/design.ts'
import { flaws } from '../../test/depot/flaws.ts'
import { rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { Clock, type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { isFreeholdError } from '../errors.ts'
import { creating, removing, updating } from '../plan/step.ts'
import { lease_ms } from './jobs/job.ts'

// Many parallel writers of a few items: afterwards the table is consistent, and every writer knows the outcome of its write.

/** Errors that tell a writer that another was faster. */
const lost = new Set(['AlreadyExists', 'NotFound', 'MissingEnd', 'BeingDeleted', 'VersionConflict', 'InUse', 'TransactionFailed'])

/** A job that another worker has taken over, and that is not done before patience ends: what was asked for is recorded, and will be. */
const isElsewhere = (error: unknown) => isFreeholdError(error, 'Busy') && error.details.job !== undefined

/** Does all at once. Gives what each answered: `done`, or the code of its refusal. */
async function atOnce(...work: Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(work)
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'done'
    if (isElsewhere(outcome.reason)) return 'Busy'
    if (!isFreeholdError(outcome.reason) || !lost.has(outcome.reason.code)) throw outcome.reason
    return outcome.reason.code
  })
}
const times = <T>(count: number, each: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => each(index))
const won = (codes: readonly string[]) => codes.filter((code) => code === 'done').length

describe('one item', () => {
  test('takes a hundred updates that name no version, and one of fifty that name the same', async () => {
    const table = await ownDepot({ patience_ms: 60_000 })
    await table.Site.create({ site: 'S', name: 'n' })
    await table.Person.create({ id: 'ada', email: 'ada@x.org' })
    const all = await Promise.all(times(100, (n) => table.Person.update({ id: 'ada' }, { size: n })))
    expect(all.map(({ version }) => version).sort((a, b) => a - b)).toEqual(times(100, (n) => n + 2))
    expect(await rawItem(table, 'PERSON#ada', 'META')).toMatchObject({ version: 101 })
    const named = await atOnce(...times(50, (n) => table.Person.update({ id: 'ada' }, { size: n }, { version: 101 })))
    expect(named.sort()).toEqual([...times(49, () => 'VersionConflict'), 'done'])
    expect(await rawItem(table, 'PERSON#ada', 'META')).toMatchObject({ version: 102 })
  })

  test('is removed by one of many, and by none that names another version', async () => {
    const table = await ownDepot()
    await table.Policy.create({ id: 'p', name: 'p' })
    const codes = await atOnce(...times(20, (n) => table.Policy.remove({ id: 'p' }, n % 2 === 0 ? { version: 1 } : {})))
    expect([won(codes), codes.filter((code) => code === 'NotFound').length]).toEqual([1, 19])
    expect(await rawItems(table)).toEqual([])
  })

  test('is created by one of many, and those who ensure it all get that one', async () => {
    const table = await ownDepot()
    await table.Site.create({ site: 'S', name: 'n' })
    await table.Person.create({ id: 'ada', email: 'ada@x.org' })
    const writers = times(30, (n) => depotOf(table.runtime.table, { now: () => new Date(Date.UTC(2026, 2, 1, 12, 0, n)) }))
    const ensured = await Promise.all(writers.map(({ PersonSite }) => PersonSite.ensure({ id: 'ada', site: 'S' })))
    expect(ensured.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(ensured.map(({ item }) => item.joinedAt)).size).toBe(1)
    expect(await rawItem(table, 'SITE#S', 'PERSON#ada')).toMatchObject({ joinedAt: ensured[0]?.item.joinedAt, version: 1 })
    expect(await flaws(table)).toEqual([])
  })
})

describe('a guarded value', () => {
  test('is never had by two, nor lost, while two exchange theirs', async () => {
    const table = await ownDepot()
    for (const id of ['ada', 'bob']) await table.Person.create({ id, email: `${id}@x.org`, handle: id })
    for (let round = 0; round < 10; round++) {
      await atOnce(
        table.Person.update({ id: 'ada' }, { handle: 'bob' }),
        table.Person.update({ id: 'bob' }, { handle: 'ada' }),
        table.Person.update({ id: 'ada' }, { handle: 'free' }),
        table.Person.update({ id: 'bob' }, { handle: null, email: 'ada@x.org' }),
        table.Person.update({ id: 'ada' }, { handle: 'ada', email: 'other@x.org' }),
      )
      expect(await flaws(table)).toEqual([])
    }
  })

  test('belongs to its owner, even if many writers assign it', async () => {
    const table = await ownDepot()
    await table.Person.create({ id: 'ada', email: 'ada@x.org' })
    for (const [round, handle] of ['one', 'two', 'three'].entries()) {
      const same = times(10, (n) => table.Person.update({ id: 'ada' }, { handle, size: n }))
      expect(await atOnce(...same)).toEqual(times(10, () => 'done'))
      expect(await rawItem(table, `PERSON#ada`, 'META')).toMatchObject({ handle, version: 1 + 10 * (round + 1) })
      expect(await flaws(table)).toEqual([])
    }
  })

  test('leaves nothing of those who did not get it', async () => {
    const table = await ownDepot()
    const codes = await atOnce(...times(60, (n) => table.Person.create({ id: `p${n}`, email: `p${n % 3}@x.org`, handle: 'one' })))
    expect(won(codes)).toBe(1)
    expect(await rawKeys(table)).toHaveLength(4)
    expect(await flaws(table)).toEqual([])
  })
})

describe('edges', () => {
  test.each(['Site', 'Person'] as const)('that are made while their %s goes are gone with it, or were refused', async (end) => {
    const table = await ownDepot()
    for (let round = 0; round < 8; round++) {
      await table.Site.create({ site: 'S', name: 'n' })
      await table.Person.create({ id: 'ada', email: 'ada@x.org' })
      await atOnce(
        table.PersonSite.create({ id: 'ada', site: 'S' }),
        ...times(3, (n) => table.Room.create({ id: `r${n}`, site: 'S', name: 'n' }).then(({ id }) => table.Sensor.create({ room: id }))),
        end === 'Site' ? table.Site.remove({ site: 'S' }) : table.Person.remove({ id: 'ada' }),
        ...times(3, (n) => table.PersonBadge.create({ id: 'ada', badge: `b${n}`, shelf: 's' })),
        table.PersonSite.ensure({ id: 'ada', site: 'S' }),
      )
      expect(await flaws(table)).toEqual([])
      await Promise.all([table.Site.remove({ site: 'S' }).catch(() => {}), table.Person.remove({ id: 'ada' }).catch(() => {})])
      expect(await rawItems(table)).toEqual([])
    }
  })

  test('whose other item moves with each of many updates end as the last of them says', async () => {
    const table = await ownDepot()
    await table.Person.create({ id: 'ada', email: 'ada@x.org' })
    await table.PersonBadge.create({ id: 'ada', badge: 'b', shelf: 's' })
    const codes = await atOnce(...times(12, (n) => table.PersonBadge.update({ id: 'ada', badge: 'b' }, { shelf: `s${n % 5}` })))
    expect(codes).toEqual(times(12, () => 'done'))
    expect(await rawItem(table, 'PERSON#ada', 'BADGE#b')).toMatchObject({ version: 13 })
    expect(await flaws(table)).toEqual([])
  })

  test('within another are joined and left while that is left, and never outlive it', async () => {
    const table = await ownDepot()
    await table.Site.create({ site: 'S', name: 'n' })
    await table.Person.create({ id: 'ada', email: 'ada@x.org' })
    const rooms = times(4, (n) => `r${n}`)
    for (const id of rooms) await table.Room.create({ id, site: 'S', name: id })
    for (let round = 0; round < 8; round++) {
      await table.PersonSite.ensure({ id: 'ada', site: 'S' })
      await atOnce(
        ...rooms.map((room) => table.PersonRoom.create({ id: 'ada', room })),
        table.PersonSite.remove({ id: 'ada', site: 'S' }),
        ...rooms.map((room) => table.RoomPerson.remove({ id: 'ada', room })),
        ...rooms.map((room) => table.PersonRoom.ensure({ id: 'ada', room })),
      )
      expect(await flaws(table)).toEqual([])
      expect(await table.PersonSite.get({ id: 'ada', site: 'S' })).toBeUndefined()
    }
  })
})

// Any mix of anything on two people, two sites and two rooms, by callers that wait and callers that do not.
const person = fc.constantFrom('ada', 'bob')
const site = fc.constantFrom('A', 'B')
const room = fc.constantFrom('r1', 'r2')
const value = fc.constantFrom('x', 'y', 'z')
const wait = fc.boolean()

type Write = readonly [text: string, work: (table: Depot) => Promise<unknown>]
const write: fc.Arbitrary<Write> = fc
  .record({ kind: fc.nat(21), id: person, site, room, value, wait })
  .map(({ kind, id, site, room, value, wait }): Write => {
    const how = { wait }
    const kinds: readonly ((table: Depot) => Promise<unknown>)[] = [
      ({ Person }) => Person.create({ id, email: `${value}@x.org`, handle: value }),
      ({ Person }) => Person.update({ id }, { handle: value }, how),
      ({ Person }) => Person.update({ id }, { email: `${value}@x.org`, handle: null, rank: 'senior' }, how),
      ({ Person }) => Person.remove({ id }, how),
      ({ Site }) => Site.create({ site, name: value, region: value }),
      ({ Site }) => Site.update({ site }, { name: value }, how),
      ({ Site }) => Site.update({ site }, { name: value, region: value === 'x' ? null : value }, how),
      ({ Site }) => Site.remove({ site }, how),
      ({ Room }) => Room.create({ id: room, site, name: value }),
      ({ Room }) => Room.update({ id: room, site }, { name: value }, how),
      ({ Room }) => Room.remove({ id: room, site }, how),
      ({ Sensor }) => Sensor.create({ id: value, room }),
      ({ PersonSite }) => PersonSite.create({ id, site }),
      ({ SitePerson }) => SitePerson.update({ id, site }, { remark: value }),
      ({ SitePerson }) => SitePerson.remove({ id, site }, how),
      ({ PersonRoom }) => PersonRoom.create({ id, room }),
      ({ RoomPerson }) => RoomPerson.remove({ id, room }),
      ({ PersonBadge }) => PersonBadge.create({ id, badge: value, shelf: value }),
      ({ PersonBadge }) => PersonBadge.update({ id, badge: value }, { shelf: room }),
      ({ Remark }) => Remark.create({ person: id, text: value }),
      ({ transact }) => transact({ a: updating(Site, { site }, { name: value }), b: creating(PersonSite, { id, site }) }, how),
      ({ transact }) => transact({ a: removing(Room, { site, id: room }), b: updating(Person, { id }, { rank: 'junior' }) }, how),
    ]
    const work = kinds[kind] ?? (() => Promise.resolve())
    return [`${String(work)} ${JSON.stringify({ id, site, room, value, wait })}`, work]
  })

test('any writes at once leave a whole table, when the jobs are done that were left to others', async () => {
  const batches = fc.array(fc.array(write, { minLength: 2, maxLength: 12 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const clock = new Clock()
      const table = await ownDepot({ now: clock.now })
      const other = depotOf(table.runtime.table, { now: clock.now })
      for (const id of ['ada', 'bob']) await table.Person.create({ id, email: `${id}@x.org`, handle: id })
      for (const site of ['A', 'B']) await table.Site.create({ site, name: site })
      for (const [index, site] of ['A', 'B'].entries()) await table.Room.create({ id: `r${index + 1}`, site, name: 'r' })
      for (const id of ['ada', 'bob']) {
        await table.PersonSite.create({ id, site: 'A' })
        await table.PersonRoom.create({ id, room: 'r1' })
      }
      for (const batch of all) await atOnce(...batch.map(([, work], index) => work(index % 2 === 0 ? table : other)))
      clock.forward(lease_ms)
      expect(await table.jobs.resume()).toMatchObject({ held: [], failed: [] })
      expect(await flaws(table)).toEqual([])
    }),
    { numRuns: deep(10) },
  )
  // It takes four seconds. A counterexample is made smaller before it is told, and that takes longer.
})
