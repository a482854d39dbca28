import { openEngine } from '@freehold/engine'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { count, design, entity, query, queryOn, stamp, text, ulid, unique } from '../language.ts'
import { connect } from '../run/connect.ts'
import { ensureTable } from '../run/ensure-table.ts'
import { Clock } from './clock.ts'
import { countedIds } from './counted-ids.ts'
import { testTable } from './test-table.ts'

const Book = entity('Book', {
  attributes: { shelf: text(), bookId: ulid().made(), isbn: text(), title: text(), copies: count().default(0), addedAt: stamp.onCreate() },
  key: ['SHELF#{shelf}', 'BOOK#{bookId}'],
  indexes: { GSI1: ['TITLE#{title}', 'BOOK#{bookId}'] },
})
const BookIsbn = unique('BookIsbn', Book, ['ISBN#{isbn}', 'META'])
const books = design({
  name: 'books',
  table: 'books',
  entities: { Book, BookIsbn },
  patterns: { ofShelf: query('SHELF#{shelf}').returns(Book), byTitle: queryOn('GSI1', 'TITLE#{title}').returns(Book) },
})
const emma = { shelf: 'a', isbn: '1', title: 'Emma' }

test.each([
  ['in memory', { memory: true }],
  ['on disk', { path: temporaryFolder() }],
])('a design over an engine %s writes, guards, queries and refuses as over DynamoDB', async (_, options) => {
  const engine = await openEngine(options)
  const table = connect(books, { engine })
  expect(await ensureTable(table.runtime)).toBe(true)
  expect(await ensureTable(table.runtime)).toBe(false)
  const { bookId } = await table.Book.create({ ...emma, copies: 2 })
  const id = { shelf: 'a', bookId }
  await table.Book.create({ ...emma, isbn: '2' })
  await expect(table.Book.create({ ...emma, shelf: 'b' })).rejects.toMatchObject({ code: 'AlreadyExists' })
  await table.Book.update(id, { title: 'Persuasion' })
  expect((await table.ofShelf({ shelf: 'a' })).items.map(({ isbn, title }) => [isbn, title])).toEqual([
    ['1', 'Persuasion'],
    ['2', 'Emma'],
  ])
  expect((await table.byTitle({ title: 'Persuasion' })).items.map(({ isbn }) => isbn)).toEqual(['1'])
  await table.Book.remove(id)
  expect(await table.Book.get(id)).toBeUndefined()
  await engine.close()
})

describe('a table of a test', () => {
  test('is there, is empty, and is its own', async () => {
    const [one, other] = [await testTable(books), await testTable(books)]
    await one.Book.create(emma)
    expect((await one.ofShelf({ shelf: 'a' })).items).toHaveLength(1)
    expect((await other.ofShelf({ shelf: 'a' })).items).toEqual([])
  })

  test('makes ids and stamps of its ids and clock', async () => {
    const clock = new Clock('2026-03-01T12:00:00.000Z')
    const table = await testTable(books, { now: clock.now, ids: countedIds() })
    await table.Book.create(emma)
    clock.forward(1_000)
    await table.Book.create({ ...emma, isbn: '2' })
    expect((await table.ofShelf({ shelf: 'a' })).items.map(({ bookId, addedAt }) => [bookId, addedAt])).toEqual([
      ['01J00000000000000000000001', '2026-03-01T12:00:00.000Z'],
      ['01J00000000000000000000002', '2026-03-01T12:00:01.000Z'],
    ])
  })

  test('has an index that is late by the clock', async () => {
    const clock = new Clock()
    const table = await testTable(books, { now: clock.now, unkind: { seed: 1, lateIndexes_ms: 1_000 } })
    await table.Book.create(emma)
    expect((await table.byTitle({ title: 'Emma' })).items).toEqual([])
    clock.forward(1_000)
    expect((await table.byTitle({ title: 'Emma' })).items).toHaveLength(1)
  })

  const lost = { operation: 'TransactWriteItems', fault: { kind: 'lose-answer' } } as const
  test.each([
    ['one', 1, undefined],
    ['each', Number.POSITIVE_INFINITY, { code: 'Unavailable', details: { uncertain: true } }],
  ])('loses %s of its answers, and nothing waits', async (_, times, error) => {
    const table = await testTable(books, { faults: [{ ...lost, times }] })
    const creation = table.Book.create(emma)
    if (error === undefined) expect(await creation).toMatchObject(emma)
    else await expect(creation).rejects.toMatchObject(error)
    expect((await table.ofShelf({ shelf: 'a' })).items).toHaveLength(1)
  })

  test('is there even if all answers that its program gets are lost', async () => {
    const table = await testTable(books, { unkind: { seed: 1, lostAfter: 1 } })
    await expect(table.ofShelf({ shelf: 'a' })).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('shares an engine with another', async () => {
    const engine = await openEngine({ memory: true })
    const [one, other] = [await testTable(books, { engine, table: 'one' }), await testTable(books, { engine, table: 'other' })]
    await one.Book.create(emma)
    expect((await other.ofShelf({ shelf: 'a' })).items).toEqual([])
    expect((await connect(books, { engine, table: 'one' }).ofShelf({ shelf: 'a' })).items).toHaveLength(1)
  })
})
