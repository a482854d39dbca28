import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { rawItem } from '../../../test/depot/raw.ts'
import { directSender, noWait } from '../../../test/depot/table.ts'
import { code, design, entity, mirror, opaqueId, text } from '../../language.ts'
import { connect } from '../connect.ts'
import { ensureTable } from '../ensure-table.ts'

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
  const table = connect(market, { table: `market-${randomUUID()}`, sender: directSender(), sleep: noWait })
  await ensureTable(table.runtime)
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
  const table = connect(works(order), { table: `works-${randomUUID()}`, sender: directSender(), sleep: noWait })
  await ensureTable(table.runtime)
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
