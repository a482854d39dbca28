import { expect, test } from 'vitest'
import { code, link, listed, prose, table } from './markdown.ts'

test('a cell ends at no pipe of its own, not even in code', () => {
  expect(table(['a', 'b'], [[code('CLIENT#{id}|SYSTEM'), 'x|y']])).toBe('| a | b |\n| --- | --- |\n| `CLIENT#{id}\\|SYSTEM` | x\\|y |')
})

test('a column that is empty everywhere is left out', () => {
  expect(
    table(
      ['a', 'b', 'c'],
      [
        ['1', '', ''],
        ['2', '', '3'],
      ],
    ),
  ).toBe('| a | c |\n| --- | --- |\n| 1 |  |\n| 2 | 3 |')
})

test.each([
  ['plain', '`plain`'],
  ['a`b', '``a`b``'],
  ['`', '`` ` ``'],
  ['two\nlines', '`two lines`'],
])('%j is code as %s', (text, expected) => {
  expect(code(text)).toBe(expected)
})

test.each([
  ['the id of its client_id', 'the id of its client_id'],
  ['a *list* of <b>', 'a \\*list\\* of \\<b>'],
  ['_so_ said', '\\_so\\_ said'],
  ['see `a_b*c`', 'see `a_b*c`'],
  ['one ` tick', 'one \\` tick'],
  ['[x](y)', '\\[x\\](y)'],
  ['&lt; and A&B', '&amp;lt; and A&B'],
  ['two\n lines', 'two lines'],
])('the author wrote %j, and a reader sees it', (text, expected) => {
  expect(prose(text)).toBe(expected)
})

test('a list is read aloud', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((parts) => listed(parts))).toEqual(['', 'a', 'a and b', 'a, b and c'])
})

test('a link leads to the heading as GitHub names it', () => {
  expect(link('x', 'UserEdge, A and B_c-d')).toBe('[x](#useredge-a-and-b_c-d)')
})
