import { beforeAll, expect, test } from 'vitest'
import { Person, Room, Site } from '../../test/depot/design.ts'
import { refusal } from '../../test/depot/refused.ts'
import { type Depot, ownDepot } from '../../test/depot/table.ts'
import { checking, creating, updating } from '../plan/step.ts'

let table: Depot
beforeAll(async () => {
  table = await ownDepot()
  await table.Site.create({ site: 'BASE', name: 'Base', region: 'north' })
  await table.Room.create({ id: 'r', site: 'BASE', name: 'Hall' })
  await table.Person.create({ id: 'ada', email: 'ada@x.org' })
})

const inTransaction = async (step: Parameters<Depot['transact']>[0][string]) =>
  (await refusal(table.transact({ step, beside: checking(Site, { site: 'BASE' }) }))).details.failures?.step ?? new Error('no failure')

const room = { site: 'BASE', id: 'r' }
const nowhere = { site: 'NONE', id: 'r' }

// Errors name an item by its attributes, which callers know, and not by its key.
test.each([
  ['an item', 'The Room with site "BASE" and id "r" exists already.', () => refusal(table.Room.create({ ...room, name: 'Hall' })), room],
  ['a step', 'The Room with site "BASE" and id "r" exists already.', () => inTransaction(creating(Room, { ...room, name: 'Hall' })), room],
  [
    'a guard of another owner',
    'The Person with email "ada@x.org" exists already.',
    () => refusal(table.Person.create({ id: 'eve', email: 'ada@x.org' })),
    { email: 'ada@x.org' },
  ],
  ['nothing to change', 'There is no Room with site "NONE" and id "r".', () => refusal(table.Room.update(nowhere, { name: 'x' })), nowhere],
  [
    'no step to change',
    'There is no Room with site "NONE" and id "r".',
    () => inTransaction(updating(Room, nowhere, { name: 'x' })),
    nowhere,
  ],
  ['nothing to check', 'There is no Room with site "NONE" and id "r".', () => inTransaction(checking(Room, nowhere)), nowhere],
  [
    'an end that is not there',
    'The Person with id "eve", which this needs, is absent.',
    () => refusal(table.Task.create({ person: 'eve', title: 'x' })),
    { id: 'eve' },
  ],
  [
    'a check that fails',
    'The Person with id "ada" does not have the expected attributes.',
    () => inTransaction(checking(Person, { id: 'ada' }, { where: { rank: 'senior' } })),
    { id: 'ada' },
  ],
])('an error of %s tells of it by its attributes, and not by its key', async (_, message, refused, id) => {
  const error = await refused()
  expect(error).toMatchObject({ message, details: { id } })
  expect(JSON.stringify(error)).not.toContain('#')
})
