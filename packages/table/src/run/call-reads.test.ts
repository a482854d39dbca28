import { beforeAll, expect, test } from 'vitest'
import { bookItems, type Catalogue, numbered, ownCatalogue } from '../../test/catalogue/table.ts'
import type { Sender } from '../dynamo/sender.ts'
import { tableKey } from '../plan/keys.ts'
import { checking, creating } from '../plan/step.ts'
import { faultySender } from '../testing/faulty-sender.ts'
import { callReads } from './call-reads.ts'
import { readCollection } from './collection.ts'
import { tableOn } from './connect.ts'
import { meter, parallel } from './meter.ts'
import { restoreItems } from './restore.ts'
import type { Runtime } from './runtime.ts'

/** A promise, and what settles it. */
function signal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
  await restoreItems(table.runtime, bookItems('s', 20))
})

const idOf = (index: number) => ({ shelf: 's', genre: 'x', id: numbered(index) })
const keyOf = (index: number) => tableKey(table.Book.entity, idOf(index))

/** A call with its own reads. `cost`: round trips, requests and read units since the last time. */
function begin(how: Partial<Pick<Runtime, 'sender' | 'end_ms' | 'monotonic_ms'>> = {}) {
  const own = { ...table.runtime, ...how }
  const reads = callReads(own)
  const runtime = { ...own, reads }
  // The table of the same design, over the same connection.
  const books = (tableOn(runtime) as unknown as Catalogue).Book
  const get = async (index: number) => (await books.get(idOf(index), { consistent: true }))?.id
  const cost = async (work: () => Promise<unknown>) => {
    const { roundTrips, requests, readUnits } = (await meter(work)).cost
    return [roundTrips, requests, readUnits]
  }
  const range = () => readCollection(runtime, keyOf(1).PK, { from: keyOf(1).SK, to: keyOf(50).SK })
  return { reads, books, runtime, get, cost, range }
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
  const { range, cost } = begin()
  expect(await cost(range)).toEqual([1, 1, expect.any(Number)])
  expect(await cost(range)).toEqual([0, 0, 0])
})

test('calls of one connection wait for one request for a range, but for none that was sent before they began', async () => {
  const { sender } = table.runtime
  const read = signal()
  const held = signal()
  const queries: unknown[] = []
  const holding: Sender = {
    ...table.runtime.sender,
    send: async (operation, input, options) => {
      queries.push(operation)
      const answer = await sender.send(operation, input, options)
      read.give()
      await held.given
      return answer
    },
  }
  const call = () => begin({ sender: holding })
  const [first, joining, idle] = [call(), call(), call()]
  const early = [first.range(), joining.range()]
  await read.given
  await table.Book.create(idOf(30))
  const late = call().range()
  held.give()
  const [one, other, newer] = await Promise.all([...early, late])
  expect(other).toEqual(one)
  expect(newer).toHaveLength((one?.length ?? 0) + 1)
  expect(queries).toEqual(['Query', 'Query'])
  expect(await joining.cost(joining.range)).toEqual([0, 0, 0])
  // What has arrived is no one's but that call's.
  expect(await idle.range()).toEqual(newer)
  expect(queries).toHaveLength(3)
})

test.each([
  ['sends its own', 9_000, ['rejected', 'fulfilled']],
  ['fails, too, if its time is over', 10_000, ['rejected', 'rejected']],
])('a request that fails fails the call that sent it: another that waited for it %s', async (_words, takes_ms, expected) => {
  let at_ms = 0
  const when = () => {
    at_ms += takes_ms
    return true
  }
  const sender = faultySender(table.runtime.sender, [{ operation: 'Query', when, fault: { kind: 'deny' } }])
  const calls = [1, 2].map(() => begin({ sender, end_ms: 10_000, monotonic_ms: () => at_ms }))
  const outcomes = await Promise.allSettled(calls.map(({ range }) => range()))
  expect(outcomes.map(({ status }) => status)).toEqual(expected)
  expect(sender.log).toHaveLength(expected.includes('fulfilled') ? 2 : 1)
})

test('no call waits for a request that may take longer than its own', async () => {
  const sender = faultySender(table.runtime.sender)
  const calls = [9_000, 8_000, 8_500].map((end_ms) => begin({ sender, end_ms, monotonic_ms: () => 0 }))
  await Promise.all(calls.map(({ range }) => range()))
  expect(sender.log).toHaveLength(2)
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
