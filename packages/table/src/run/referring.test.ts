import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { rawKeys } from '../../test/depot/raw.ts'
import { codeOf } from '../../test/depot/refused.ts'
import { code, dependingOn, design, edge, entity, list, mirror, oneOf, opaqueId, text, unless } from '../language.ts'

// References whose key has parts that may be absent, or cases, and edges within edges whose keys change.

const Scope = entity('Scope', {
  attributes: { client: code(), project: code().optional(), name: text() },
  key: ['CLIENT#{client}', 'PROJECT#{project}|META'],
})
const Grant = entity('Grant', {
  attributes: { id: opaqueId(), client: code(), project: code(), name: text().from('client') },
  key: ['GRANT#{id}', 'META'],
  refers: { client: { to: Scope, by: { project: unless('project', 'ALL') } } },
})
const GrantOf = mirror('GrantOf', Grant, ['GRANTS#{client}#{project}', 'GRANT#{id}'])
const Visit = entity('Visit', {
  attributes: {
    id: opaqueId(),
    kind: oneOf('grant', 'scope').optional(),
    what: code().optional(),
    client: code().optional(),
    project: code().optional(),
  },
  key: ['VISIT#{id}', 'META'],
  refers: {
    what: dependingOn('kind', { grant: { to: Grant, onRemove: 'keep' }, scope: { to: Scope, onRemove: 'keep', by: { client: 'what' } } }),
  },
})
const Line = entity('Line', { attributes: { client: code(), line: code() }, key: ['LINES#{client}', 'LINE#{line}'] })
const Stop = entity('Stop', {
  attributes: { id: opaqueId(), client: code().optional(), line: code().optional() },
  key: ['STOP#{id}', 'META'],
  refers: { line: { to: Line, onRemove: 'keep' } },
})
const Reader = entity('Reader', { attributes: { reader: opaqueId() }, key: ['READER#{reader}', 'META'] })
const { Loan, Shelved } = edge({
  ends: { reader: Reader },
  attributes: { book: opaqueId(), shelf: code() },
  items: { Loan: ['READER#{reader}', 'LOAN#{book}'], Shelved: ['SHELF#{shelf}', 'BOOK#{book}'] },
})
const Note = entity('Note', { attributes: { note: opaqueId() }, key: ['NOTE#{note}', 'META'] })
const { Remark, RemarkOn } = edge({
  ends: { note: Note },
  within: Shelved,
  attributes: { book: opaqueId(), shelf: code() },
  items: { Remark: ['NOTE#{note}', 'REMARK#{book}'], RemarkOn: ['SHELF#{shelf}', 'REMARK#{book}#{note}'] },
})
const Route = entity('Route', {
  attributes: { id: opaqueId(), client: code(), line: list(code(), { max: 5 }) },
  key: ['ROUTE#{id}', 'META'],
  refers: { line: { each: Line } },
})
const { Watch, WatchOf } = edge({
  ends: { reader: Reader, client: Scope },
  attributes: {},
  items: { Watch: ['READER#{reader}', 'WATCH#{client}'], WatchOf: ['WATCHED#{client}', 'WATCH#{reader}'] },
  copies: { Watch: { name: 'client.name' } },
})
const library = design({
  name: 'library',
  table: 'library',
  entities: { Scope, Grant, GrantOf, Visit, Line, Stop, Reader, Loan, Shelved, Note, Remark, RemarkOn, Route, Watch, WatchOf },
  patterns: {},
})

async function ownLibrary() {
  const table = await ownTableOf(library)
  return table
}

describe('the value that stands for an absent part of a key', () => {
  test('leads to the item without that part, also beside one that has the value itself', async () => {
    const table = await ownLibrary()
    await table.Scope.create({ client: 'C', name: 'whole' })
    await table.Scope.create({ client: 'C', project: 'ALL', name: 'called so' })
    await table.Grant.create({ id: 'g', client: 'C', project: 'ALL' })
    await table.Scope.remove({ client: 'C', project: 'ALL' })
    await table.Scope.update({ client: 'C' }, { name: 'new' })
    expect(await table.Grant.get({ id: 'g' })).toMatchObject({ name: 'new' })
    await table.Scope.remove({ client: 'C' })
    expect(await rawKeys(table)).toEqual([])
  })
})

describe('an edge that cannot name a part of the key of its end', () => {
  test('is that of the item without it, whatever becomes of others', async () => {
    const table = await ownLibrary()
    await table.Scope.create({ client: 'C', name: 'whole' })
    await table.Scope.create({ client: 'C', project: 'P', name: 'part' })
    await table.Reader.create({ reader: 'r' })
    await table.Watch.create({ reader: 'r', client: 'C' })
    await table.Scope.update({ client: 'C', project: 'P' }, { name: 'new' })
    expect(await table.Watch.get({ reader: 'r', client: 'C' })).toMatchObject({ name: 'whole', version: 1 })
    await table.Scope.remove({ client: 'C', project: 'P' })
    await table.Scope.update({ client: 'C' }, { name: 'new' })
    expect(await table.Watch.get({ reader: 'r', client: 'C' })).toMatchObject({ name: 'new', version: 2 })
    await table.Scope.remove({ client: 'C' })
    expect(await rawKeys(table)).toEqual(['READER#r / META'])
  })
})

describe('a reference that leads nowhere', () => {
  test('is refused where nothing says which of its cases holds', async () => {
    const table = await ownLibrary()
    await table.Scope.create({ client: 'C', name: 'n' })
    expect(await codeOf(table.Visit.create({ id: 'v', what: 'nothing' }))).toBe('MissingEnd')
    await table.Visit.create({ id: 'v' })
    expect(await codeOf(table.Visit.update({ id: 'v' }, { what: 'nothing' }))).toBe('MissingEnd')
    await table.Visit.update({ id: 'v' }, { what: 'C', kind: 'scope' })
    expect(await codeOf(table.Visit.update({ id: 'v' }, { kind: null }))).toBe('MissingEnd')
    expect(await codeOf(table.Visit.update({ id: 'v' }, { kind: 'grant' }))).toBe('MissingEnd')
    expect(await table.Visit.update({ id: 'v' }, { kind: null, what: null })).not.toHaveProperty('what')
  })

  test('is refused where a part of the key is absent, by an update as by a creation', async () => {
    const table = await ownLibrary()
    await table.Line.create({ client: 'C', line: 'L' })
    expect(await codeOf(table.Stop.create({ id: 's', line: 'L' }))).toBe('MissingEnd')
    await table.Stop.create({ id: 's' })
    expect(await codeOf(table.Stop.update({ id: 's' }, { line: 'L' }))).toBe('MissingEnd')
    await table.Stop.update({ id: 's' }, { line: 'L', client: 'C' })
    expect(await codeOf(table.Stop.update({ id: 's' }, { client: null }))).toBe('MissingEnd')
    expect(await table.Stop.update({ id: 's' }, { line: null })).toMatchObject({ client: 'C' })
  })
})

describe('each member of a list', () => {
  test('is checked again when the rest of the key of its target changes, and otherwise only when it is new', async () => {
    const table = await ownLibrary()
    await table.Line.create({ client: 'C', line: 'L' })
    await table.Line.create({ client: 'D', line: 'M' })
    await table.Route.create({ id: 'r', client: 'C', line: ['L'] })
    expect(await codeOf(table.Route.update({ id: 'r' }, { client: 'D' }))).toBe('MissingEnd')
    await table.Line.remove({ client: 'C', line: 'L' })
    expect(await table.Route.update({ id: 'r' }, { line: ['L', 'L'] })).toMatchObject({ version: 2 })
    expect(await codeOf(table.Route.update({ id: 'r' }, { line: ['L', 'M'] }))).toBe('MissingEnd')
    expect(await table.Route.update({ id: 'r' }, { client: 'D', line: ['M'] })).toMatchObject({ version: 3 })
  })
})

describe('an edge within another', () => {
  test('holds the key of that, by whichever of its items it is changed, and stays within it', async () => {
    const table = await ownLibrary()
    await table.Reader.create({ reader: 'r' })
    await table.Note.create({ note: 'n' })
    await table.Loan.create({ reader: 'r', book: 'b', shelf: 'TOP' })
    await table.Remark.create({ note: 'n', book: 'b', shelf: 'TOP' })
    expect(await codeOf(table.Loan.update({ reader: 'r', book: 'b' }, { shelf: 'LOW' }))).toBe('InvalidInput')
    expect(await codeOf(table.Remark.update({ note: 'n', book: 'b' }, { shelf: 'LOW' }))).toBe('InvalidInput')
    await table.Loan.remove({ reader: 'r', book: 'b' })
    expect(await rawKeys(table)).toEqual(['NOTE#n / META', 'READER#r / META'])
  })
})

const Land = entity('Land', { attributes: { land: code(), region: code() }, key: ['LAND#{land}', 'META'], fixed: ['region'] })
const Town = entity('Town', { attributes: { region: code(), town: code(), name: text() }, key: ['REGION#{region}', 'TOWN#{town}'] })
const Trip = entity('Trip', {
  attributes: { trip: opaqueId(), land: code(), region: code().from('land'), town: code().optional(), name: text().from('town') },
  key: ['TRIP#{trip}', 'META'],
  refers: { land: Land, town: Town },
})
const TripOfLand = mirror('TripOfLand', Trip, ['LAND_TRIPS#{land}', 'TRIP#{trip}'])
const TripOfTown = mirror('TripOfTown', Trip, ['TOWN_TRIPS#{region}#{town}', 'TRIP#{trip}'])
const travel = design({ name: 'travel', table: 'travel', entities: { Land, Town, Trip, TripOfLand, TripOfTown }, patterns: {} })

test('a reference that a copy fills is checked with the copy, and again when that comes from elsewhere', async () => {
  const table = await ownTableOf(travel)
  for (const [land, region] of [
    ['X', 'NORTH'],
    ['Y', 'SOUTH'],
  ] as const)
    await table.Land.create({ land, region })
  await table.Town.create({ region: 'NORTH', town: 'T', name: 'northern' })
  expect(await codeOf(table.Trip.create({ trip: 't', land: 'Y', town: 'T' }))).toBe('MissingEnd')
  expect(await table.Trip.create({ trip: 't', land: 'X', town: 'T' })).toMatchObject({ region: 'NORTH', name: 'northern' })
  expect(await codeOf(table.Trip.update({ trip: 't' }, { land: 'Y' }))).toBe('MissingEnd')
  await table.Town.create({ region: 'SOUTH', town: 'T', name: 'southern' })
  expect(await table.Trip.update({ trip: 't' }, { land: 'Y' })).toMatchObject({ region: 'SOUTH', name: 'southern' })
  await table.Town.remove({ region: 'SOUTH', town: 'T' })
  expect((await rawKeys(table)).filter((key) => key.includes('TRIP'))).toEqual([])
})
