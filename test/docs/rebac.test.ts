import { Keys, personColumns } from '@freehold/designs/rebac'
import { describe, expect, test } from 'vitest'
import { pageAt, sectionOf } from './pages.ts'

const page = pageAt('docs/reference/rebac.md')

/** The rows of a section's tables, cell by cell, without backticks around a cell. */
function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replace(/^`([^`]*)`$/, '$1')),
    )
}

describe('the reference of rebac', () => {
  const helpers = rowsOf(sectionOf(page, '## Keys')).map(([call = '', gives = '']) => ({ call, gives }))

  test.each(helpers)('says what $call gives', ({ call, gives }) => {
    const [, name = '', , argument = ''] = /^Keys\.(\w+)(\('?([^']*)'?\))?$/.exec(call) ?? []
    // The name comes from the page; what is no helper is neither of the two and fails.
    const helper = (Keys as Readonly<Record<string, string | ((value: string) => string)>>)[name]
    expect(typeof helper === 'function' ? helper(argument) : helper).toBe(gives)
  })

  test('has every key helper', () => {
    expect(helpers.map(({ call }) => /^Keys\.(\w+)/.exec(call)?.[1])).toEqual(Object.keys(Keys))
  })

  test('has every column of people', () => {
    expect(rowsOf(sectionOf(page, '### People from a CSV')).map(([column]) => column)).toEqual([
      ...personColumns.must,
      ...personColumns.may,
    ])
  })
})
