import { beforeAll, describe, expect, test } from 'vitest'
import { Book } from '../../test/catalogue/design.ts'
import { bookItem, bookItems, type Catalogue, catalogueOf, numbered, ownCatalogue, RecordingSender } from '../../test/catalogue/table.ts'
import { prefixRange } from '../key/range.ts'
import type { Stored } from '../plan/stored.ts'
import { viewItem } from '../plan/view.ts'
import { collectionPages, readCollection, readRange } from './collection.ts'
import { meter } from './meter.ts'
import { restoreItems } from './restore.ts'

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
})

const books = prefixRange('BOOK#x#')
const ids = (items: readonly Stored[]) => items.map(({ id }) => id)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => numbered(index))

/** Items of another kind and case on either side of the range. */
const decoys = (shelf: string) => [
  bookItem(shelf, 'w', 'before'),
  bookItem(shelf, 'x!', 'between'),
  bookItem(shelf, 'xx', 'longer'),
  bookItem(shelf, 'X', 'capital'),
  { ...bookItem(shelf, 'x', 'lower'), SK: 'book#x#1' },
]

describe('a whole collection', () => {
  // A full page says that more follows even where nothing does: then the last key is asked for beside the second page.
  test.each([
    [0, 1, 1],
    [1, 1, 1],
    [999, 1, 1],
    [1_000, 2, 3],
    [1_001, 2, 3],
    [1_999, 2, 3],
    [2_000, 2, 3],
    [2_001, 3, 4],
    [3_000, 3, 4],
  ])('of %i items is read whole in %i round trips', async (count, roundTrips, requests) => {
    const shelf = `n${count}`
    await restoreItems(table.runtime, [...bookItems(shelf, count), ...decoys(shelf)])
    const { result, cost } = await meter(() => readCollection(table.runtime, `SHELF#${shelf}`, books))
    expect(ids(result)).toEqual(upTo(count))
    expect(cost).toMatchObject({ roundTrips, requests })
  })

  test('of more than 1 MB takes one more round trip for each further one', async () => {
    await restoreItems(table.runtime, [...bookItems('heavy', 20, () => ({ owner: 'n'.repeat(300_000) })), ...decoys('heavy')])
    const { result, cost } = await meter(() => readCollection(table.runtime, 'SHELF#heavy', books))
    expect(ids(result)).toEqual(upTo(20))
    // 6 MB.
    expect(cost.roundTrips).toBeGreaterThanOrEqual(5)
    expect(cost.roundTrips).toBeLessThanOrEqual(7)
  })

  test('is read consistently: twice the units of what is not', async () => {
    await restoreItems(table.runtime, [bookItem('one', 'x', 'a')])
    const { cost } = await meter(() => readCollection(table.runtime, 'SHELF#one', books))
    expect(cost).toMatchObject({ readUnits: 1, writeUnits: 0 })
  })

  test('leaves out what has not the attributes that were asked for, on every page', async () => {
    const owner = (index: number) => ({ owner: index % 700 === 0 ? 'ada' : 'bob', ...(index % 1_400 === 0 ? { state: 'in' } : {}) })
    await restoreItems(table.runtime, [...bookItems('owned', 2_500, owner), ...decoys('owned')])
    const read = (equal: Record<string, string>) => readCollection(table.runtime, 'SHELF#owned', books, { equal })
    expect(ids(await read({ owner: 'ada' }))).toEqual([0, 700, 1_400, 2_100].map(numbered))
    expect(ids(await read({ owner: 'ada', state: 'in' }))).toEqual([0, 1_400].map(numbered))
    expect(await read({ owner: 'eve' })).toEqual([])
    expect(await read({})).toHaveLength(2_500)
  })

  test('is read though an attribute of one item cannot be, which is malformed where it is seen', async () => {
    const shelf = 'mixed'
    await restoreItems(table.runtime, [...bookItems(shelf, 1_001, () => ({ owner: 'ada' })), ...decoys(shelf)])
    const key = { PK: { S: `SHELF#${shelf}` }, SK: { S: 'BOOK#x#last' } }
    const unreadable = { ...key, owner: { S: 'bob' }, pages: { N: '12345678901234567890123456789' } }
    await table.runtime.sender.send('PutItem', { TableName: table.runtime.table, Item: unreadable })
    const read = (owner: string) => readCollection(table.runtime, `SHELF#${shelf}`, books, { equal: { owner } })
    expect(ids(await read('ada'))).toEqual(upTo(1_001))
    const [last, ...others] = await read('bob')
    expect([last?.SK, others]).toEqual(['BOOK#x#last', []])
    expect(() => viewItem(Book, last ?? {})).toThrow(expect.objectContaining({ code: 'MalformedItem' }))
  })
})

test('the whole partition is a range from its first key, and no value of a key that is sent is empty', async () => {
  await restoreItems(table.runtime, [...bookItems('all', 1_001), ...decoys('all')])
  const sender = new RecordingSender()
  const all = await readCollection(catalogueOf(table.runtime.table, { sender }).runtime, 'SHELF#all', prefixRange(''))
  expect(all).toHaveLength(1_006)
  expect(sender.requests).toHaveLength(3)
  expect(JSON.stringify(sender.requests)).not.toContain('{"S":""}')
})

describe('a range', () => {
  beforeAll(() => restoreItems(table.runtime, [...bookItems('five', 5), ...decoys('five')]))
  const read = (limit: number, after?: string) => readRange(table.runtime, 'SHELF#five', books, { limit, after })

  test('is read in one request, from after a sort key', async () => {
    const { result, cost } = await meter(() => read(2, 'BOOK#x#000001'))
    expect([ids(result.items), result.isLast]).toEqual([['000002', '000003'], false])
    expect(cost.requests).toBe(1)
  })

  test('says that it was the last only where none can follow', async () => {
    expect((await read(6)).isLast).toBe(true)
    expect((await read(4)).isLast).toBe(false)
    expect(await read(5, 'BOOK#x#000004')).toEqual({ items: [], isLast: true })
  })

  test('that 1 MB cuts short is not the last', async () => {
    await restoreItems(
      table.runtime,
      bookItems('cut', 6, () => ({ owner: 'n'.repeat(300_000) })),
    )
    const first = await readRange(table.runtime, 'SHELF#cut', books, { limit: 10 })
    expect(first.items.length).toBeLessThan(6)
    expect(first.isLast).toBe(false)
    const after = `BOOK#x#${first.items.at(-1)?.id}`
    const second = await readRange(table.runtime, 'SHELF#cut', books, { limit: 10, after })
    expect(ids([...first.items, ...second.items])).toEqual(upTo(6))
    expect(second.isLast).toBe(true)
  })

  test('goes on from a key that is not there', async () => {
    expect(ids((await read(10, 'BOOK#x#000001x')).items)).toEqual(['000002', '000003', '000004'])
  })
})

test('pages of a range come as they lie in the table, each when it is asked for', async () => {
  await restoreItems(table.runtime, [...bookItems('paged', 5), ...decoys('paged')])
  const { result, cost } = await meter(async () => {
    const pages: unknown[][] = []
    for await (const page of collectionPages(table.runtime, 'SHELF#paged', books, 2)) pages.push(ids(page))
    return pages
  })
  expect(result).toEqual([['000000', '000001'], ['000002', '000003'], ['000004']])
  expect(cost.requests).toBe(3)
  const { cost: first } = await meter(() => collectionPages(table.runtime, 'SHELF#paged', books, 2).next())
  expect(first.requests).toBe(1)
})
