import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageAt, root } from './pages.ts'

// The page has each requirement of levels 1 and 2 once, and each test that it names is there.

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are the first ones. */
const sections: Readonly<Record<string, number>> = {
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
}
const { text } = pageAt('docs/reference/asvs.md')
const cells = text.split('\n').map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

const numbersIn = (cell: string): readonly string[] =>
  cell.split(', ').flatMap((each) => {
    const [first = '', last = first] = each.split(' to ')
    const [section, from, until] = [first.slice(0, first.lastIndexOf('.')), first.split('.')[2], last.split('.')[2]].map(String)
    return Array.from({ length: Number(until) - Number(from) + 1 }, (_, index) => `${section}.${Number(from) + index}`)
  })

test('it has each requirement once', () => {
  const rows = cells.filter(([first = '']) => /^\d+\.\d+\.\d+/.test(first))
  const all = Object.entries(sections).flatMap(([section, count]) => Array.from({ length: count }, (_, index) => `${section}.${index + 1}`))
  expect(rows.flatMap(([first = '']) => numbersIn(first))).toEqual(all)
  expect(rows.filter((row) => row.length !== 4)).toEqual([])
})

const files = new Map(
  cells.flatMap(([letter = '', file = '']) => (/^[A-Z]$/.test(letter) ? [[letter, file.split('`')[1] ?? ''] as const] : [])),
)
const named = [...text.matchAll(/\b([A-Z]): ((?:`[^`]+`(?:, )?)+)/g)].flatMap(([, letter = '', names = '']) =>
  [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [letter, name] as const),
)

test('it names tests, of each file that it has a letter for', () => {
  expect(named.length).toBeGreaterThan(70)
  expect([...new Set(named.map(([letter]) => letter))].sort()).toEqual([...files.keys()].sort())
})

test.each([...new Map(named.map((each) => [each.join(': '), each])).values()])('%s: %s is there', (letter, name) => {
  const lines = readFileSync(join(root, files.get(letter) ?? ''), 'utf8').split('\n')
  expect(lines.some((line) => line.includes(name) && !/^\s*(\/\/|\/?\*)/.test(line))).toBe(true)
})
