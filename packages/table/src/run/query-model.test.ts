import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { bookItem, type Catalogue, ownCatalogue } from '../../test/catalogue/table.ts'
import { restoreItems } from './restore.ts'

// Random ranges of random items, in pages of any size and either order, against a plain filter of a plain list.

const letters = ['a', 'A', 'b', ' ', '!', '"', '#', '$', '~', 'é', '\uffff', '\u{10000}', '0', 'SHELF', '|']
const isTrimmed = (text: string) => text !== '' && text === text.trim()
const text = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 })
  .map((some) => some.join(''))
  .filter(isTrimmed)
/** A value that something follows in its key. */
const segment = text.filter((value) => !value.includes('#'))

const bytes = (value: string) => Buffer.from(value)
const compare = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b))
/** The sort text of a value with further segments: the value with its delimiter. */
const ended = (value: string) => `${value}#`

interface Item {
  readonly value: string
  readonly id: string
}

interface Asked {
  readonly pages: (table: Catalogue, reading: object) => Promise<{ items: readonly object[]; cursor?: string }>
  readonly holds: (item: Item) => boolean
}

let table: Catalogue
let run = 0
beforeAll(async () => {
  table = await ownCatalogue()
})

/** The ends of a range in their order. */
const inOrder = (one: string, two: string, key = (value: string) => value) =>
  (compare(key(one), key(two)) <= 0 ? [one, two] : [two, one]) as [string, string]

/** Each way of asking for values that more follows, and what it should find. */
const openRanges: Record<string, (shelf: string, one: string, two: string) => Asked> = {
  genre: (shelf, genre) => ({ pages: (t, r) => t.genre({ shelf, genre }, r), holds: ({ value }) => value === genre }),
  genrePart: (shelf, start) => ({ pages: (t, r) => t.genrePart({ shelf, start }, r), holds: ({ value }) => value.startsWith(start) }),
  genresTo: (shelf, last) => ({
    pages: (t, r) => t.genresTo({ shelf, last }, r),
    holds: ({ value }) => compare(ended(value), ended(last)) <= 0,
  }),
  genresFrom: (shelf, first) => ({
    pages: (t, r) => t.genresFrom({ shelf, first }, r),
    holds: ({ value }) => compare(ended(value), ended(first)) >= 0,
  }),
  genresBetween: (shelf, one, two) => {
    const [first, last] = inOrder(one, two, ended)
    return {
      pages: (t, r) => t.genresBetween({ shelf, first, last }, r),
      holds: ({ value }) => compare(ended(value), ended(first)) >= 0 && compare(ended(value), ended(last)) <= 0,
    }
  },
}

/** The same for values that end their key. */
const wholeRanges: Record<string, (list: string, one: string, two: string) => Asked> = {
  word: (list, word) => ({ pages: (t, r) => t.word({ list, word }, r), holds: ({ value }) => value === word }),
  wordsPart: (list, start) => ({ pages: (t, r) => t.wordsPart({ list, start }, r), holds: ({ value }) => value.startsWith(start) }),
  wordsTo: (list, last) => ({ pages: (t, r) => t.wordsTo({ list, last }, r), holds: ({ value }) => compare(value, last) <= 0 }),
  wordsFrom: (list, first) => ({ pages: (t, r) => t.wordsFrom({ list, first }, r), holds: ({ value }) => compare(value, first) >= 0 }),
  wordsBetween: (list, one, two) => {
    const [first, last] = inOrder(one, two)
    return {
      pages: (t, r) => t.wordsBetween({ list, first, last }, r),
      holds: ({ value }) => compare(value, first) >= 0 && compare(value, last) <= 0,
    }
  },
  namesTo: (list, last) => ({ pages: (t, r) => t.namesTo({ list, last }, r), holds: ({ value }) => compare(value, last) <= 0 }),
  namesFrom: (list, first) => ({ pages: (t, r) => t.namesFrom({ list, first }, r), holds: ({ value }) => compare(value, first) >= 0 }),
  namesBetween: (list, one, two) => {
    const [first, last] = inOrder(one, two)
    return {
      pages: (t, r) => t.namesBetween({ list, first, last }, r),
      holds: ({ value }) => compare(value, first) >= 0 && compare(value, last) <= 0,
    }
  },
}

async function allPages({ pages }: Asked, limit: number, order: 'ascending' | 'descending'): Promise<object[]> {
  const found: object[] = []
  let cursor: string | undefined
  do {
    const page = await pages(table, { limit, order, cursor })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    // Only the last page may be short, and it has no cursor.
    if (page.cursor !== undefined) expect(page.items).toHaveLength(limit)
    found.push(...page.items)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

const reading = { limit: fc.integer({ min: 1, max: 6 }), order: fc.constantFrom('ascending' as const, 'descending' as const) }
const turned = <T>(items: readonly T[], order: string) => (order === 'descending' ? [...items].reverse() : items)

test('a range of values that more follows is what a filter of all items is', async () => {
  const items = fc.uniqueArray(fc.record({ value: segment, id: fc.constantFrom('1', '2') }), {
    maxLength: 12,
    selector: ({ value, id }) => `${value}#${id}`,
  })
  const range = fc.record({ kind: fc.constantFrom(...Object.keys(openRanges)), one: segment, two: segment, ...reading })
  await fc.assert(
    fc.asyncProperty(items, fc.array(range, { minLength: 1, maxLength: 6 }), async (all, ranges) => {
      const shelf = `run ${++run}`
      await restoreItems(
        table.runtime,
        all.map(({ value, id }) => bookItem(shelf, value, id)),
      )
      const sorted = [...all].sort((a, b) => compare(`${a.value}#${a.id}`, `${b.value}#${b.id}`))
      for (const { kind, one, two, limit, order } of ranges) {
        const asked = openRanges[kind]?.(shelf, one, two)
        if (asked === undefined) throw new Error(kind)
        const found = (await allPages(asked, limit, order)).map((item) => ({
          value: 'genre' in item && item.genre,
          id: 'id' in item && item.id,
        }))
        expect(found).toEqual(turned(sorted.filter(asked.holds), order))
      }
    }),
    { numRuns: 200 },
  )
})

test('a range of values that end their key is what a filter of all items is', async () => {
  const range = fc.record({ kind: fc.constantFrom(...Object.keys(wholeRanges)), one: text, two: text, ...reading })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { maxLength: 12 }), fc.array(range, { minLength: 1, maxLength: 6 }), async (all, ranges) => {
      const list = `run ${++run}`
      await restoreItems(
        table.runtime,
        all.flatMap((value) => [
          { PK: `WORDS#${list}`, SK: value, Type: 'Word', version: 1, list, word: value },
          { PK: `NAMES#${list}`, SK: `NAME#${value}`, Type: 'Name', version: 1, list, name: value },
        ]),
      )
      const sorted = [...all].sort(compare)
      for (const { kind, one, two, limit, order } of ranges) {
        const asked = wholeRanges[kind]?.(list, one, two)
        if (asked === undefined) throw new Error(kind)
        const found = (await allPages(asked, limit, order)).map((item) => ('word' in item ? item.word : 'name' in item && item.name))
        expect(found).toEqual(
          turned(
            sorted.filter((value) => asked.holds({ value, id: '' })),
            order,
          ),
        )
      }
    }),
    { numRuns: 200 },
  )
})
