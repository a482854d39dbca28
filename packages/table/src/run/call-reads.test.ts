import { beforeAll, expect, test } from 'vitest'
import { bookItems, type Catalogue, numbered, ownCatalogue } from '../../test/catalogue/table.ts'
import { tableKey } from '../plan/keys.ts'
import { checking, creating } from '../plan/step.ts'
import { callReads } from './call-reads.ts'
import { readCollection } from './collection.ts'
import { tableOn } from './connect.ts'
import { meter, parallel } from './meter.ts'
import { restoreItems } from './restore.ts'

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
  await restoreItems(table.runtime, bookItems('s', 20))
})

const idOf = (index: number) => ({ shelf: 's', genre: 'x', id: numbered(index) })
const keyOf = (index: number) => tableKey(table.Book.entity, idOf(index))

/** A call with its own reads. `cost`: round trips, requests and read units since the last time. */
function begin() {
  const reads = callReads()
  // The table of the same design, over the same connection.
  const books = (tableOn({ ...table.runtime, reads }) as unknown as Catalogue).Book
  const runtime = { ...table.runtime, reads }
  const get = async (index: number) => (await books.get(idOf(index), { consistent: true }))?.id
  const cost = async (work: () => Promise<unknown>) => {
    const { roundTrips, requests, readUnits } = (await meter(work)).cost
    return [roundTrips, requests, readUnits]
  }
  return { reads, books, runtime, get, cost }
}

type Call = ReturnType<typeof begin>

test('a call reads no item twice, also one that is not there, and one that is on its way', async () => {
  const { get, cost } = begin()
  const both = () =>
    parallel(
      () => get(1),
      () => get(1),
    )
  expect(await cost(both)).toEqual([1, 1, 1])
  expect(await both()).toEqual([numbered(1), numbered(1)])
  expect(await cost(() => get(99))).toEqual([1, 1, 1])
  expect(await cost(async () => [await get(99), await get(1)])).toEqual([0, 0, 0])
})

test('what it is going to read comes along with the first item that it wants', async () => {
  const { reads, get, cost } = begin()
  reads.foresee([keyOf(2), keyOf(3), keyOf(1)])
  expect(await cost(() => get(1))).toEqual([1, 1, 3])
  expect(await cost(async () => [await get(2), await get(3)])).toEqual([0, 0, 0])
  expect(await get(3)).toBe(numbered(3))
})

test('only consistent reads are kept', async () => {
  const { books, cost } = begin()
  const eventually = () => books.get(idOf(1))
  await eventually()
  expect(await cost(eventually)).toEqual([1, 1, 0.5])
})

test('a range that a decision reads is read once', async () => {
  const { runtime, cost } = begin()
  const range = () => readCollection(runtime, keyOf(1).PK, { from: keyOf(1).SK, to: keyOf(5).SK })
  expect(await cost(range)).toEqual([1, 1, expect.any(Number)])
  expect(await cost(range)).toEqual([0, 0, 0])
})

test.each<[string, (call: Call) => Promise<unknown>]>([
  ['its own write', ({ books }) => books.update(idOf(1), { owner: 'a' })],
  ['its own write that fails', ({ books }) => books.create(idOf(1)).catch(() => undefined)],
  ['a wait', async ({ reads }) => reads.end()],
])('%s ends it: everything is read when it is wanted', async (_words, ends) => {
  const call = begin()
  await call.get(2)
  await ends(call)
  for (let count = 0; count < 2; count++) expect(await call.cost(() => call.get(2))).toEqual([1, 1, 1])
})

test('a write that goes out with those of other calls ends it, too', async () => {
  const calls = Array.from({ length: 6 }, begin)
  await Promise.all(
    calls.map(async ({ get, runtime }, index) => {
      await get(2)
      const checks = { rests: checking(table.Book.entity, idOf(3)) }
      await tableOn(runtime).transact({ made: creating(table.Book.entity, idOf(100 + index)) }, { extraChecks: { table, checks } })
    }),
  )
  for (const { cost, get } of calls) expect(await cost(() => get(2))).toEqual([1, 1, 1])
})

test('an item that arrives after the end is told to who waits for it, and not kept', async () => {
  const call = begin()
  const waiting = call.get(4)
  call.reads.end()
  expect(await waiting).toBe(numbered(4))
  expect(await call.cost(() => call.get(4))).toEqual([1, 1, 1])
})
