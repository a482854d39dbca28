import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageAt, root } from './pages.ts'

const rules = [...pageAt('docs/reference/rules.md').text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))

/** The numbers in `spec rule 5`, `spec rules 4, 8, 9` and `spec rules 18 to 21`. */
function citedIn(text: string): number[] {
  return [...text.matchAll(/spec rules? (\d+(?:(?:,| and| to) \d+)*)/g)].flatMap(([, list = '']) => (list.match(/\d+/g) ?? []).map(Number))
}

function sources(): string[] {
  return readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /^[^/\\]+[/\\](?:src|test)[/\\].*\.ts$/.test(name) && !name.includes('node_modules'),
  )
}

test('the rules are numbered from 1', () => {
  expect(rules).toEqual(Array.from({ length: rules.length }, (_, index) => index + 1))
  expect(rules.length).toBeGreaterThan(0)
})

test('every rule that a comment cites stands on the page', () => {
  const cited = new Set(sources().flatMap((name) => citedIn(readFileSync(join(root, 'packages', name), 'utf8'))))
  expect(cited.size).toBeGreaterThan(0)
  expect([...cited].filter((number) => !rules.includes(number))).toEqual([])
})
