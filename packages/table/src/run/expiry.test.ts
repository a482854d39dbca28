import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putRaw, rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { codeOf } from '../../test/depot/refused.ts'
import { Clock, type Depot, ownDepot } from '../../test/depot/table.ts'
import { readItem } from './read.ts'
import { removeExpired } from './remove-expired.ts'

// An item past its end is gone at once, long before DynamoDB takes it away (spec rule 15).

let clock = new Clock()
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now: () => clock.now() })
  await table.Person.create({ id: 'ada', email: 'ada@x.org' })
})
beforeEach(() => {
  clock = new Clock()
})

const startedAt = '2026-03-01T11:00:00.000Z'
const until = '2026-03-01T12:00:10.500Z'
const session = (id: string, more: object = {}) => table.Session.create({ id, person: 'ada', startedAt, until, ...more })

test('ttl stands beside the end, rounded up, on the item, its guard and its mirror', async () => {
  await session('timed', { token: 'timed' })
  const items = (await rawItems(table)).filter((item) => item.id === 'timed')
  expect(items.map(({ Type, ttl, until: end }) => [Type, ttl, end])).toEqual([
    ['Session', 1772366411, until],
    ['SessionById', 1772366411, until],
    ['SessionToken', 1772366411, until],
  ])
})

describe('an item past its end', () => {
  const place = (id: string) => ({ person: 'ada', startedAt, id })

  test('is read until the instant before, and not from it on: by get, by its mirror, by its guard, in a list', async () => {
    await session('seen', { token: 'seen' })
    const reads = () =>
      Promise.all([
        table.Session.get(place('seen')),
        table.SessionById.get({ id: 'seen' }),
        table.SessionToken.get({ token: 'seen' }),
        table.Session.getMany([place('seen')]).then(([one]) => one),
        table.sessionsSince({ person: 'ada', since: startedAt }).then(({ items }) => items.find(({ id }) => id === 'seen')),
      ])
    clock.forward(10_499)
    expect((await reads()).every((item) => item?.id === 'seen')).toBe(true)
    clock.forward(1)
    expect(await reads()).toEqual(Array(5).fill(undefined))
  })

  test('is not updated, moved or removed', async () => {
    await session('late')
    clock.forward(10_500)
    expect(await codeOf(table.Session.update(place('late'), { token: 't' }))).toBe('NotFound')
    expect(await codeOf(table.Session.move(place('late'), { startedAt: '2026-03-01T11:30:00Z' }))).toBe('NotFound')
    expect(await codeOf(table.Session.remove(place('late')))).toBe('NotFound')
    expect(await rawItem(table, 'PERSON#ada', `SESSION#${startedAt}#late`)).toBeDefined()
  })

  test('makes room for another, and so do its guard and its mirror', async () => {
    await session('again', { token: 'again' })
    expect(await codeOf(session('again', { token: 'other' }))).toBe('AlreadyExists')
    expect(await codeOf(session('rival', { token: 'again' }))).toBe('AlreadyExists')
    clock.forward(10_500)
    const later = '2026-03-01T13:00:00.000Z'
    expect(await session('again', { token: 'again', until: later })).toMatchObject({ version: 1, until: later })
    expect(await table.SessionToken.get({ token: 'again' })).toMatchObject({ id: 'again', until: later })
    expect(await table.SessionById.get({ id: 'again' })).toMatchObject({ until: later })
  })

  test('gives its guard to another owner, who keeps it', async () => {
    await session('old', { token: 'passed-on' })
    clock.forward(10_500)
    await session('new', { token: 'passed-on', until: '2026-03-01T13:00:00Z' })
    expect(await table.SessionToken.get({ token: 'passed-on' })).toMatchObject({ id: 'new' })
    await session('old', { token: 'fresh', until: '2026-03-01T13:00:00Z' })
    await table.Session.remove(place('old'))
    expect(await rawItem(table, 'TOKEN#passed-on', 'TOKEN#passed-on')).toMatchObject({ id: 'new' })
  })

  test('goes with what it hangs on, and leaves the guard to whom it belongs by now', async () => {
    await table.Person.create({ id: 'bob', email: 'bob@x.org' })
    await session('first', { person: 'bob', token: 'shared' })
    clock.forward(10_500)
    await session('second', { token: 'shared', until: '2026-03-01T13:00:00Z' })
    await table.Person.remove({ id: 'bob' })
    expect((await rawKeys(table)).filter((key) => key.includes('bob') || key.includes('first'))).toEqual([])
    expect(await table.SessionToken.get({ token: 'shared' })).toMatchObject({ id: 'second' })
  })

  test('counts as over by its ttl alone, where it has no readable end', async () => {
    const common = { PK: 'PERSON#ada', SK: `SESSION#${startedAt}#ttl`, Type: 'Session', person: 'ada', id: 'ttl', startedAt }
    await putRaw(table, { ...common, ttl: 1772366401 })
    expect(await codeOf(table.Session.get(place('ttl')))).toBe('MalformedItem')
    clock.forward(1000)
    expect(await table.Session.get(place('ttl'))).toBeUndefined()
    expect(await session('ttl', { until: '2026-03-01T13:00:00Z' })).toMatchObject({ version: 1 })
  })

  test('is nothing that a check finds', async () => {
    await session('checked')
    const steps = () => ({ held: table.transact({ check: { verb: 'check', entity: table.Session.entity, input: place('checked') } }) })
    await steps().held
    clock.forward(10_500)
    expect(await codeOf(steps().held)).toBe('TransactionFailed')
  })
})

test('an end that changes takes guard and mirror with it', async () => {
  await session('extended', { token: 'extended' })
  await table.Session.update({ person: 'ada', startedAt, id: 'extended' }, { until: '2026-03-01T14:00:00Z' })
  clock.forward(60_000)
  expect(await table.SessionToken.get({ token: 'extended' })).toMatchObject({ until: '2026-03-01T14:00:00.000Z', version: 2 })
  expect(await table.SessionById.get({ id: 'extended' })).toMatchObject({ version: 2 })
  expect((await rawItems(table)).filter((item) => item.id === 'extended').map(({ ttl }) => ttl)).toEqual(Array(3).fill(1772373600))
  await table.Session.remove({ person: 'ada', startedAt, id: 'extended' })
  expect((await rawKeys(table)).filter((key) => key.includes('extended'))).toEqual([])
})

describe('taking out what is past its end', () => {
  const place = (id: string) => ({ person: 'ada', startedAt, id })
  const keysOf = async (id: string) => (await rawKeys(table)).filter((key) => key.includes(id))
  const stored = (id: string) => readItem(table.runtime, { PK: 'PERSON#ada', SK: `SESSION#${startedAt}#${id}` }, { consistent: true })

  test('takes its guard and its mirror, too, once, and nothing that has not ended', async () => {
    await session('swept', { token: 'swept' })
    const item = await stored('swept')
    if (item === undefined) throw new Error('the session is not there')
    expect(await removeExpired(table.runtime, table.Session.entity, item)).toBe(false)
    clock.forward(10_500)
    expect(await keysOf('swept')).toHaveLength(3)
    const taken = await Promise.all(Array.from({ length: 4 }, () => removeExpired(table.runtime, table.Session.entity, item)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await keysOf('swept')).toEqual([])
  })

  test('leaves what another has put in its place', async () => {
    await session('replaced', { token: 'replaced' })
    const item = await stored('replaced')
    if (item === undefined) throw new Error('the session is not there')
    clock.forward(10_500)
    await session('replaced', { until: '2026-03-01T15:00:00Z', token: 'replaced' })
    expect(await removeExpired(table.runtime, table.Session.entity, item)).toBe(false)
    expect(await table.Session.get(place('replaced'))).toBeDefined()
    expect(await table.SessionToken.get({ token: 'replaced' })).toBeDefined()
  })

  test('is nothing for what does not end', async () => {
    const ada = await rawItem(table, 'PERSON#ada', 'METADATA')
    expect(
      await codeOf(
        removeExpired(table.runtime, table.Person.entity, { ...ada, PK: 'PERSON#ada', SK: 'METADATA', Type: 'Person', version: 1 }),
      ),
    ).toBe('InvalidInput')
  })
})
