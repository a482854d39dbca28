import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompiledPattern } from '../design/compiled-pattern.ts'
import { isFreeholdError } from '../errors.ts'
import {
  type AnyDesign,
  type Attribute,
  type Attributes,
  code,
  day,
  design,
  type Entity,
  email,
  entity,
  instant,
  oneOf,
  opaqueId,
  query,
  text,
  ulid,
  uuid,
} from '../index.ts'
import { compareKeys } from '../key/range.ts'
import { delimiter, type parseTemplate } from '../key/template.ts'
import type { Kind } from '../kind/kind.ts'
import { keyText, type TableKey, tableKeyIfPresent } from '../plan/keys.ts'
import { planQuery, type QueryPlan } from '../plan/query.ts'
import { prove } from '../prove.ts'

const oneUlid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const oneUuid = '00000000-0000-4000-8000-000000000000'

/** Kinds, each with values that are as alike as the kinds allow, so that keys meet whenever they can. */
const fillings: readonly (readonly [Attribute, readonly string[]])[] = [
  [ulid(), [oneUlid]],
  [uuid(), [oneUuid]],
  [day(), ['2026-01-31', '9999-12-31']],
  [instant(), ['2026-01-31T00:00:00.000Z']],
  [oneOf('A', 'B'), ['A', 'B']],
  [oneOf('A#B', 'META'), ['A#B', 'META']],
  [text(), ['A', 'META', 'A#B', 'B#', '2026-01-31', oneUlid]],
  [text({ pattern: /^[^#]+$/ }), ['A', 'META', '2026-01-31', oneUuid]],
  [text({ pattern: /A|B.*/ }), ['A', 'B', 'B#A', 'BETA']],
  [opaqueId(), ['A', 'META', '2026-01-31', oneUuid, oneUlid]],
  [email(), ['a@b', 'a#b@c']],
  [code(), ['A', 'META', 'A#META']],
]
const valuesOf = new Map<Kind, readonly string[]>(fillings.map(([{ kind }, values]) => [kind, values]))

const names = ['a', 'b', 'c'] as const
const segment = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('A', 'B', 'META') },
  { weight: 3, arbitrary: fc.constantFrom(...names).map((name) => `{${name}}`) },
  { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => `A{${name}}`) },
  { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => `{${name}}A`) },
)
const alternative = fc.uniqueArray(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join(delimiter))
const template = fc.tuple(alternative, fc.option(alternative, { freq: 3 }))
const kinds = fc.tuple(...names.map(() => fc.constantFrom(...fillings)))
type Alternatives = readonly [first: string, second: string | null]

const placeholdersOf = (source: string) => [...source.matchAll(/\{(\w)\}/g)].map(([, name]) => name)

/** Undefined if the language refuses the design. */
function ifValid<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (isFreeholdError(error)) return undefined
    throw error
  }
}

/** An entity in whose templates the second alternative counts: what it does not need may be absent. */
function entityOf(
  name: string,
  templates: readonly [Alternatives, Alternatives],
  given: readonly (readonly [Attribute, unknown])[],
): Entity | undefined {
  const needed = templates.flatMap(([first, second]) => placeholdersOf(second ?? first))
  const used = templates.flatMap(([first, second]) => placeholdersOf(`${first}${second ?? ''}`))
  const attributes: Attributes = Object.fromEntries(
    names.flatMap((each, index) => {
      const attribute = given[index]?.[0]
      return attribute === undefined || !used.includes(each) ? [] : [[each, needed.includes(each) ? attribute : attribute.optional()]]
    }),
  )
  const [partition, sort] = templates.map(([first, second]) => (second === null ? first : `${first}|${second}`))
  // Templates that are made here are checked by the language when they are used, not by the compiler.
  return ifValid(() => entity(name, { attributes, key: [partition as 'X', sort as 'X'] }))
}

function combinations(choices: readonly (readonly [string, readonly (string | undefined)[]])[]): Record<string, string | undefined>[] {
  return choices.reduce<Record<string, string | undefined>[]>(
    (found, [name, values]) => found.flatMap((so) => values.map((value) => ({ ...so, [name]: value }))),
    [{}],
  )
}

/** The different keys of all items that the values above allow, in the table's order. */
function itemKeys(each: Entity): TableKey[] {
  const choices = Object.entries(each.attributes).map(([name, { kind, presence }]) => {
    const values = valuesOf.get(kind) ?? []
    return [name, presence === 'optional' ? [...values, undefined] : values] as const
  })
  const keys = combinations(choices).flatMap((values) => ifValid(() => tableKeyIfPresent(each, values)) ?? [])
  return [...new Map(keys.map((key) => [keyText(key), key])).values()]
}

const isEntity = (found: Entity | undefined): found is Entity => found !== undefined

/** The form of an entity that fast-check prints: its key and kinds, not its schemas. */
const inWords = ({ key, attributes }: Entity) =>
  `${key.join(' / ')} of ${Object.entries(attributes).map(([name, { kind, presence }]) => `${name}: ${presence} ${kind.name} ${kind.domain?.pattern}`)}`

const entityNamed = (name: string) =>
  fc
    .tuple(fc.tuple(template, template), kinds)
    .map(([key, given]) => entityOf(name, key, given))
    .filter(isEntity)
    .map((each) => ({ each, [fc.toStringMethod]: () => inWords(each) }))
const entities = fc.tuple(entityNamed('E0'), entityNamed('E1'))

function designOf(all: readonly Entity[], patterns: AnyDesign['patterns'] = {}): AnyDesign {
  return design({ name: 'random', table: 'random', entities: Object.fromEntries(all.map((each) => [each.name, each])), patterns })
}

test('keys that are proven not to collide never do, whatever the items', () => {
  let proven = 0
  fc.assert(
    fc.property(entities, ([first, second]) => {
      const all = [first.each, second.each] as const
      const { findings } = prove(designOf(all))
      if (findings.some(({ code: found }) => found === 'KeyCollision')) return
      proven++
      const taken = new Set(itemKeys(first.each).map(keyText))
      expect(itemKeys(second.each).filter((key) => taken.has(keyText(key)))).toEqual([])
    }),
    { numRuns: 500 },
  )
  expect(proven).toBeGreaterThan(100)
})

test('a collision that is reported is shown by a key that both entities make', () => {
  fc.assert(
    fc.property(entities, ([first, second]) => {
      const all = [first.each, second.each] as const
      for (const { code: found, details } of prove(designOf(all)).findings) {
        if (found !== 'KeyCollision') continue
        const example = details.example as { partition: string; sort: string }
        for (const { form, attributes } of all) {
          expect(canMake(form.key.partition, example.partition, attributes)).toBe(true)
          expect(canMake(form.key.sort, example.sort, attributes)).toBe(true)
        }
      }
    }),
    { numRuns: 500 },
  )
})

function canMake({ alternatives }: ReturnType<typeof parseTemplate>, key: string, attributes: Attributes): boolean {
  return alternatives.some(({ segments }) => {
    const parts = key.split(delimiter)
    const texts = [...parts.slice(0, segments.length - 1), parts.slice(segments.length - 1).join(delimiter)]
    return segments.every(({ literal, placeholder, before = '', behind = '' }, index) => {
      const text = texts[index] ?? ''
      if (placeholder === undefined) return text === literal
      const value = text.slice(before.length, text.length - behind.length)
      return text === before + value + behind && value !== '' && attributes[placeholder]?.kind.holds(value) === true
    })
  })
}

const operators = ['none', '=', 'begins_with', 'begins_with_part', 'between', '<=', '>='] as const
const shape = fc.record({
  operator: fc.constantFrom(...operators),
  /** How many segments of the sort key the range names. */
  length: fc.integer({ min: 1, max: 3 }),
  /** A last literal that is cut to its first letter, for a part of a segment. */
  isCut: fc.boolean(),
})

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

function patternOf(target: Entity, { operator, length, isCut }: Shape) {
  const first = ({ source }: { source: string }) => source.split('|')[0] ?? ''
  const partition = first(target.form.key.partition)
  const whole = first(target.form.key.sort)
  const segments = (operator === '=' ? whole.split(delimiter) : whole.split(delimiter).slice(0, length)) as string[]
  const last = segments.at(-1) ?? ''
  const own = /\{(\w)\}/.exec(last)?.[1]
  const named = (name: string | undefined) => [...segments.slice(0, -1), last.replace(/\{\w\}/, `{${name}}`)].join(delimiter)
  const part =
    isCut && operator === 'begins_with_part' && own === undefined ? named(own).slice(0, named(own).length - last.length + 1) : named(own)
  const templates = operator === 'between' ? [named('from'), named('to')] : [part]
  const sort = operator === 'none' ? undefined : { operator, templates }
  return { ...query(partition, sort).returns(target as never) }
}

/** Every request that the pattern makes for the values above. */
function requests(pattern: CompiledPattern): QueryPlan[] {
  const choices = pattern.parameters.map(({ name, kind, isBound }) => {
    const values = valuesOf.get(kind) ?? []
    return [name, isBound && kind.name === 'instant' ? [...values, '2026-01-31'] : values] as const
  })
  return combinations(choices).flatMap((parameters) => ifValid(() => planQuery(pattern, parameters)) ?? [])
}

function isBetween({ sort }: QueryPlan, key: string): boolean {
  const [first = '', second = ''] = sort?.values ?? []
  switch (sort?.operator) {
    case undefined:
      return true
    case '=':
      return key === first
    case '<=':
      return compareKeys(key, first) <= 0
    case '>=':
      return compareKeys(key, first) >= 0
    case 'BETWEEN':
      return compareKeys(key, first) >= 0 && compareKeys(key, second) <= 0
  }
}

/** The first key that one of the requests reads. */
function readKey(plans: readonly QueryPlan[], keys: readonly TableKey[]): TableKey | undefined {
  const byPartition = new Map<string, string[]>()
  for (const { PK, SK } of keys) byPartition.set(PK, [...(byPartition.get(PK) ?? []), SK])
  for (const plan of plans) {
    const SK = byPartition.get(plan.partition)?.find((key) => isBetween(plan, key))
    if (SK !== undefined) return { PK: plan.partition, SK }
  }
  return undefined
}

test('a range that is proven to hold only what it names never holds anything else', () => {
  const proven = new Map<string, number>()
  const inside = new Map<string, number>()
  fc.assert(
    fc.property(entities, shape, ([{ each: target }, { each: other }], chosen) => {
      const small = ifValid(() => designOf([target, other], { range: patternOf(target, chosen) }))
      const range = small?.form.patterns.get('range')
      if (small === undefined || range === undefined) return
      const findings = prove(small).findings.filter(({ subject }) => subject === 'range')
      const plans = requests(range)
      if (readKey(plans, itemKeys(target)) !== undefined) {
        inside.set(chosen.operator, (inside.get(chosen.operator) ?? 0) + 1)
        expect(findings.map(({ code: found }) => found)).not.toContain('NeverReturned')
      }
      if (findings.some(({ severity }) => severity === 'error')) return
      proven.set(chosen.operator, (proven.get(chosen.operator) ?? 0) + 1)
      expect(readKey(plans, itemKeys(other))).toBeUndefined()
    }),
    { numRuns: 600 },
  )
  for (const operator of operators) {
    expect([operator, (proven.get(operator) ?? 0) > 10, (inside.get(operator) ?? 0) > 10]).toEqual([operator, true, true])
  }
})
