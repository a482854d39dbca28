import { describe, expect, test } from 'vitest'
import { agency } from '../../../test/agency/design.ts'
import { catalogue } from '../../../test/catalogue/design.ts'
import { depot } from '../../../test/depot/design.ts'
import { edges } from '../../../test/edges.ts'
import type { CompiledPattern, Parameter } from '../../design/compiled-pattern.ts'
import { lastCodePoint } from '../../key/format.ts'
import { planQuery } from '../../plan/query.ts'
import { lastSign, requestWords } from './request-words.ts'

/** A value of the parameter's kind; later parameters get later ones, so that no range is reversed. */
function sample({ kind }: Parameter, index: number): string {
  const values: Readonly<Record<string, string>> = {
    uuid: `0000000${index}-0000-4000-8000-000000000000`,
    ulid: `0000000000000000000000000${index}`,
    instant: `2026-01-0${index + 1}T00:00:00.000Z`,
    day: `2026-01-0${index + 1}`,
    email: `${index}@example.org`,
    code: `V${index}`,
  }
  return kind.domain?.values?.[0] ?? values[kind.name] ?? `v${index}`
}

/** The conditions among the lines, with values in the place of placeholders. */
function filled(words: string, values: Readonly<Record<string, string>>): string[] {
  const conditions = words.split('<br>').flatMap((line) => /^(?:filter )?`([^`]+)`(?: if given)?$/.exec(line)?.slice(1) ?? [])
  return conditions.map((line) => line.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '?').replaceAll(lastSign, lastCodePoint))
}

const queries = [agency, catalogue, depot, edges].flatMap(({ name, form }) =>
  [...form.patterns.values()]
    .filter(({ operation }) => operation === 'query')
    .map((pattern) => ({ design: name, name: pattern.name, pattern })),
)

describe('the words of a query are what is planned', () => {
  test.each(queries)('$design $name', ({ pattern }) => {
    const values = Object.fromEntries(pattern.parameters.map((parameter, index) => [parameter.name, sample(parameter, index)]))
    const { partition, sort, filters } = planQuery(pattern, values)
    const [partitionName, sortName] = pattern.keyNames
    expect(filled(requestWords(pattern), values)).toEqual([
      `${partitionName} = ${partition}`,
      ...(sort === undefined ? [] : [`${sortName} ${sort.operator} ${sort.values.join(' AND ')}`]),
      ...Object.entries(filters).map(([name, value]) => `${name} = ${value}`),
    ])
  })
})

const wordsOf = (patterns: ReadonlyMap<string, CompiledPattern>, name: string): string | undefined => {
  const pattern = patterns.get(name)
  return pattern === undefined ? undefined : requestWords(pattern)
}

test.each([
  ['person', 'GetItem<br>`PK = PERSON#{id}`<br>`SK = META`'],
  ['teamOf', 'Query on GSI1<br>`GSI1PK = TEAM#{team}`'],
  [
    'sessionsSince',
    'Query<br>`PK = PERSON#{person}`<br>`SK BETWEEN SESSION#{since} AND SESSION#∞`<br>last sort key first<br>`{since}`: instant or day',
  ],
  ['peopleOfSite', 'Query<br>`PK = SITE#{site}`<br>`SK BETWEEN PERSON# AND PERSON#∞`<br>filter `personRank = {personRank}` if given'],
])('%s is sent as the page says', (name, words) => {
  expect(wordsOf(depot.form.patterns, name)).toBe(words)
})

test('a range whose ends sort the other way by name is no reversed range', () => {
  const pattern = depot.form.patterns.get('logs')
  if (pattern?.sort === undefined) throw new Error('logs is a range')
  const turned = { ...pattern, parameters: pattern.parameters.toReversed() }
  expect(requestWords(turned)).toContain('BETWEEN LOG#{from} AND LOG#{to}∞')
})
