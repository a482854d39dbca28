import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { BadgeShelf, Person, PersonRoom, PersonSite, Policy, Room, Sensor, Site, SitePerson, Task } from '../../test/depot/design.ts'
import { putRaw, rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { type Depot, ownDepot } from '../../test/depot/table.ts'
import type { Item } from '../design/entity.ts'
import { checking, creating, moving, removing, updating } from '../plan/step.ts'
import { meter } from './meter.ts'

let table: Depot
beforeAll(async () => {
  table = await ownDepot()
})

let count = 0
const own = (name: string) => `${name}-${++count}`
const person = (id: string) => table.Person.create({ id, email: `${id}@x.org` })
/** The code of each step that failed. */
async function failures(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await refusal(work)
  expect(error.code).toBe('TransactionFailed')
  return Object.fromEntries(Object.entries(error.details.failures ?? {}).map(([step, { code }]) => [step, code]))
}

test('all steps are written at once, and each gives its item back', async () => {
  const [old, gone] = [own('old'), own('gone')]
  await person(old)
  await table.Policy.create({ id: gone, name: gone })
  await table.Policy.create({ id: old, name: old })
  const handle = own('new')
  const { result, cost } = await meter(() =>
    table.transact({
      made: creating(Person, { handle, email: `${handle}@x.org` }),
      changed: updating(Person, { id: old }, { team: 'blue' }, { version: 1 }),
      taken: removing(Policy, { id: gone }),
      moved: moving(Policy, { id: old }, { owner: 'ada' }),
      held: checking(Person, { id: old }, { where: { rank: 'junior' } }),
    }),
  )
  expectTypeOf(result.made).toEqualTypeOf<Item<typeof Person> | undefined>()
  expectTypeOf(result.moved).toEqualTypeOf<Item<typeof Policy> | undefined>()
  expect(result).toMatchObject({ made: { handle, version: 1 }, changed: { team: 'blue', version: 2 }, moved: { owner: 'ada', version: 2 } })
  expect([result.taken, result.held]).toEqual([undefined, undefined])
  expect(cost).toMatchObject({ roundTrips: 2, requests: 2 })
  expect((await rawKeys(table)).filter((key) => key.includes(gone))).toEqual([])
})

test('ends, what they refer to and their edges are made together, in whatever order they are named', async () => {
  const [id, site, room] = [own('ada'), own('SITE'), own('room')]
  const { edge, sensor } = await table.transact({
    nested: creating(PersonRoom, { id, room }),
    edge: creating(PersonSite, { id, site }),
    sensor: creating(Sensor, { room }),
    room: creating(Room, { id: room, site, name: 'hall' }),
    site: creating(Site, { site, name: 'Site', region: 'north' }),
    person: creating(Person, { id, email: `${id}@x.org`, rank: 'senior' }),
  })
  expect([edge?.siteName, sensor?.place]).toEqual(['Site', 'north'])
  expect(await table.SitePerson.get({ id, site })).toMatchObject({ personRank: 'senior' })
  expect(await table.PersonRoom.get({ id, room })).toMatchObject({ roomName: 'hall', site })
})

describe('a transaction that fails', () => {
  test('names every step that failed, with its error, and writes nothing', async () => {
    const [here, busy, marked] = [own('here'), own('busy'), own('marked')]
    for (const id of [here, busy, marked]) await person(id)
    await table.Person.remove({ id: marked }, { wait: false })
    const before = await rawItems(table)
    expect(
      await failures(
        table.transact({
          fine: creating(Site, { site: own('SITE'), name: 'n' }),
          missing: updating(Person, { id: own('absent') }, { team: 'x' }),
          old: updating(Person, { id: here }, { team: 'x' }, { version: 7 }),
          going: removing(Person, { id: marked }),
        }),
      ),
    ).toEqual({ missing: 'NotFound', old: 'VersionConflict', going: 'BeingDeleted' })
    expect(
      await failures(
        table.transact({
          taken: creating(Person, { id: here, email: `${own('e')}@x.org` }),
          guarded: creating(Person, { id: own('p'), email: `${busy}@x.org` }),
          endless: creating(Task, { person: own('nobody'), title: 't' }),
          marked: creating(Task, { person: marked, title: 't' }),
          unlike: checking(Person, { id: busy }, { where: { rank: 'senior' } }),
          absent: checking(Site, { site: own('NONE') }),
        }),
      ),
    ).toEqual({
      taken: 'AlreadyExists',
      guarded: 'AlreadyExists',
      endless: 'MissingEnd',
      marked: 'MissingEnd',
      unlike: 'CheckFailed',
      absent: 'NotFound',
    })
    expect(await failures(table.transact({ wrong: creating(Site, { site: '' } as never), fine: removing(Person, { id: here }) }))).toEqual({
      wrong: 'InvalidInput',
    })
    expect(await rawItems(table)).toEqual(before)
    await table.jobs.resume()
  })

  test('says of a check what it asked for, also where another step writes the same item', async () => {
    const id = own('folded')
    await person(id)
    await table.Person.update({ id }, { team: 'blue' })
    const write = updating(Person, { id }, { size: 1 })
    expect(await failures(table.transact({ write, check: checking(Person, { id }, { version: 1 }) }))).toEqual({ check: 'VersionConflict' })
    expect(await failures(table.transact({ write, check: checking(Person, { id }, { where: { team: 'red' } }) }))).toEqual({
      check: 'CheckFailed',
    })
    expect(await failures(table.transact({ write, check: checking(Person, { id }, { where: { team: null } }) }))).toEqual({
      check: 'CheckFailed',
    })
    await table.transact({ write, check: checking(Person, { id }, { version: 2, where: { team: 'blue', city: null } }) })
    expect(await table.Person.get({ id })).toMatchObject({ size: 1, version: 3 })
  })
})

describe('a check', () => {
  test('of attributes that never change, and of absence, is possible', async () => {
    const id = own('policy')
    await table.Policy.create({ id, name: id })
    await table.transact({ check: checking(Policy, { id }, { where: { id, body: null } }) })
    expect(await failures(table.transact({ check: checking(Policy, { id }, { where: { body: 'b' } }) }))).toEqual({ check: 'CheckFailed' })
    expect(await codeOf(table.transact({ check: checking(Policy, { id }, { where: { colour: 'red' } as never }) }))).toBe(
      'TransactionFailed',
    )
  })

  test('of what the same transaction makes holds, or is refused before it is sent', async () => {
    const id = own('made')
    const made = creating(Person, { id, email: `${id}@x.org` })
    const { result: error, cost } = await meter(() =>
      refusal(table.transact({ made, check: checking(Person, { id }, { where: { rank: 'senior' } }) })),
    )
    expect([error.code, cost.requests]).toEqual(['InvalidInput', 0])
    await table.transact({ made, check: checking(Person, { id }, { where: { rank: 'junior' } }) })
  })

  test('of a mirror or an edge item is possible', async () => {
    const [id, site] = [own('ada'), own('SITE')]
    await person(id)
    await table.Site.create({ site, name: 'n' })
    await table.PersonSite.create({ id, site })
    await table.transact({ check: checking(SitePerson, { id, site }), entry: checking(table.PersonEntry.entity, { id }) })
  })
})

describe('steps on one item', () => {
  test('are refused, whatever they are', async () => {
    const id = own('one')
    await person(id)
    const error = await refusal(
      table.transact({ first: updating(Person, { id }, { team: 'a' }), second: updating(Person, { id }, { team: 'b' }) }),
    )
    expect(error).toMatchObject({ code: 'InvalidInput', details: { steps: ['first', 'second'] } })
    const twice = creating(Person, { id: own('a'), email: 'twice@x.org' })
    expect(await codeOf(table.transact({ first: twice, second: creating(Person, { id: own('b'), email: 'twice@x.org' }) }))).toBe(
      'InvalidInput',
    )
    expect(await table.Person.get({ id })).toMatchObject({ version: 1 })
  })

  test('may not need what another takes away', async () => {
    const id = own('leaving')
    await person(id)
    const task = creating(Task, { person: id, title: 't' })
    expect(await refusal(table.transact({ task, gone: removing(Person, { id }) }))).toMatchObject({
      code: 'InvalidInput',
      details: { steps: ['gone', 'task'] },
    })
    expect(await table.Person.get({ id })).toMatchObject({ version: 1 })
  })
})

test('an edge is made while its end is changed: the copy is the new value', async () => {
  const [id, site] = [own('ada'), own('SITE')]
  await person(id)
  await table.Site.create({ site, name: 'before' })
  await table.transact({ join: creating(PersonSite, { id, site }), rename: updating(Site, { site }, { name: 'after' }) })
  expect(await table.PersonSite.get({ id, site })).toMatchObject({ siteName: 'after' })
})

describe('the limit of a hundred actions', () => {
  const badges = (id: string, many: number) =>
    Object.fromEntries(Array.from({ length: many }, (_, n) => [`b${n}`, creating(BadgeShelf, { id, badge: `${id}-${n}`, shelf: 's' })]))

  test('takes a hundred, checks of one end folded into one', async () => {
    const id = own('badges')
    await person(id)
    // 49 edges of two items, one check of their end, one creation.
    await table.transact({ ...badges(id, 49), site: creating(Site, { site: own('SITE'), name: 'n' }) })
    expect((await rawKeys(table)).filter((key) => key.includes(`BADGE#${id}`))).toHaveLength(98)
  })

  test('refuses one more before anything is sent', async () => {
    const id = own('badges')
    await person(id)
    const { result: error, cost } = await meter(() =>
      refusal(
        table.transact({
          ...badges(id, 49),
          one: creating(Site, { site: own('S'), name: 'n' }),
          two: creating(Site, { site: own('S'), name: 'n' }),
        }),
      ),
    )
    expect([error.code, error.details.actions, cost.requests]).toEqual(['TooLarge', 101, 0])
  })
})

test('a removal that is refused while in use takes nothing else with it', async () => {
  const id = own('used')
  await person(id)
  await table.Task.create({ person: id, title: 't' })
  const site = own('SITE')
  const work = table.transact({ gone: removing(Person, { id }), made: creating(Site, { site, name: 'n' }) })
  expect(await failures(work)).toEqual({ gone: 'InUse' })
  expect(await rawItem(table, `SITE#${site}`, 'META')).toBeUndefined()
  expect(await table.Person.get({ id })).toMatchObject({ version: 1 })
})

test('nothing at all is a transaction, too', async () => {
  expect(await table.transact({})).toEqual({})
})

test('an item of another entity under the key of a step is not taken for its own', async () => {
  await putRaw(table, { PK: 'SITE#UFO', SK: 'META', Type: 'Ufo', site: 'UFO' })
  expect(await failures(table.transact({ gone: removing(Site, { site: 'UFO' }) }))).toEqual({ gone: 'NotFound' })
})
