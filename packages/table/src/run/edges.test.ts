import { beforeAll, describe, expect, test } from 'vitest'
import { Person, PersonRoom, PersonSite } from '../../test/depot/design.ts'
import { deleteRaw, putRaw, rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { WatchedSender } from '../../test/depot/senders.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { creating, removing } from '../plan/step.ts'

let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now: () => new Date('2026-03-01T12:00:00Z') })
})

let count = 0
/** A person, a site and a room of a test's own. */
async function ends() {
  const [id, site, room] = [`p${++count}`, `S${count}`, `r${count}`]
  await table.Person.create({ id, email: `${id}@x.org`, rank: 'senior' })
  await table.Site.create({ site, name: `site ${count}` })
  await table.Room.create({ site, id: room, name: `room ${count}` })
  return { id, site, room }
}
const edgeKeys = async ({ id }: { id: string }) =>
  (await rawKeys(table)).filter((key) => key.includes(`PERSON#${id}`) && !/META|DIRECTORY/.test(key))

describe('creating an edge', () => {
  test('writes both items, each with its copies', async () => {
    const { id, site } = await ends()
    const joinedAt = '2026-03-01T12:00:00.000Z'
    expect(await table.SitePerson.create({ id, site, remark: 'keys' })).toEqual({
      Type: 'SitePerson',
      version: 1,
      id,
      site,
      joinedAt,
      remark: 'keys',
      personRank: 'senior',
    })
    const common = { id, site, joinedAt, remark: 'keys', version: 1 }
    expect(await rawItem(table, `PERSON#${id}`, `SITE#${site}`)).toEqual({
      PK: `PERSON#${id}`,
      SK: `SITE#${site}`,
      Type: 'PersonSite',
      ...common,
      siteName: `site ${count}`,
    })
    expect(await rawItem(table, `SITE#${site}`, `PERSON#${id}`)).toEqual({
      PK: `SITE#${site}`,
      SK: `PERSON#${id}`,
      Type: 'SitePerson',
      ...common,
      personRank: 'senior',
    })
  })

  test('from either side is the same edge: the second is refused', async () => {
    const { id, site } = await ends()
    await table.PersonSite.create({ id, site })
    const before = await rawItems(table)
    expect(await codeOf(table.PersonSite.create({ id, site }))).toBe('AlreadyExists')
    expect(await codeOf(table.SitePerson.create({ id, site }))).toBe('AlreadyExists')
    expect(await rawItems(table)).toEqual(before)
  })

  test.each(['person', 'site'])('without its %s is refused, and names it', async (missing) => {
    const { id, site } = await ends()
    const input = missing === 'person' ? { id: 'nobody', site } : { id, site: 'NOWHERE' }
    const error = await refusal(table.PersonSite.create(input))
    expect(error).toMatchObject({ code: 'MissingEnd', details: { guard: missing === 'person' ? 'Person' : 'Site' } })
  })

  test.each(['person', 'site'])('while its %s is being deleted is refused', async (going) => {
    const { id, site } = await ends()
    await (going === 'person' ? table.Person.remove({ id }, { wait: false }) : table.Site.remove({ site }, { wait: false }))
    expect(await codeOf(table.PersonSite.create({ id, site }))).toBe('MissingEnd')
    // Also where no copy is read of it: the check itself refuses.
    expect(
      await codeOf(table.PersonBadge.create({ id, badge: `b-${id}`, shelf: 's' }).then(() => table.Room.create({ site, name: 'n' }))),
    ).toBe('MissingEnd')
    await table.jobs.resume()
  })

  test('marked between the read and the write is refused', async () => {
    const { id, site } = await ends()
    const sender = new WatchedSender(async (operation) => {
      if (operation === 'TransactWriteItems') await table.Site.remove({ site }, { wait: false })
    })
    expect(await codeOf(depotOf(table.runtime.table, { sender }).PersonSite.create({ id, site }))).toBe('MissingEnd')
    expect(await edgeKeys({ id })).toEqual([])
    await table.jobs.resume()
  })

  test('copies what is there when it is written: a change between the read and the write is read again', async () => {
    const { id, site } = await ends()
    let races = 2
    const sender = new WatchedSender(async (operation) => {
      if (operation === 'TransactWriteItems' && races-- > 0) await table.Site.update({ site }, { name: `renamed ${races}` })
    })
    expect(await depotOf(table.runtime.table, { sender, sleep: async () => {} }).PersonSite.create({ id, site })).toMatchObject({
      siteName: 'renamed 0',
    })
    expect(sender.sent.filter((operation) => operation === 'TransactWriteItems')).toHaveLength(3)
  })

  test('within another edge needs that', async () => {
    const { id, site, room } = await ends()
    expect(await refusal(table.PersonRoom.create({ id, room }))).toMatchObject({ code: 'MissingEnd', details: { guard: 'PersonSite' } })
    await table.PersonSite.create({ id, site })
    await table.PersonRoom.create({ id, room })
    expect(await edgeKeys({ id })).toEqual([
      `PERSON#${id} / ROOM#${room}`,
      `PERSON#${id} / SITE#${site}`,
      `ROOM#${room} / PERSON#${id}`,
      `SITE#${site} / PERSON#${id}`,
    ])
  })

  test('within an edge that is made in the same transaction, and not within one that goes in it', async () => {
    const { id, site, room } = await ends()
    await table.transact({ room: creating(PersonRoom, { id, room }), site: creating(PersonSite, { id, site }) })
    await table.PersonRoom.remove({ id, room })
    expect(await codeOf(table.transact({ room: creating(PersonRoom, { id, room }), site: removing(PersonSite, { id, site }) }))).toBe(
      'InvalidInput',
    )
    expect(await codeOf(table.transact({ room: creating(PersonRoom, { id, room }), person: removing(Person, { id }) }))).toBe(
      'InvalidInput',
    )
  })
})

describe('updating an edge', () => {
  test.each(['PersonSite', 'SitePerson'] as const)('through %s changes both items, each of which counts its writes', async (side) => {
    const { id, site } = await ends()
    await table.PersonSite.create({ id, site })
    await table.Person.update({ id }, { rank: 'junior' })
    expect(await table[side].update({ id, site }, { remark: 'new' })).toMatchObject({ remark: 'new' })
    expect(await table.PersonSite.get({ id, site })).toMatchObject({ remark: 'new', version: 2, siteName: `site ${count}` })
    expect(await table.SitePerson.get({ id, site })).toMatchObject({ remark: 'new', version: 3, personRank: 'junior' })
    await table[side].update({ id, site }, { remark: null })
    for (const item of await table.PersonSite.getMany([{ id, site }])) expect(item).not.toHaveProperty('remark')
    expect(await rawItem(table, `SITE#${site}`, `PERSON#${id}`)).not.toHaveProperty('remark')
  })

  test('moves the other item where an attribute of its key changes, with its copies', async () => {
    const { id } = await ends()
    const badge = `b-${id}`
    await table.PersonBadge.create({ id, badge, shelf: 'one' })
    await table.PersonBadge.update({ id, badge }, { shelf: 'two' })
    expect((await rawItems(table)).filter((item) => item.badge === badge).map(({ PK, version }) => [PK, version])).toEqual([
      [`PERSON#${id}`, 2],
      ['SHELF#two', 2],
    ])
    expect(await codeOf(table.BadgeShelf.update({ shelf: 'two', badge }, { shelf: 'three' }))).toBe('InvalidInput')
    await table.BadgeShelf.remove({ shelf: 'two', badge })
    expect((await rawKeys(table)).filter((key) => key.includes(badge))).toEqual([])
  })

  test('never changes its ends', async () => {
    const { id } = await ends()
    const other = await ends()
    const badge = `b-${id}`
    await table.BadgeShelf.create({ id, badge, shelf: 's' })
    expect((await refusal(table.BadgeShelf.update({ shelf: 's', badge }, { id: other.id }))).message).toContain('id is an end of the edge')
    expect(await codeOf(table.PersonBadge.move({ id, badge }, { shelf: 't' }))).toBe('InvalidInput')
    expect(await rawItem(table, `PERSON#${id}`, `BADGE#${badge}`)).toMatchObject({ version: 1 })
  })

  test('of which one item is missing is refused, and changes nothing', async () => {
    const { id, site } = await ends()
    await table.PersonSite.create({ id, site })
    await deleteRaw(table, `SITE#${site}`, `PERSON#${id}`)
    expect(await codeOf(table.PersonSite.update({ id, site }, { remark: 'x' }))).toBe('MalformedItem')
    expect(await codeOf(table.SitePerson.update({ id, site }, { remark: 'x' }))).toBe('NotFound')
    expect(await table.PersonSite.get({ id, site })).toMatchObject({ version: 1 })
    const badge = `b-${id}`
    await table.PersonBadge.create({ id, badge, shelf: 'one' })
    await deleteRaw(table, 'SHELF#one', `BADGE#${badge}`)
    expect(await codeOf(table.PersonBadge.update({ id, badge }, { shelf: 'two' }))).toBe('MalformedItem')
  })

  test('whose other item changes meanwhile keeps what changed', async () => {
    const { id } = await ends()
    const badge = `b-${id}`
    await table.PersonBadge.create({ id, badge, shelf: 'one' })
    let races = 1
    const sender = new WatchedSender(async (operation) => {
      if (operation !== 'TransactWriteItems' || races-- <= 0) return
      await putRaw(table, { ...(await rawItem(table, 'SHELF#one', `BADGE#${badge}`)), version: 9, foreign: 'new' })
    })
    await depotOf(table.runtime.table, { sender }).PersonBadge.update({ id, badge }, { shelf: 'two' })
    expect(await rawItem(table, 'SHELF#two', `BADGE#${badge}`)).toMatchObject({ version: 10, foreign: 'new' })
  })
})

describe('removing an edge', () => {
  test.each(['PersonRoom', 'RoomPerson'] as const)('through %s takes both items', async (side) => {
    const { id, site, room } = await ends()
    await table.PersonSite.create({ id, site })
    await table.PersonRoom.create({ id, room })
    expect(await codeOf(table[side].remove({ id, room }, { version: 2 }))).toBe('VersionConflict')
    await table[side].remove({ id, room }, { version: 1 })
    expect(await edgeKeys({ id })).toEqual([`PERSON#${id} / SITE#${site}`, `SITE#${site} / PERSON#${id}`])
    expect(await codeOf(table[side].remove({ id, room }))).toBe('NotFound')
  })

  test.each(['PersonSite', 'SitePerson'] as const)('through %s takes what lies within it, and nothing else', async (side) => {
    const { id, site, room } = await ends()
    const other = await ends()
    for (const place of [site, other.site]) await table.PersonSite.create({ id, site: place })
    for (const place of [room, other.room]) await table.PersonRoom.create({ id, room: place })
    await table[side].remove({ id, site })
    expect(await edgeKeys({ id })).toEqual([
      `PERSON#${id} / ROOM#${other.room}`,
      `PERSON#${id} / SITE#${other.site}`,
      `ROOM#${other.room} / PERSON#${id}`,
      `SITE#${other.site} / PERSON#${id}`,
    ])
    expect(await table.jobs.list()).toEqual([])
  })

  test.each([
    ['PersonSite', 'SitePerson'],
    ['SitePerson', 'PersonSite'],
  ] as const)('through %s needs no other item: what damage has left of an edge goes', async (side, lost) => {
    const { id, site, room } = await ends()
    await table.PersonSite.create({ id, site })
    await table.PersonRoom.create({ id, room })
    await deleteRaw(
      table,
      ...((lost === 'SitePerson' ? [`SITE#${site}`, `PERSON#${id}`] : [`PERSON#${id}`, `SITE#${site}`]) as [string, string]),
    )
    await table[side].remove({ id, site })
    expect(await edgeKeys({ id })).toEqual([])
  })

  test('marks both items, which grant nothing from then on', async () => {
    const { id, site, room } = await ends()
    await table.PersonSite.create({ id, site })
    await table.SitePerson.remove({ id, site }, { wait: false })
    expect(await table.PersonSite.get({ id, site })).toMatchObject({ deleting: expect.any(String), version: 2 })
    expect(await table.SitePerson.get({ id, site })).toMatchObject({ deleting: expect.any(String), version: 2 })
    expect(await codeOf(table.PersonRoom.create({ id, room }))).toBe('MissingEnd')
    expect(await codeOf(table.PersonSite.update({ id, site }, { remark: 'x' }))).toBe('BeingDeleted')
    await table.jobs.resume()
    expect(await edgeKeys({ id })).toEqual([])
  })
})

test('under concurrency an edge is made once, and its removal leaves none or both of its items', async () => {
  const { id, site } = await ends()
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => table.PersonSite.create({ id, site })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const ensured = await Promise.all(Array.from({ length: 20 }, () => table.SitePerson.ensure({ id, site })))
  expect(ensured.every(({ isNew }) => !isNew)).toBe(true)
  await Promise.allSettled([
    table.PersonSite.remove({ id, site }),
    ...Array.from({ length: 5 }, (_, n) => table.SitePerson.update({ id, site }, { remark: `${n}` })),
    table.PersonSite.create({ id, site }),
  ])
  expect([0, 2]).toContain((await edgeKeys({ id })).length)
})
