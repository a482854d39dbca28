import { connect, count, design, entity, query, queryOn, text, unique } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../test/engines.ts'

const Book = entity('Book', {
  attributes: { shelf: text(), isbn: text(), title: text(), copies: count().made(0) },
  key: ['SHELF#{shelf}', 'BOOK#{isbn}'],
  indexes: { GSI1: ['TITLE#{title}', 'BOOK#{isbn}'] },
})
const BookIsbn = unique('BookIsbn', Book, ['ISBN#{isbn}', 'META'])
const books = design({
  name: 'books',
  table: 'books',
  entities: { Book, BookIsbn },
  patterns: { ofShelf: query('SHELF#{shelf}').returns(Book), byTitle: queryOn('GSI1', 'TITLE#{title}').returns(Book) },
})

describe.each(kinds)('a design over an engine $kind', ({ open }) => {
  test('writes, guards, queries and refuses as over DynamoDB', async () => {
    const engine = await open()
    const table = connect(books, { engine })
    expect(await ensureTable(table.runtime)).toBe(true)
    expect(await ensureTable(table.runtime)).toBe(false)
    for (const isbn of ['3', '1', '2']) await table.Book.create({ shelf: 'a', isbn, title: 'Emma', copies: 2 })
    await expect(table.Book.create({ shelf: 'b', isbn: '1', title: 'Persuasion' })).rejects.toMatchObject({ code: 'AlreadyExists' })
    await table.Book.update({ shelf: 'a', isbn: '2' }, { title: 'Persuasion' })
    await table.Book.remove({ shelf: 'a', isbn: '3' })
    const { items } = await table.ofShelf({ shelf: 'a' })
    expect(items.map(({ isbn, title }) => [isbn, title])).toEqual([
      ['1', 'Emma'],
      ['2', 'Persuasion'],
    ])
    expect((await table.byTitle({ title: 'Persuasion' })).items.map(({ isbn }) => isbn)).toEqual(['2'])
    expect(await table.Book.get({ shelf: 'a', isbn: '3' })).toBeUndefined()
  })

  test('gives up a call that its caller gave up', async () => {
    const { sender } = await open()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(sender.send('DescribeTable', { TableName: 'books' }, { signal })).rejects.toThrow('enough')
  })
})
