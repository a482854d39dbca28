import { creating } from '@freehold/table'
import { expect, test } from 'vitest'
import { type Part, part, transactionPlacesMax } from '../../../frame/src/exchange/part.ts'
import { packRows, type RowPlan } from '../../../frame/src/exchange/write-rows.ts'
import { Page, rebac } from '../../src/rebac/design.ts'

const pagePart = (pageName: string): Part => part(rebac, `page ${pageName}`, creating(Page, { pageName }), { pageName })
const row = (name: string, ...pages: string[]): RowPlan<string> => ({ row: name, parts: pages.map(pagePart) })
const names = (rows: readonly RowPlan<string>[]) => rows.map(({ row: name }) => name)
const none: ReadonlySet<string> = new Set()

test('a page takes its own place and that of its entry', () => {
  expect(pagePart('p').places).toEqual(['["PAGE#p","META"]', '["DIRECTORY#PAGE","PAGE#p"]'])
})

test('rows share a transaction up to its hundred places, in order', () => {
  const rows = Array.from({ length: 120 }, (_, index) => row(`r${index}`, `p${index}`))
  const { batches, waiting } = packRows(rows, none)
  expect(batches.map((batch) => batch.rows.length)).toEqual([50, 50, 20])
  expect(batches.every(({ places }) => places.size <= transactionPlacesMax)).toBe(true)
  expect(batches.flatMap((batch) => names(batch.rows))).toEqual(names(rows))
  expect(waiting).toEqual([])
})

test('a part that several rows need is written once, and rows that need a part of another transaction wait', () => {
  const first = Array.from({ length: 49 }, (_, index) => row(`r${index}`, 'shared', `p${index}`))
  const rows = [...first, row('late', 'shared', 'x'), row('own', 'y'), row('later', 'y', 'shared')]
  const { batches, waiting } = packRows(rows, none)
  expect(batches.map((batch) => batch.parts.size)).toEqual([50, 1])
  expect(names(waiting)).toEqual(['late', 'later'])
  const done = new Set(batches.flatMap(({ parts }) => [...parts.keys()]))
  expect(packRows(waiting, done).batches.map((batch) => [...batch.parts.keys()])).toEqual([['page x']])
})

test('a row that alone is too large is a transaction of its own', () => {
  const large = row('large', ...Array.from({ length: 60 }, (_, index) => `p${index}`))
  const { batches } = packRows([row('a', 'a'), large, row('b', 'b')], none)
  expect(batches.map((batch) => names(batch.rows))).toEqual([['a'], ['large'], ['b']])
})
