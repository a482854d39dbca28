import { beforeAll, expect, test } from 'vitest'
import { bookItems, type Catalogue, numbered, ownCatalogue } from '../../test/catalogue/table.ts'
import { keyText, tableKey } from '../plan/keys.ts'
import { meter, parallel } from './meter.ts'
import { readingTogether } from './read-together.ts'
import { restoreItems } from './restore.ts'

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
  await restoreItems(table.runtime, bookItems('s', 300))
})

const keyOf = (index: number) => tableKey(table.Book.entity, { shelf: 's', genre: 'x', id: numbered(index) })
const begin = () => {
  const read = readingTogether(table.runtime, { consistent: true })
  return async (...indexes: readonly number[]) => {
    const items = await read(indexes.map(keyOf))
    return indexes.map((index) => items.get(keyText(keyOf(index)))?.id)
  }
}
const counted = async (work: (read: ReturnType<typeof begin>) => Promise<unknown>) => {
  const { result, cost } = await meter(() => work(begin()))
  return { result, cost: [cost.roundTrips, cost.requests, cost.readUnits] }
}

test('what a call wants at its beginning is one request, whichever parts of it want it, and in whatever turns', async () => {
  const { result, cost } = await counted((read) =>
    parallel(
      () => read(1, 2),
      async () => {
        for (let turns = 0; turns < 20; turns++) await undefined
        return read(2, 3)
      },
      () =>
        parallel(
          () => read(4),
          () => read(1),
        ),
    ),
  )
  expect(result).toEqual([
    ['000001', '000002'],
    ['000002', '000003'],
    [['000004'], ['000001']],
  ])
  expect(cost).toEqual([1, 1, 4])
})

test('one item is read alone, and nothing by no request', async () => {
  expect(await counted((read) => read(5))).toEqual({ result: ['000005'], cost: [1, 1, 1] })
  expect(await counted((read) => read())).toEqual({ result: [], cost: [0, 0, 0] })
})

test('what it wants after an answer is a request of its own, and takes a round trip for whoever wants it', async () => {
  const { result, cost } = await counted((read) =>
    parallel(
      async () => [await read(1), await read(2)],
      async () => [await read(3), await read(4), await read(5)],
    ),
  )
  expect(result).toEqual([
    [['000001'], ['000002']],
    [['000003'], ['000004'], ['000005']],
  ])
  expect(cost).toEqual([3, 4, 5])
})

test('more than a batch takes are several requests side by side', async () => {
  const many = Array.from({ length: 150 }, (_, index) => index)
  const { cost } = await counted((read) =>
    parallel(
      () => read(...many),
      () => read(200),
    ),
  )
  expect(cost).toEqual([1, 2, 151])
})

test('a failure is one of all who want it', async () => {
  const closed = { ...table.runtime, sender: { send: () => Promise.reject(new Error('closed')), close: () => {} }, patience_ms: 0 }
  const read = readingTogether(closed, { consistent: true })
  const outcomes = await Promise.allSettled([read([keyOf(1)]), read([keyOf(2)])])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(read([keyOf(3)])).rejects.toMatchObject({ code: 'Unavailable' })
})
