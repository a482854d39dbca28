import { expect, test } from 'vitest'
import { Book, Word } from '../../test/catalogue/design.ts'
import { bookItems, numbered, ownCatalogue } from '../../test/catalogue/table.ts'
import { meter } from './meter.ts'
import { restoreItems } from './restore.ts'
import { scanItems } from './scan.ts'

test('a scan gives every item of the table, or of some entities, as it lies there', async () => {
  const table = await ownCatalogue()
  const read = async (...entities: Parameters<typeof scanItems>[1][]) => {
    const found: string[] = []
    for await (const page of scanItems(table.runtime, ...entities)) {
      expect(page.length).toBeGreaterThan(0)
      found.push(...page.map(({ Type, SK }) => `${Type} ${SK}`))
    }
    return found.sort()
  }
  expect(await read()).toEqual([])
  const words = Array.from({ length: 1_500 }, (_, index) => numbered(index))
  await restoreItems(table.runtime, [
    ...bookItems('s', 700, () => ({ note: 'hidden' })),
    ...words.map((word) => ({ PK: 'WORDS#w', SK: word, Type: 'Word', version: 1, list: 'w', word })),
    { PK: 'z', SK: 'z', Type: 'Foreign' },
  ])
  const books = words.slice(0, 700).map((id) => `Book BOOK#x#${id}`)
  const all = [...books, 'Foreign z', ...words.map((word) => `Word ${word}`)]
  expect(await read()).toEqual(all)
  expect(await read([Book])).toEqual(books)
  expect(await read([Book, Word])).toEqual(all.filter((each) => each !== 'Foreign z'))
  const first = await scanItems(table.runtime, [Book]).next()
  expect(first.value?.[0]).toMatchObject({ PK: 'SHELF#s', note: 'hidden' })
  const { cost } = await meter(() => read())
  // 2,201 items, at most 1,000 a page.
  expect(cost.requests).toBe(3)
})
