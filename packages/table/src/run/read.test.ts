import { beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { bookItem, bookItems, type Catalogue, catalogueOf, numbered, ownCatalogue, RecordingSender } from '../../test/catalogue/table.ts'
import { refusal } from '../../test/depot/refused.ts'
import type { Sender } from '../dynamo/sender.ts'
import { type FaultySender, faultySender } from '../testing/faulty-sender.ts'
import { meter } from './meter.ts'
import { readItems } from './read.ts'
import { restoreItems } from './restore.ts'

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
  await restoreItems(table.runtime, bookItems('s', 300))
})

const idOf = (index: number) => ({ shelf: 's', genre: 'x', id: numbered(index) })
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => idOf(index))
const found = (items: readonly ({ id: string } | undefined)[]) => items.map((item) => item?.id)

describe('many items at once', () => {
  test.each([
    [0, 0, 0],
    [1, 1, 1],
    [2, 1, 1],
    [100, 1, 1],
    [101, 1, 2],
    [250, 1, 3],
  ])('of %i ids come in their order, in %i round trip and %i requests', async (count, roundTrips, requests) => {
    const ids = idsOf(count).reverse()
    const { result, cost } = await meter(() => table.Book.getMany(ids))
    expect(found(result)).toEqual(ids.map(({ id }) => id))
    expect(cost).toMatchObject({ roundTrips, requests })
  })

  test('are undefined where there are none, and there as often as they were asked for, in any spelling', async () => {
    const ids = [idOf(5), idOf(999), { ...idOf(5), shelf: ' s ' }, idOf(1), idOf(999), { ...idOf(1), shelf: 'S' }]
    expect(found(await table.Book.getMany(ids))).toEqual(['000005', undefined, '000005', '000001', undefined, undefined])
    const same = await meter(() => table.Book.getMany([idOf(5), idOf(5), idOf(5)]))
    expect([found(same.result), same.cost.requests]).toEqual([['000005', '000005', '000005'], 1])
  })

  test('are read consistently where that is asked for', async () => {
    const sender = new RecordingSender()
    const watched = catalogueOf(table.runtime.table, { sender })
    await watched.Book.getMany(idsOf(2), { consistent: true })
    await watched.Book.getMany(idsOf(1), { consistent: true })
    await watched.Book.getMany(idsOf(2))
    const flags = sender.requests.map(({ operation, input }) => [operation, /"ConsistentRead":true/.test(JSON.stringify(input))])
    expect(flags).toEqual([
      ['BatchGetItem', true],
      ['GetItem', true],
      ['BatchGetItem', false],
    ])
  })

  test('are refused for one wrong id, before anything is sent; a malformed one is told', async () => {
    const sender = new RecordingSender()
    const watched = catalogueOf(table.runtime.table, { sender })
    const error = await refusal(watched.Book.getMany([idOf(1), { shelf: 's', genre: 'x' } as never]))
    expect(error).toMatchObject({ code: 'InvalidInput', details: { issues: [{ path: ['id'] }] } })
    expect(sender.requests).toEqual([])
    await restoreItems(table.runtime, [bookItem('s', 'x', 'broken', { pages: 'many' })])
    expect((await refusal(table.Book.getMany([idOf(1), { ...idOf(0), id: 'broken' }]))).code).toBe('MalformedItem')
  })

  test('over 16 MB, which one answer cannot hold, come all the same', async () => {
    const owner = 'o'.repeat(390_000)
    await restoreItems(
      table.runtime,
      bookItems('heavy', 60, () => ({ owner })),
    )
    const ids = idsOf(60).map((id) => ({ ...id, shelf: 'heavy' }))
    const items = await table.Book.getMany(ids)
    expect(found(items)).toEqual(ids.map(({ id }) => id))
  })
})

describe('keys that were not processed', () => {
  let faults: FaultySender
  let sender: Sender
  const slept: number[] = []
  const through = async (left: number, times: number) => {
    faults = faultySender(engineSender(), [{ operation: 'BatchGetItem', fault: { kind: 'unprocessed', left }, times }])
    sender = faults
    slept.length = 0
    return catalogueOf(table.runtime.table, { sender, random: () => 0.5, sleep: async (ms) => void slept.push(ms) })
  }

  test('are asked for again until they are, each wait longer than none', async () => {
    const slow = await through(30, 5)
    const { result, cost } = await meter(() => slow.Book.getMany(idsOf(100), { consistent: true }))
    expect(found(result)).toEqual(idsOf(100).map(({ id }) => id))
    // 100, then 30 that remain all of a batch four times, then 30 in peace.
    expect(faults.log).toHaveLength(6)
    expect(cost.roundTrips).toBe(6)
    expect(slept).toEqual([12.5, 25, 50, 100, 200])
    expect(faults.log.every(({ input }) => JSON.stringify(input).includes('"ConsistentRead":true'))).toBe(true)
  })

  test('begin to be waited for anew where a batch brought something', async () => {
    const slow = await through(1, 3)
    expect(found(await slow.Book.getMany(idsOf(3)))).toEqual(['000000', '000001', '000002'])
    expect(slept).toEqual([12.5, 25, 50])
  })

  test('for good are told, after nine answers with nothing in them', async () => {
    const slow = await through(100, 1_000)
    expect(await refusal(slow.Book.getMany(idsOf(2)))).toMatchObject({ code: 'Busy', category: 'retryable' })
    expect(faults.log).toHaveLength(9)
  })

  test('of one batch do not lose those of others', async () => {
    const slow = await through(90, 2)
    expect(found(await slow.Book.getMany(idsOf(250)))).toEqual(idsOf(250).map(({ id }) => id))
  })
})

test('items are read by their keys, whatever their entity', async () => {
  const keys = [
    { PK: 'SHELF#s', SK: 'BOOK#x#000001' },
    { PK: 'SHELF#s', SK: 'BOOK#x#none' },
  ]
  const items = await readItems(table.runtime, keys, {})
  expect([...items].map(([place, item]) => [place, item?.id])).toEqual([
    ['SHELF#s\u0000BOOK#x#000001', '000001'],
    ['SHELF#s\u0000BOOK#x#none', undefined],
  ])
})
