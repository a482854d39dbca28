import { beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { catalogueOf, ownCatalogue } from '../../test/catalogue/table.ts'
import { rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { codeOf } from '../../test/depot/refused.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { type FaultRule, faultySender } from '../testing/faulty-sender.ts'
import type { Outcome } from './create-many.ts'
import { meter } from './meter.ts'

let table: Depot
beforeAll(async () => {
  table = await ownDepot()
})

const person = (id: string, more: object = {}) => ({ id, email: `${id}@x.org`, ...more })
const told = (outcomes: readonly Outcome<{ id: string }>[]) => outcomes.map(({ item, error }) => item?.id ?? error?.code)
const created = async (prefix: string) =>
  (await rawItems(table)).flatMap(({ Type, id }) => (Type === 'Person' && String(id).startsWith(prefix) ? [id] : []))

async function through(...rules: FaultRule[]) {
  const faults = faultySender(engineSender(), rules)
  return { faults, depot: depotOf(table.runtime.table, { sender: faults }) }
}

describe('creating many', () => {
  test('of none sends nothing', async () => {
    const { result, cost } = await meter(() => table.Person.createMany([]))
    expect([result, cost.requests]).toEqual([[], 0])
  })

  test('writes each whole, with its guards and mirrors, many in a transaction and transactions side by side', async () => {
    const handles = Array.from({ length: 130 }, (_, index) => `many${String(index).padStart(3, '0')}`)
    const { result, cost } = await meter(() => table.Person.createMany(handles.map((handle) => ({ email: `${handle}@x.org`, handle }))))
    expect(result.map(({ item }) => item?.handle)).toEqual(handles)
    // Four actions each, 25 of them in a transaction of 100.
    expect(cost).toMatchObject({ requests: 6, roundTrips: 1 })
    const keys = await rawKeys(table)
    const made = result.flatMap(({ item }) => item ?? [])
    expect(made.every(({ id }) => keys.includes(`PERSON#${id} / META`) && keys.includes(`DIRECTORY#PERSON / PERSON#${id}`))).toBe(true)
    expect(handles.every((handle) => keys.includes(`HANDLE#${handle} / HANDLE#${handle}`))).toBe(true)
  })

  test('under given keys does the jobs of what may have stayed side by side, too', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `given${index}`)
    const { result, cost } = await meter(() => table.Person.createMany(ids.map((id) => person(id))))
    expect(told(result)).toEqual(ids)
    // Two transactions of 20; each job reads its source, asks for three kinds of copies, and ends.
    expect(cost).toMatchObject({ requests: 2 + 40 * 5, roundTrips: 6 })
    expect(await table.jobs.list()).toEqual([])
  })

  test('gives each outcome at its place: made, there already, a taken guard, a wrong row, a duplicate of a row before', async () => {
    await table.Person.create(person('there', { handle: 'taken' }))
    const rows = [
      person('row0'),
      person('there', { email: 'free@x.org' }),
      { id: 'row2' },
      person('row3', { email: 'there@x.org' }),
      person('row4', { handle: 'TAKEN' }),
      person('row5'),
      person('row5', { email: 'second@x.org' }),
      person('row7', { email: ' ROW5@x.org ' }),
      null,
      person('row#9'),
      person('row10', { team: 'a#b', hired: '2026-01-01' }),
      person('row11'),
    ]
    const outcomes = await table.Person.createMany(rows as never)
    expect(told(outcomes)).toEqual([
      'row0',
      'AlreadyExists',
      'InvalidInput',
      'AlreadyExists',
      'AlreadyExists',
      'row5',
      'AlreadyExists',
      'AlreadyExists',
      'InvalidInput',
      'InvalidInput',
      'row10',
      'row11',
    ])
    expect(outcomes[3]?.error?.details.guard).toBe('PersonEmail')
    expect(outcomes[4]?.error?.details.guard).toBe('PersonHandle')
    expect(outcomes[1]?.error?.details.guard).toBeUndefined()
    expect(outcomes[2]?.error?.message).toContain('email is missing')
    expect(await created('row')).toEqual(['row0', 'row10', 'row11', 'row5'])
    for (const guard of ['EMAIL#free@x.org', 'EMAIL#second@x.org', 'EMAIL#row4@x.org'])
      expect(await rawItem(table, guard, guard)).toBeUndefined()
  })

  test('of an edge writes both sides of each that has its ends', async () => {
    await table.Site.create({ site: 'BASE', name: 'Base' })
    await table.Person.createMany(['e1', 'e2'].map((id) => person(id)))
    const rows = [
      { id: 'e1', site: 'base' },
      { id: 'nobody', site: 'base' },
      { id: 'e2', site: 'nowhere' },
      { id: 'e2', site: 'BASE' },
      { id: 'e1', site: 'BASE' },
    ]
    const outcomes = await table.SitePerson.createMany(rows)
    expect(told(outcomes)).toEqual(['e1', 'MissingEnd', 'MissingEnd', 'e2', 'AlreadyExists'])
    expect(outcomes[0]?.item).toMatchObject({ Type: 'SitePerson', personRank: 'junior' })
    const keys = (await rawKeys(table)).filter((key) => key.includes('SITE#') && key.includes('PERSON#'))
    expect(keys).toEqual(['PERSON#e1 / SITE#BASE', 'PERSON#e2 / SITE#BASE', 'SITE#BASE / PERSON#e1', 'SITE#BASE / PERSON#e2'])
  })

  test('of guards or mirrors is refused for each', async () => {
    expect(told(await table.PersonEntry.createMany([{ id: 'x', email: 'x@x.org' }]))).toEqual(['DerivedItem'])
  })

  test('splits what is over 4 MB together', async () => {
    const catalogue = await ownCatalogue()
    const rows = Array.from({ length: 60 }, (_, index) => ({ shelf: 's', genre: 'g', id: `i${index}`, owner: 'o'.repeat(100_000) }))
    expect(told(await catalogueOf(catalogue.runtime.table).Book.createMany(rows))).toEqual(rows.map(({ id }) => id))
  })
})

describe('a fault of the table', () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ index }))

  test('that lasts is thrown, and is not an outcome', async () => {
    const { depot } = await through({ operation: 'TransactWriteItems', fault: { kind: 'throttle' }, times: 10_000 })
    expect(await codeOf(depot.Person.createMany(rows.map(({ index }) => person(`busy${index}`))))).toBe('Busy')
    // By itself, too, where there is no group to try one by one.
    expect(await codeOf(depot.Person.createMany([person('busy-alone')]))).toBe('Busy')
    expect(await created('busy')).toEqual([])
  })

  test('that passes is not seen', async () => {
    const { depot, faults } = await through(
      { operation: 'TransactWriteItems', fault: { kind: 'throttle' }, times: 2 },
      { operation: 'TransactWriteItems', fault: { kind: 'conflict' }, times: 2 },
      { operation: 'TransactWriteItems', fault: { kind: 'lose-answer' }, times: 2 },
    )
    const ids = rows.map(({ index }) => `again${index}`)
    expect(told(await depot.Person.createMany(ids.map((id) => person(id))))).toEqual(ids)
    expect(await created('again')).toHaveLength(30)
    expect(faults.log.filter(({ fault }) => fault !== undefined)).toHaveLength(6)
  })
})
