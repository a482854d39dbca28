import { expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { rawItem } from '../../../test/depot/raw.ts'
import { refusal } from '../../../test/depot/refused.ts'
import { Clock } from '../../../test/depot/table.ts'
import { code, design, edge, entity, instant, mirror, opaqueId, text } from '../../language.ts'
import { prove } from '../../prove.ts'

const Firm = entity('Firm', { attributes: { firm: code() }, key: ['FIRM#{firm}', 'META'] })
const Product = entity('Product', {
  attributes: { firm: code(), product: opaqueId(), name: text() },
  key: ['FIRM#{firm}', 'PRODUCT#{product}'],
  refers: { firm: Firm },
})
const Listing = entity('Listing', {
  attributes: { id: opaqueId(), firm: code().optional(), seller: code(), product: opaqueId(), name: text().from('product') },
  key: ['LISTING#{id}', 'META'],
  refers: { product: { to: Product, by: { firm: 'seller' } } },
})
const ListingOf = mirror('ListingOf', Listing, ['LISTINGS#{seller}#{product}', 'LISTING#{id}'], ['firm'])
const market = design({
  name: 'market',
  table: 'market',
  entities: { Firm, Product, Listing, ListingOf },
  patterns: {},
  tenants: { by: 'firm', shared: [Listing, ListingOf] },
})

test('a copy in an item without a tenant follows the change that a tenant makes', async () => {
  const table = await ownTableOf(market)
  await table.Firm.create({ firm: 'A' })
  await table.Product.create({ firm: 'A', product: 'p', name: 'one' })
  await table.Listing.create({ id: 'l', seller: 'A', product: 'p' })
  const changed = await table.forTenant('A').Product.update({ firm: 'A', product: 'p' }, { name: 'two' })
  expect(changed).not.toHaveProperty('pending')
  expect(await rawItem(table, 'LISTING#l', 'META')).toMatchObject({ name: 'two' })
  expect(await table.jobs.list()).toEqual([])
})

const Org = entity('Org', { attributes: { org: code() }, key: ['ORG#{org}', 'META'] })
const Site = entity('Site', {
  attributes: { site: opaqueId(), org: code(), name: text() },
  key: ['SITE#{site}', 'META'],
  refers: { org: Org },
})
const Person = entity('Person', {
  attributes: { person: opaqueId(), site: opaqueId(), org: code().from('site'), place: text().from('site', 'name') },
  key: ['PERSON#{person}', 'META'],
  refers: { site: Site },
})
const Task = entity('Task', {
  attributes: {
    task: opaqueId(),
    site: opaqueId(),
    person: opaqueId().optional(),
    org: code().from('site'),
    place: text().from('person'),
  },
  key: ['TASK#{task}', 'META'],
  refers: { site: Site, person: { to: Person, onRemove: 'keep' } },
})
const works = (order: 'people first' | 'tasks first') => {
  const PersonOf = mirror('PersonOf', Person, ['SITE_PEOPLE#{site}', 'PERSON#{person}'], ['org'])
  const TaskOf = mirror('TaskOf', Task, ['SITE_TASKS#{site}', 'TASK#{task}'], ['org'])
  const TaskBy = mirror('TaskBy', Task, ['PERSON_TASKS#{person}', 'TASK#{task}'], ['org'])
  const ends = order === 'people first' ? { Person, PersonOf, Task, TaskOf, TaskBy } : { Task, TaskOf, TaskBy, Person, PersonOf }
  return design({
    name: 'works',
    table: 'works',
    entities: { Org, Site, ...ends },
    patterns: {},
    tenants: { by: 'org', of: { Org: 'org' } },
  })
}

async function worksTable(order: Parameters<typeof works>[0] = 'people first') {
  const table = await ownTableOf(works(order))
  for (const org of ['A', 'B']) {
    await table.Org.create({ org })
    await table.Site.create({ site: org, org, name: `of ${org}` })
  }
  await table.Person.create({ person: 'ada', site: 'A' })
  await table.Task.create({ task: 't', site: 'A', person: 'ada' })
  return table
}

test('an item that stays learns nothing of the item of another tenant that takes the key of its target', async () => {
  const table = await worksTable()
  await table.forTenant('A').Person.remove({ person: 'ada' })
  await table.forTenant('B').Person.create({ person: 'ada', site: 'B' })
  await table.forTenant('B').Site.update({ site: 'B' }, { name: 'secret' })
  expect(await rawItem(table, 'PERSON#ada', 'META')).toMatchObject({ org: 'B', place: 'secret' })
  expect(await rawItem(table, 'TASK#t', 'META')).toMatchObject({ org: 'A', place: 'of A' })
  expect(await table.jobs.list()).toEqual([])
})

test.each(['people first', 'tasks first'] as const)('what comes to another tenant together has its copies there: %s', async (order) => {
  const table = await worksTable(order)
  await table.Site.update({ site: 'A' }, { org: 'B', name: 'moved' })
  expect(await rawItem(table, 'PERSON#ada', 'META')).toMatchObject({ org: 'B', place: 'moved' })
  expect(await rawItem(table, 'TASK#t', 'META')).toMatchObject({ org: 'B', place: 'moved' })
  expect(await table.jobs.list()).toEqual([])
})

const Guest = entity('Guest', {
  attributes: { guest: opaqueId(), org: code(), name: text(), until: instant().optional() },
  key: ['GUEST#{guest}', 'META'],
  expires: 'until',
})
const Room = entity('Room', {
  attributes: { room: opaqueId(), org: code(), name: text() },
  key: ['ROOM#{room}', 'META'],
})
const { GuestRoom, RoomGuest } = edge({
  ends: { guest: Guest, room: Room },
  attributes: {},
  items: { GuestRoom: ['GUEST#{guest}', 'ROOM#{room}'], RoomGuest: ['ROOM#{room}', 'GUEST#{guest}'] },
  copies: { GuestRoom: { org: 'room.org' }, RoomGuest: { org: 'room.org', guestName: 'guest.name' } },
})
const Note = entity('Note', {
  attributes: { note: opaqueId(), org: code(), guest: opaqueId() },
  key: ['NOTE#{note}', 'META'],
  refers: { guest: Guest },
})
const NoteOf = mirror('NoteOf', Note, ['GUEST#{guest}', 'NOTE#{note}'], ['org'])
const Key = entity('Key', {
  attributes: { key: opaqueId(), org: code(), guest: opaqueId() },
  key: ['KEY#{key}', 'META'],
  refers: { guest: { to: Guest, onRemove: 'refuse' } },
})
const KeyOf = mirror('KeyOf', Key, ['GUEST#{guest}', 'KEY#{key}'], ['org'])
const house = design({
  name: 'house',
  table: 'house',
  entities: { Org, Guest, Room, GuestRoom, RoomGuest, Note, NoteOf, Key, KeyOf },
  patterns: {},
  tenants: { by: 'org', of: { Org: 'org' } },
})

async function houseTable() {
  const clock = new Clock()
  const table = await ownTableOf(house, { now: clock.now })
  for (const org of ['A', 'B']) await table.Org.create({ org })
  const until = new Date(clock.now().getTime() + 1000).toISOString()
  await table.Guest.create({ guest: 'ada', org: 'A', name: 'Ada', until })
  await table.Room.create({ room: 'r', org: 'A', name: 'Hall' })
  await table.RoomGuest.create({ guest: 'ada', room: 'r' })
  return { table, expire: () => clock.forward(2000) }
}

test('what refers to an item that expired stays without the item of another tenant that takes its key', async () => {
  expect(prove(house).isProven).toBe(true)
  const { table, expire } = await houseTable()
  await table.Note.create({ note: 'n', org: 'A', guest: 'ada' })
  await table.Key.create({ key: 'k', org: 'A', guest: 'ada' })
  expire()
  const b = table.forTenant('B')
  await b.Guest.create({ guest: 'ada', org: 'B', name: 'secret' })
  await b.Note.create({ note: 'own', org: 'B', guest: 'ada' })
  expect(await rawItem(table, 'ROOM#r', 'GUEST#ada')).toMatchObject({ org: 'A', guestName: 'Ada', version: 1 })
  await b.Guest.remove({ guest: 'ada' })
  expect(await table.Note.get({ note: 'own' })).toBeUndefined()
  for (const [partition, sort] of [
    ['NOTE#n', 'META'],
    ['GUEST#ada', 'NOTE#n'],
    ['KEY#k', 'META'],
    ['ROOM#r', 'GUEST#ada'],
    ['GUEST#ada', 'ROOM#r'],
  ] as const)
    expect(await rawItem(table, partition, sort)).toMatchObject({ org: 'A', version: 1 })
  expect(await table.jobs.list()).toEqual([])
})

test.each(['guest first', 'room first'] as const)('an edge comes to another tenant with the copies of all its ends: %s', async (order) => {
  const { table } = await houseTable()
  const guest = () => table.Guest.update({ guest: 'ada' }, { org: 'B', name: 'Eve' })
  const room = () => table.Room.update({ room: 'r' }, { org: 'B' })
  for (const move of order === 'guest first' ? [guest, room] : [room, guest]) await move()
  expect(await rawItem(table, 'ROOM#r', 'GUEST#ada')).toMatchObject({ org: 'B', guestName: 'Eve' })
  expect(await rawItem(table, 'GUEST#ada', 'ROOM#r')).toMatchObject({ org: 'B' })
  expect(await table.jobs.list()).toEqual([])
})

const { StaffRoom, RoomStaff } = edge({
  ends: { staff: { to: Guest, by: { guest: 'staff' } }, room: Room },
  attributes: { org: code(), duty: text() },
  items: { StaffRoom: ['STAFF#{staff}', 'ROOM#{room}'], RoomStaff: ['ROOM#{room}', 'STAFF#{staff}'] },
  copies: { RoomStaff: { staffName: 'staff.name' } },
})
const staffed = design({
  name: 'staffed',
  table: 'staffed',
  entities: { Org, Guest, Room, StaffRoom, RoomStaff },
  patterns: {},
  tenants: { by: 'org', of: { Org: 'org' } },
})

test('an update does not bring an edge to another tenant, which would learn of its ends', async () => {
  const table = await ownTableOf(staffed)
  for (const org of ['A', 'B']) await table.Org.create({ org })
  await table.Guest.create({ guest: 'ada', org: 'A', name: 'Ada' })
  await table.Room.create({ room: 'r', org: 'A', name: 'Hall' })
  await table.StaffRoom.create({ staff: 'ada', room: 'r', org: 'A', duty: 'doors' })
  const id = { staff: 'ada', room: 'r' }
  for (const side of ['StaffRoom', 'RoomStaff'] as const)
    expect(await refusal(table[side].update(id, { org: 'B' }))).toMatchObject({
      code: 'InvalidInput',
      details: { issues: [{ path: ['org'] }] },
    })
  expect(await table.StaffRoom.update(id, { org: 'A', duty: 'keys' })).toMatchObject({ org: 'A', duty: 'keys' })
  expect(await rawItem(table, 'ROOM#r', 'STAFF#ada')).toMatchObject({ org: 'A', duty: 'keys', version: 2 })
})
