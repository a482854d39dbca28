import { beforeAll, describe, expect, test } from 'vitest'
import { depot } from '../../test/depot/design.ts'
import { putRaw, rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { type Depot, ownDepot } from '../../test/depot/table.ts'
import type { Entity } from '../design/form.ts'

let table: Depot
beforeAll(async () => {
  table = await ownDepot()
  await table.Site.create({ site: 'ONE', name: 'One' })
  await table.Person.create({ id: 'owner', email: 'owner@x.org' })
})

const indexAttributes = ['GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK']

/** The index keys of an item as they lie in the table, and proof that each index has it there or not at all. */
async function places(PK: string, SK: string): Promise<Record<string, unknown>> {
  const item = await rawItem(table, PK, SK)
  const keys = Object.fromEntries(indexAttributes.flatMap((name) => (item?.[name] === undefined ? [] : [[name, item[name]]])))
  for (const index of ['GSI1', 'GSI2']) {
    const found = (await rawItems(table, index)).filter((each) => each.PK === PK && each.SK === SK)
    const expected = keys[`${index}PK`] === undefined ? [] : [[keys[`${index}PK`], keys[`${index}SK`]]]
    expect(found.map((each) => [each[`${index}PK`], each[`${index}SK`]])).toEqual(expected)
  }
  return keys
}

type Change = Parameters<Depot['Person']['update']>[1]

describe('a person', () => {
  const teams = { GSI1PK: 'TEAM#blue', GSI1SK: 'PERSON#junior#2026-01-31#ada' }
  const nowhere = { GSI2PK: 'NOWHERE', GSI2SK: 'ada@x.org#ada' }
  const bern = { GSI2PK: 'CITY#bern', GSI2SK: 'ada@x.org#ada' }

  test('is in an index exactly where its attributes say, after each of a row of changes', async () => {
    await table.Person.create({ id: 'ada', email: 'ada@x.org' })
    expect(await places('PERSON#ada', 'META')).toEqual(nowhere)
    const steps: [Change, object][] = [
      [{ team: 'blue' }, nowhere],
      [{ hired: '2026-01-31' }, { ...teams, ...nowhere }],
      [{ city: 'bern' }, { ...teams, ...bern }],
      [{ rank: 'senior' }, { ...teams, GSI1SK: 'PERSON#senior#2026-01-31#ada', ...bern }],
      [
        { rank: 'junior', size: 3 },
        { ...teams, ...bern },
      ],
      [{ email: 'Ada@Y.org' }, { ...teams, ...bern, GSI2SK: 'ada@y.org#ada' }],
      [{ email: 'ada@x.org' }, { ...teams, ...bern }],
      [{ team: null }, bern],
      [
        { team: 'red', city: null },
        { ...teams, GSI1PK: 'TEAM#red', ...nowhere },
      ],
      [{ hired: null }, nowhere],
      [
        { hired: '2026-02-01', city: 'bern' },
        { GSI1PK: 'TEAM#red', GSI1SK: 'PERSON#junior#2026-02-01#ada', ...bern },
      ],
      [
        { team: 'blue', hired: '2026-01-31' },
        { ...teams, ...bern },
      ],
      [{ team: null, hired: null, city: null }, nowhere],
    ]
    for (const [change, expected] of steps) {
      await table.Person.update({ id: 'ada' }, change)
      expect([change, await places('PERSON#ada', 'META')]).toEqual([change, expected])
    }
    await table.Person.remove({ id: 'ada' })
    expect(await places('PERSON#ada', 'META')).toEqual({})
    expect((await rawKeys(table, 'GSI2')).filter((key) => key.includes('ada'))).toEqual([])
  })

  test('written by other means without index keys gets them with the next update', async () => {
    await putRaw(table, {
      PK: 'PERSON#raw',
      SK: 'META',
      Type: 'Person',
      createdAt: '2026-01-01T00:00:00.000Z',
      touchedAt: '2026-01-01T00:00:00.000Z',
      id: 'raw',
      email: 'raw@x.org',
      rank: 'junior',
      team: 'blue',
      hired: '2026-01-31',
    })
    await table.Person.update({ id: 'raw' }, { size: 1 })
    expect(await places('PERSON#raw', 'META')).toEqual({
      GSI1PK: 'TEAM#blue',
      GSI1SK: 'PERSON#junior#2026-01-31#raw',
      GSI2PK: 'NOWHERE',
      GSI2SK: 'raw@x.org#raw',
    })
  })
})

test('a copy in an index key follows what it is copied from, and leaves the index with it', async () => {
  const { id } = await table.Room.create({ site: 'ONE', name: 'hall' })
  const sensor = await table.Sensor.create({ room: id })
  expect([await places('SITE#ONE', `ROOM#${id}`), await places(`ROOM#${id}`, `SENSOR#${sensor.id}`)]).toEqual([{}, {}])
  for (const region of ['north', 'south']) {
    await table.Site.update({ site: 'ONE' }, { region })
    expect(await places('SITE#ONE', `ROOM#${id}`)).toEqual({ GSI1PK: `REGION#${region}`, GSI1SK: `ROOM#hall#${id}` })
    expect(await places(`ROOM#${id}`, `SENSOR#${sensor.id}`)).toEqual({ GSI2PK: `REGION#${region}`, GSI2SK: `SENSOR#${sensor.id}` })
  }
  await table.Site.update({ site: 'ONE' }, { region: null })
  expect([await places('SITE#ONE', `ROOM#${id}`), await places(`ROOM#${id}`, `SENSOR#${sensor.id}`)]).toEqual([{}, {}])
})

// The same for every attribute that any index key of any entity mentions, over a whole item: each is changed, taken away and set again.

interface Subject {
  readonly entity: Entity
  readonly create: () => Promise<unknown>
  readonly update: (change: Record<string, unknown>) => Promise<unknown>
  readonly key: readonly [PK: string, SK: string]
  readonly whole: Record<string, unknown>
  readonly other: Record<string, unknown>
}

const person = { email: 'all@x.org', team: 't', rank: 'senior', hired: '2026-01-01', city: 'c' }
const subjects: Subject[] = [
  {
    entity: depot.entities.Person,
    key: ['PERSON#all', 'META'],
    whole: person,
    other: { email: 'else@x.org', team: 'u', rank: 'junior', hired: '2026-01-02', city: 'd' },
    create: () => table.Person.create({ id: 'all', ...person, rank: 'senior' }),
    update: (change) => table.Person.update({ id: 'all' }, change),
  },
  {
    entity: depot.entities.Policy,
    key: ['OWNER#ada', 'POLICY#all'],
    whole: { name: 'n' },
    other: { name: 'o' },
    create: () => table.Policy.create({ id: 'all', owner: 'ada', name: 'n' }),
    update: (change) => table.Policy.update({ id: 'all', owner: 'ada' }, change),
  },
]

/** The index keys that a template makes of these values, written out anew: fill the placeholders, or leave both away. */
function expected({ indexes }: Entity, values: Record<string, unknown>): Record<string, string> {
  const fill = (template: string) =>
    template
      .split('|')
      .filter((one) => [...one.matchAll(/\{(\w+)\}/g)].every(([, placeholder]) => values[placeholder ?? ''] !== undefined))
      .map((one) => one.replace(/\{(\w+)\}/g, (_, placeholder) => String(values[placeholder])))[0]
  return Object.fromEntries(
    Object.entries(indexes).flatMap(([index, [PK, SK]]) => {
      const [first, second] = [fill(PK), fill(SK)]
      return first === undefined || second === undefined
        ? []
        : [
            [`${index}PK`, first],
            [`${index}SK`, second],
          ]
    }),
  )
}

describe.each(subjects.map((subject) => [subject.entity.name, subject] as const))('%s', (_name, subject) => {
  const { entity, key, whole, other } = subject
  const ids = { id: 'all', ...(entity.name === 'Policy' ? { owner: 'ada' } : {}) }
  beforeAll(() => subject.create())

  test.each(Object.keys(whole))('%s is changed, taken away and set again', async (name) => {
    const isOptional = entity.attributes[name]?.presence === 'optional'
    for (const value of [other[name], ...(isOptional ? [null, other[name], null] : []), whole[name]]) {
      await subject.update({ [name]: value })
      const values: Record<string, unknown> = { ...ids, ...whole, [name]: value ?? undefined }
      expect(await places(...key)).toEqual(expected(entity, values))
    }
  })
})
