import { beforeAll, describe, expect, test } from 'vitest'
import { bookItem, type Catalogue, catalogueOf, ownCatalogue, RecordingSender } from '../../test/catalogue/table.ts'
import { refusal } from '../../test/depot/refused.ts'
import type { Sender } from '../dynamo/sender.ts'
import { restoreItems } from './restore.ts'

// The items that each operator reads, and those that it must not read: the items and decoys are written by hand.

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
})
const restore = (items: readonly Readonly<Record<string, unknown>>[]) => restoreItems(table.runtime, items)

/** The sort keys of a page after their last literal. */
const ids = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)

describe('whole segments, and a part of one', () => {
  beforeAll(() =>
    restore([
      bookItem('s', 'p1', 'a'),
      bookItem('s', 'p1', 'b'),
      // Items that a careless prefix, a missing delimiter, another case or another partition would return.
      bookItem('s', 'p10', 'ten'),
      bookItem('s', 'p', 'short'),
      bookItem('s', 'P1', 'capital'),
      bookItem('s', 'p1 x', 'space'),
      bookItem('s2', 'p1', 'elsewhere'),
      bookItem('S', 'p1', 'upper'),
      { ...bookItem('s', 'p1', 'lower'), SK: 'book#p1#lower' },
      { ...bookItem('s', 'p1', 'prefix'), SK: 'ABOOK#p1#prefix' },
      bookItem('s', 'caf\u00e9', 'composed'),
      bookItem('s', 'cafe', 'plain'),
    ]),
  )

  test('beginsWith finds nothing of p10 for p1, nor of another case or another shelf', async () => {
    expect(ids(await table.genre({ shelf: 's', genre: 'p1' }))).toEqual(['a', 'b'])
    expect(ids(await table.genre({ shelf: 's', genre: 'p' }))).toEqual(['short'])
    expect(ids(await table.genre({ shelf: 's', genre: 'P1' }))).toEqual(['capital'])
    expect(ids(await table.genre({ shelf: 's', genre: 'p2' }))).toEqual([])
  })

  test('beginsWithPart finds every value with that beginning, exact in case', async () => {
    expect(ids(await table.genrePart({ shelf: 's', start: 'p1' }))).toEqual(['space', 'a', 'b', 'ten'])
    expect(ids(await table.genrePart({ shelf: 's', start: 'P' }))).toEqual(['capital'])
    expect(ids(await table.genrePart({ shelf: 's', start: 'q' }))).toEqual([])
  })

  test('parameters are normalised as attributes are; a part of a value keeps its spaces', async () => {
    expect(ids(await table.genre({ shelf: ' s ', genre: ' cafe\u0301 ' }))).toEqual(['composed'])
    expect(ids(await table.genrePart({ shelf: 's', start: 'cafe\u0301' }))).toEqual(['composed'])
    expect(ids(await table.genrePart({ shelf: 's', start: 'p1 ' }))).toEqual(['space'])
  })

  test('equals finds the one item', async () => {
    expect(ids(await table.book({ shelf: 's', genre: 'p1', id: 'a' }))).toEqual(['a'])
    expect(ids(await table.book({ shelf: 's', genre: 'p1', id: 'A' }))).toEqual([])
  })

  test('a comparison of a segment takes in all that follows its value, and no longer value that begins with it', async () => {
    expect(ids(await table.genresTo({ shelf: 's', last: 'p1' }))).toEqual(['capital', 'plain', 'composed', 'short', 'space', 'a', 'b'])
    expect(ids(await table.genresFrom({ shelf: 's', first: 'p1' }))).toEqual(['a', 'b', 'ten'])
    expect(ids(await table.genresBetween({ shelf: 's', first: 'p', last: 'p1' }))).toEqual(['short', 'space', 'a', 'b'])
    expect(ids(await table.genresBetween({ shelf: 's', first: 'p1', last: 'p1' }))).toEqual(['a', 'b'])
  })

  test('a value that holds the delimiter is refused where more follows', async () => {
    expect(await refusal(table.genre({ shelf: 's', genre: 'p#1' }))).toMatchObject({ code: 'InvalidKey', details: { attribute: 'genre' } })
    expect((await refusal(table.genresTo({ shelf: 's', last: 'p#1' }))).code).toBe('InvalidKey')
    expect((await refusal(table.genresBetween({ shelf: 's', first: 'p', last: 'q#' }))).code).toBe('InvalidKey')
  })
})

describe('comparisons of a value that ends the key', () => {
  const words = ['A', 'a', 'ab', 'b', 'b#c', '\uffff', '\u{10000}']
  beforeAll(() =>
    restore([
      ...words.map((word) => ({ PK: 'WORDS#w', SK: word, Type: 'Word', version: 1, list: 'w', word })),
      { PK: 'WORDS#W', SK: 'a', Type: 'Word', version: 1, list: 'W', word: 'a' },
      ...words.map((name) => ({ PK: 'NAMES#w', SK: `NAME#${name}`, Type: 'Name', version: 1, list: 'w', name })),
      { PK: 'NAMES#w', SK: 'MAME#a', Type: 'Name', version: 1, list: 'w', name: 'before' },
      { PK: 'NAMES#w', SK: 'NAMES#a', Type: 'Name', version: 1, list: 'w', name: 'after' },
      { PK: 'NAMES#w', SK: 'name#a', Type: 'Name', version: 1, list: 'w', name: 'lower' },
    ]),
  )
  const list = 'w'
  const found = async (page: Promise<{ items: readonly { word?: string; name?: string }[] }>) =>
    (await page).items.map(({ word, name }) => word ?? name)

  test('without a literal before it', async () => {
    expect(await found(table.wordsTo({ list, last: 'b' }))).toEqual(['A', 'a', 'ab', 'b'])
    expect(await found(table.wordsFrom({ list, first: 'ab' }))).toEqual(['ab', 'b', 'b#c', '\uffff', '\u{10000}'])
    expect(await found(table.wordsFrom({ list, first: '\u{10000}' }))).toEqual(['\u{10000}'])
    expect(await found(table.wordsBetween({ list, first: 'a', last: 'b' }))).toEqual(['a', 'ab', 'b'])
    expect(await found(table.wordsBetween({ list, first: 'ab', last: 'ab' }))).toEqual(['ab'])
    expect(await found(table.wordsPart({ list, start: 'a' }))).toEqual(['a', 'ab'])
    expect(await found(table.wordsPart({ list, start: 'b#' }))).toEqual(['b#c'])
    expect(await found(table.word({ list, word: 'b#c' }))).toEqual(['b#c'])
  })

  test('with a literal before it, which the range never leaves', async () => {
    expect(await found(table.namesTo({ list, last: 'b' }))).toEqual(['A', 'a', 'ab', 'b'])
    expect(await found(table.namesFrom({ list, first: 'ab' }))).toEqual(['ab', 'b', 'b#c', '\uffff', '\u{10000}'])
    expect(await found(table.namesBetween({ list, first: 'A', last: 'ab' }))).toEqual(['A', 'a', 'ab'])
    expect(await found(table.namesBetween({ list, first: 'ab', last: 'ab' }))).toEqual(['ab'])
  })

  test('a reversed range is an error, in the order of bytes and not of JavaScript', async () => {
    expect(await refusal(table.wordsBetween({ list, first: 'b', last: 'a' }))).toMatchObject({ code: 'InvalidInput' })
    expect(await refusal(table.namesBetween({ list, first: 'a', last: 'A' }))).toMatchObject({ code: 'InvalidInput' })
    expect(await found(table.wordsBetween({ list, first: '\uffff', last: '\u{10000}' }))).toEqual(['\uffff', '\u{10000}'])
    expect((await refusal(table.wordsBetween({ list, first: '\u{10000}', last: '\uffff' }))).message).toContain('reversed')
  })

  test.each(['', '\u0000', '\ud800', '\u{10FFFF}'])('an end that no key could have is refused: %j', async (last) => {
    expect((await refusal(table.wordsTo({ list, last }))).category).toBe('invalid')
    expect((await refusal(table.wordsPart({ list, start: last }))).category).toBe('invalid')
  })

  test('an end that is too long for a key is refused before it is sent', async () => {
    expect((await refusal(table.wordsFrom({ list, first: 'x'.repeat(1025) }))).code).toBe('InvalidKey')
    expect((await refusal(table.wordsFrom({ list: 'x'.repeat(2045), first: 'x' }))).code).toBe('InvalidKey')
  })
})

describe('days and instants (spec rule 6)', () => {
  const days = ['2026-01-30', '2026-01-31', '2026-02-01']
  const instants = ['2026-01-30T23:59:59.999Z', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z']
  const two = ['1', '2']
  const desk = 'd'
  beforeAll(() =>
    restore([
      ...days.flatMap((due) => two.map((id) => ({ PK: 'LOANS#d', SK: `${due}#${id}`, Type: 'Loan', version: 1, desk, due, id }))),
      ...instants.flatMap((at) => two.map((id) => ({ PK: 'VISITS#d', SK: `VISIT#${at}#${id}`, Type: 'Visit', version: 1, desk, at, id }))),
    ]),
  )
  const dues = async (page: Promise<{ items: readonly { due: string }[] }>) => (await page).items.map(({ due }) => due)
  const visits = async (page: Promise<{ items: readonly { at: string }[] }>) => (await page).items.map(({ at }) => instants.indexOf(at))

  test('a range of days holds all items of both ends', async () => {
    expect(await dues(table.dueBy({ desk, last: '2026-01-31' }))).toEqual([days[0], days[0], days[1], days[1]])
    expect(await dues(table.dueFrom({ desk, first: '2026-01-31' }))).toEqual([days[1], days[1], days[2], days[2]])
    expect(await dues(table.dueBetween({ desk, first: '2026-01-31', last: '2026-01-31' }))).toEqual([days[1], days[1]])
    expect((await refusal(table.dueBetween({ desk, first: '2026-02-01', last: '2026-01-31' }))).message).toContain('reversed')
  })

  test('a day bounds instants with all of it', async () => {
    expect(await visits(table.visitsTo({ desk, last: '2026-01-31' }))).toEqual([0, 0, 1, 1, 2, 2])
    expect(await visits(table.visitsFrom({ desk, first: '2026-01-31' }))).toEqual([1, 1, 2, 2, 3, 3])
    expect(await visits(table.visitsBetween({ desk, first: '2026-01-31', last: '2026-01-31' }))).toEqual([1, 1, 2, 2])
    expect(await visits(table.visitsBetween({ desk, first: '2026-01-31T23:59:59.999Z', last: '2026-01-31' }))).toEqual([2, 2])
  })

  test('an instant takes in all items of it, in any offset', async () => {
    const last = '2026-01-31T01:00:00+01:00'
    expect(await visits(table.visitsTo({ desk, last }))).toEqual([0, 0, 1, 1])
    expect(await visits(table.visitsBetween({ desk, first: last, last }))).toEqual([1, 1])
    expect(await visits(table.visitsFrom({ desk, first: '2026-01-31T23:59:59.999Z' }))).toEqual([2, 2, 3, 3])
  })

  test('a reversed range is an error, also where an instant lies within the day that ends it', async () => {
    const [first, last] = ['2026-02-01T00:00:00Z', '2026-01-31']
    expect(await refusal(table.visitsBetween({ desk, first, last }))).toMatchObject({ code: 'InvalidInput' })
    expect(await visits(table.visitsBetween({ desk, first: '2026-01-31', last: '2026-01-31T00:00:00Z' }))).toEqual([1, 1])
  })

  test.each(['yesterday', '2026-02-30', '2026-01', '2026-01-31T00:00', 5, {}])('%j is no end of a range', async (last) => {
    const error = await refusal(table.visitsTo({ desk, last: last as never }))
    expect(error).toMatchObject({ code: 'InvalidInput', details: { issues: [{ path: ['last'] }] } })
  })
})

describe('an index', () => {
  test('is queried by its own keys, and not consistently: it cannot be', async () => {
    const inIndex = (genre: string, id: string, state: string) => ({
      ...bookItem('i', genre, id, { state }),
      GSI1PK: `STATE#${state}`,
      GSI1SK: `BOOK#${genre}#${id}`,
    })
    await restore([
      inIndex('g1', 'one', 'in'),
      inIndex('g1', 'two', 'in'),
      inIndex('g10', 'ten', 'in'),
      inIndex('g1', 'out', 'out'),
      bookItem('i', 'g1', 'sparse', { state: 'in' }),
    ])
    const sender = new RecordingSender()
    const watched = catalogueOf(table.runtime.table, { sender })
    const { cursor, items } = await watched.stateOf({ state: 'in', genre: 'g1' }, { limit: 1, consistent: true })
    expect(items).toEqual([{ Type: 'Book', version: 1, shelf: 'i', genre: 'g1', id: 'one', state: 'in' }])
    expect(ids(await watched.stateOf({ state: 'in', genre: 'g1' }, { cursor }))).toEqual(['two'])
    await watched.shelf({ shelf: 'i' }, { consistent: true })
    await watched.shelf({ shelf: 'i' })
    expect(sender.requests.map(({ input }) => [input.IndexName, input.ConsistentRead, input.Limit])).toEqual([
      ['GSI1', undefined, 2],
      ['GSI1', undefined, 101],
      [undefined, true, 101],
      [undefined, undefined, 101],
    ])
  })
})

describe('an index that DynamoDB refuses to read', () => {
  /** Refuses queries, and describes the index, or may not. */
  const refusing = (words: string, indexStatus?: string): Sender => ({
    send: async (operation) => {
      if (operation === 'DescribeTable' && indexStatus !== undefined)
        return { Table: { GlobalSecondaryIndexes: [{ IndexName: 'GSI1', IndexStatus: indexStatus }] } } as never
      throw Object.assign(new Error(words), { name: 'ValidationException' })
    },
    close: () => {},
  })
  const backfilling = 'Cannot read from backfilling global secondary index: GSI1'

  test.each([
    ['says that it is still being filled', 'refused', 'CREATING', /index GSI1 .* is CREATING: it is read once it is ACTIVE/],
    ['says so by the refusal where the table may not be described', backfilling, undefined, /is CREATING/],
    [
      'is not there, and names the command',
      'The table does not have the specified index: GSI1',
      undefined,
      /has no index GSI1\. `freehold migrate/,
    ],
    ['is a fault of storage otherwise', 'refused', 'ACTIVE', /DynamoDB refused the request/],
    ['is a fault of storage where nothing is known', 'refused', undefined, /DynamoDB refused the request/],
  ])('%s', async (_, words, status, message) => {
    const { stateOf } = catalogueOf('any', { sender: refusing(words, status) })
    expect(await refusal(stateOf({ state: 'in', genre: 'g1' }))).toMatchObject({
      code: 'Unavailable',
      message: expect.stringMatching(message),
    })
  })
})

describe('parameters', () => {
  test.each<[string, object | null, string[]]>([
    ['missing', { shelf: 's' }, ['genre']],
    ['null', { shelf: 's', genre: null }, ['genre']],
    ['unknown', { shelf: 's', genre: 'g', colour: 'red' }, ['colour']],
    ['of a wrong type', { shelf: 5, genre: ['g'] }, ['shelf', 'genre']],
    ['named as a prototype is', JSON.parse('{"shelf":"s","genre":"g","__proto__":"x"}'), ['__proto__']],
    ['inherited', Object.create({ shelf: 's', genre: 'g' }), []],
    ['no object', null, []],
    ['a list', ['s', 'g'], []],
    ['a date', new Date(0), []],
  ])('%s: refused, each by its name', async (_what, parameters, named) => {
    const error = await refusal(table.genre(parameters as never))
    expect(error).toMatchObject({ code: 'InvalidInput', details: { pattern: 'genre' } })
    expect(error.details.issues?.map(({ path }) => path[0])).toEqual(named)
    expect(named.filter((name) => !error.message.includes(name))).toEqual([])
  })

  test('a filter is a parameter, too', async () => {
    expect((await refusal(table.ofState({ shelf: 's' } as never))).message).toContain('state is missing')
    expect((await refusal(table.perhapsOf({ shelf: 's', state: 'lost' as never }))).message).toContain('state is not one of in, out')
  })
})
