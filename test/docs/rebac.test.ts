import { Keys, personColumns, rebac } from '@freehold/designs'
import type { Attribute, Entity } from '@freehold/table'
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

const marks: Partial<Record<Attribute['presence'], string>> = { optional: '?', copied: '*' }
const attributesOf = ({ attributes }: Entity) => Object.entries(attributes).map(([name, { presence }]) => `${name}${marks[presence] ?? ''}`)
const keyOf = ({ key: [partition, sort] }: Entity) => `\`${partition}\` / \`${sort}\``

const entities: Entity[] = Object.values(rebac.entities)
const isDocumented = ({ form }: Entity) => form.addition === undefined

describe('the reference of rebac', () => {
  test('has every entity with its key and its attributes', () => {
    const [documented = ''] = sectionOf(page, '## Entities').split('### Additions')
    expect(rowsOf(documented)).toEqual(
      entities.filter(isDocumented).map((entity) => [entity.name, keyOf(entity), attributesOf(entity).join(', ')]),
    )
  })

  test('has every addition with its reason', () => {
    const additions = entities.filter((entity) => !isDocumented(entity))
    expect(rowsOf(sectionOf(page, '### Additions'))).toEqual(
      additions.map((entity) => [entity.name, keyOf(entity), entity.form.addition ?? '']),
    )
  })

  test('has every access pattern with its parameters and results, additions last', () => {
    const patterns = [...rebac.form.patterns.values()].sort((a, b) => Number(a.addition !== undefined) - Number(b.addition !== undefined))
    expect(rowsOf(sectionOf(page, '## Access patterns'))).toEqual(
      patterns.map(({ name, parameters, entities: results }) => [
        name,
        parameters.map((parameter) => parameter.name).join(', ') || 'none',
        results.map((entity) => entity.name).join(', '),
      ]),
    )
  })

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
