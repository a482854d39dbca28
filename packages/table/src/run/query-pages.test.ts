import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookItem, bookItems, type Catalogue, catalogueOf, numbered, ownCatalogue, RecordingSender } from '../../test/catalogue/table.ts'
import { refusal } from '../../test/depot/refused.ts'
import { Clock, directSender } from '../../test/depot/table.ts'
import { meter } from './meter.ts'
import { restoreItems } from './restore.ts'

// How a list is cut into pages, and what is on them.

const clock = new Clock()
let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue({ now: clock.now })
  await restore(bookItems('five', 5))
})
beforeEach(() => {
  clock.at = new Clock().at
})
const restore = (items: readonly Readonly<Record<string, unknown>>[]) => restoreItems(table.runtime, items)
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => numbered(from + index))

interface Paged {
  readonly items: readonly { readonly id: string }[]
  readonly cursor?: string
}

async function collected<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of iterable) items.push(item)
  return items
}

/** The ids of each page, one page after the other. */
async function pagesOf(page: (cursor: string | undefined) => Promise<Paged>): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { items, cursor: next } = await page(cursor)
    pages.push(ids(items))
    cursor = next
  } while (cursor !== undefined)
  return pages
}

describe('a page', () => {
  test('of as many items as there are is the last, and has no cursor', async () => {
    expect(await table.shelf({ shelf: 'five' }, { limit: 5 })).toEqual({ items: expect.any(Array) })
    expect(await pagesOf((cursor) => table.shelf({ shelf: 'five' }, { limit: 5, cursor }))).toEqual([range(0, 5)])
    expect(await table.shelf({ shelf: 'none' })).toEqual({ items: [] })
  })

  test.each([
    [1, [1, 1, 1, 1, 1]],
    [2, [2, 2, 1]],
    [4, [4, 1]],
    [6, [5]],
    [1000, [5]],
  ])('of at most %i: every item once and in order', async (limit, sizes) => {
    const pages = await pagesOf((cursor) => table.shelf({ shelf: 'five' }, { limit, cursor }))
    expect(pages.map((page) => page.length)).toEqual(sizes)
    expect(pages.flat()).toEqual(range(0, 5))
  })

  test('has 100 items unless another number is asked for, and costs one request', async () => {
    await restore(bookItems('hundreds', 201))
    const pages = await pagesOf((cursor) => table.shelf({ shelf: 'hundreds' }, { cursor }))
    expect(pages.map((page) => page.length)).toEqual([100, 100, 1])
    const { cost } = await meter(() => table.shelf({ shelf: 'hundreds' }))
    expect(cost).toMatchObject({ roundTrips: 1, requests: 1 })
  })

  test.each([0, -1, 1001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null, {}, Symbol('five')])(
    'of %s items is refused',
    async (limit) => {
      const sender = new RecordingSender()
      const watched = catalogueOf(table.runtime.table, { sender })
      const error = await refusal(watched.shelf({ shelf: 'five' }, { limit: limit as never }))
      expect(error).toMatchObject({ code: 'InvalidInput', details: { issues: [{ path: ['limit'] }] } })
      expect(sender.requests).toEqual([])
    },
  )

  test('goes on where the one before ended, also where the item there was removed or others came', async () => {
    await restore(['b', 'c', 'd'].map((id) => bookItem('moving', 'x', id)))
    const first = await table.shelf({ shelf: 'moving' }, { limit: 2 })
    await directSender().send('DeleteItem', { TableName: table.runtime.table, Key: { PK: { S: 'SHELF#moving' }, SK: { S: 'BOOK#x#c' } } })
    await restore(['a', 'cc', 'e'].map((id) => bookItem('moving', 'x', id)))
    const second = await table.shelf({ shelf: 'moving' }, { limit: 2, cursor: first.cursor })
    expect([ids(first.items), ids(second.items)]).toEqual([
      ['b', 'c'],
      ['cc', 'd'],
    ])
    expect(ids((await table.shelf({ shelf: 'moving' }, { cursor: second.cursor })).items)).toEqual(['e'])
  })

  test('is in the order of its pattern unless another is asked for', async () => {
    const backwards = range(0, 5).reverse()
    const shelf = 'five'
    expect(ids((await table.newestFirst({ shelf })).items)).toEqual(backwards)
    expect(ids((await table.newestFirst({ shelf }, { order: 'ascending' })).items)).toEqual(range(0, 5))
    expect(ids((await table.shelf({ shelf }, { order: 'descending' })).items)).toEqual(backwards)
    const pages = await pagesOf((cursor) => table.shelf({ shelf }, { order: 'descending', limit: 2, cursor }))
    expect(pages.flat()).toEqual(backwards)
    expect((await pagesOf((cursor) => table.newestFirst({ shelf }, { limit: 3, cursor }))).flat()).toEqual(backwards)
  })

  test('over 1 MB is filled all the same', async () => {
    const note = 'n'.repeat(300_000)
    await restore(bookItems('heavy', 9, () => ({ owner: note })))
    const pages = await pagesOf((cursor) => table.shelf({ shelf: 'heavy' }, { limit: 8, cursor }))
    expect(pages).toEqual([range(0, 8), range(8, 9)])
  })
})

describe('a filter', () => {
  test('drops items, and the page is filled in spite of it', async () => {
    await restore(bookItems('thirds', 600, (index) => ({ state: index % 3 === 0 ? 'out' : 'in' })))
    const pages = await pagesOf((cursor) => table.ofState({ shelf: 'thirds', state: 'out' }, { limit: 60, cursor }))
    expect(pages.map((page) => page.length)).toEqual([60, 60, 60, 20])
    expect(pages.flat()).toEqual(range(0, 600).filter((_, index) => index % 3 === 0))
  })

  test('is left out where its parameter is, and counts where it is given', async () => {
    await restore([
      bookItem('some', 'x', 'a', { state: 'in', owner: 'ada' }),
      bookItem('some', 'x', 'b', { state: 'in', owner: 'bob' }),
      bookItem('some', 'x', 'c', { state: 'out', owner: 'ada' }),
      bookItem('some', 'x', 'd'),
    ])
    const found = async (more: object) => ids((await table.perhapsOf({ shelf: 'some', ...more })).items)
    expect(await found({})).toEqual(['a', 'b', 'c', 'd'])
    expect(await found({ state: undefined, owner: null })).toEqual(['a', 'b', 'c', 'd'])
    expect(await found({ state: 'in' })).toEqual(['a', 'b'])
    expect(await found({ owner: ' ada ' })).toEqual(['a', 'c'])
    expect(await found({ owner: 'ada', state: 'out' })).toEqual(['c'])
    expect(await found({ owner: 'Ada' })).toEqual([])
  })

  test('costs at most ten DynamoDB pages a page: a short one has a cursor, and all of them together are complete', async () => {
    const wanted = [1_500, 1_501, 2_400]
    await restore(bookItems('rare', 2_500, (index) => (wanted.includes(index) ? { state: 'out' } : {})))
    const costs: number[] = []
    const pages = await pagesOf(async (cursor) => {
      const { result, cost } = await meter(() => table.ofState({ shelf: 'rare', state: 'out' }, { limit: 2, cursor }))
      costs.push(cost.requests)
      return result
    })
    expect(pages).toEqual([[], [numbered(1_500), numbered(1_501)], [numbered(2_400)]])
    // A full DynamoDB page does not say that it is the last, so one more is asked for.
    expect(costs).toEqual([10, 10, 6])
  })
})

describe('what does not belong', () => {
  let count = 0
  const broken = [
    [{ pages: 'many' }, 'pages is not a number'],
    [{ state: 'lost' }, 'state is not an enum'],
    [{ genre: 5 }, 'genre is not a text'],
    [{ Type: 'Magazine' }, "its Type is 'Magazine'"],
    [{ Type: 'Word' }, 'is a Word, which shelf does not return'],
    [{ Type: 'Word', list: 'w', word: 'whole' }, 'is a Word, which shelf does not return'],
    [{ Type: 5 }, "its Type is '5'"],
  ] as const

  test.each(broken)('is reported with its key, not dropped and not cast: %j', async (more, reason) => {
    // Neutral: the reason quotes the key.
    const shelf = `broken${++count}`
    await restore([bookItem(shelf, 'x', 'a'), bookItem(shelf, 'x', 'b', more), bookItem(shelf, 'x', 'c')])
    const page = await table.shelf({ shelf })
    expect(ids(page.items)).toEqual(['a', 'c'])
    expect(page.malformed).toEqual([{ key: { PK: `SHELF#${shelf}`, SK: 'BOOK#x#b' }, reason: expect.stringContaining(reason) }])
    expect(page.cursor).toBeUndefined()
  })

  test('is reported where a number is one that JavaScript does not have', async () => {
    const { table: TableName } = table.runtime
    await restore([bookItem('digits', 'x', 'a')])
    const Item = { PK: { S: 'SHELF#digits' }, SK: { S: 'BOOK#x#b' }, Type: { S: 'Book' }, pages: { N: '12345678901234567890123456789' } }
    await directSender().send('PutItem', { TableName, Item })
    const page = await table.shelf({ shelf: 'digits' })
    expect(ids(page.items)).toEqual(['a'])
    expect(page.malformed).toMatchObject([{ key: { PK: 'SHELF#digits', SK: 'BOOK#x#b' } }])
  })

  test('is reported once, on the page where it stands, and takes no place of an item', async () => {
    const wrong = (id: string) => bookItem('mixed', 'x', id, { pages: 'many' })
    await restore([wrong('0'), bookItem('mixed', 'x', '1'), wrong('2'), wrong('3'), bookItem('mixed', 'x', '4'), wrong('5')])
    const reported: string[][] = []
    const pages = await pagesOf(async (cursor) => {
      const page = await table.shelf({ shelf: 'mixed' }, { limit: 1, cursor })
      reported.push((page.malformed ?? []).map(({ key }) => key.SK.slice(-1)))
      return page
    })
    expect(pages.flat()).toEqual(['1', '4'])
    expect(reported.flat()).toEqual(['0', '2', '3', '5'])
    const iterated = collected(table.shelf.all({ shelf: 'mixed' }))
    expect(await refusal(iterated)).toMatchObject({ code: 'MalformedItem', details: { key: { SK: 'BOOK#x#0' } } })
  })

  test('is an item past its end, at once', async () => {
    const visit = (id: string, until?: string) => ({
      PK: 'VISITS#d',
      SK: `VISIT#2026-03-01T00:00:00.000Z#${id}`,
      ...{ Type: 'Visit', version: 1, desk: 'd', at: '2026-03-01T00:00:00.000Z', id },
      ...(until === undefined ? {} : { until, ttl: Math.ceil(Date.parse(until) / 1000) }),
    })
    await restore([visit('a'), visit('b', '2026-03-01T12:00:00.500Z'), visit('c', '2026-03-01T13:00:00.000Z')])
    const found = async () => ids((await table.visitsFrom({ desk: 'd', first: '2026-03-01' })).items)
    expect(await found()).toEqual(['a', 'b', 'c'])
    clock.forward(499)
    expect(await found()).toEqual(['a', 'b', 'c'])
    clock.forward(1)
    expect(await found()).toEqual(['a', 'c'])
    clock.forward(3_600_000)
    expect(await pagesOf((cursor) => table.visitsFrom({ desk: 'd', first: '2026-03-01' }, { limit: 1, cursor }))).toEqual([['a']])
  })
})

test('secrets are absent unless they are named, and so are keys and attributes that no design knows', async () => {
  await restore([bookItem('secret', 'x', 'a', { note: 'hidden', colour: 'red' })])
  const seen = { Type: 'Book', version: 1, shelf: 'secret', genre: 'x', id: 'a' }
  expect((await table.shelf({ shelf: 'secret' })).items).toEqual([seen])
  expect((await table.shelf({ shelf: 'secret' }, { secrets: ['other'] })).items).toEqual([seen])
  expect((await table.shelf({ shelf: 'secret' }, { secrets: ['note'] })).items).toEqual([{ ...seen, note: 'hidden' }])
  expect(await collected(table.shelf.all({ shelf: 'secret' }, { secrets: ['note'] }))).toEqual([{ ...seen, note: 'hidden' }])
})

test('iteration gives every item of a long list, reading as it goes', async () => {
  await restore(bookItems('long', 2_345))
  const all = await collected(table.shelf.all({ shelf: 'long' }))
  expect(ids(all)).toEqual(range(0, 2_345))
  const { result, cost } = await meter(async () => {
    for await (const { id } of table.shelf.all({ shelf: 'long' }, { order: 'descending', limit: 10 })) return id
    return undefined
  })
  expect([result, cost.requests]).toEqual([numbered(2_344), 1])
  expect(await refusal(collected(table.shelf.all({ shelf: 5 as never })))).toMatchObject({ code: 'InvalidInput' })
})
