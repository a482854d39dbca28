import fc from 'fast-check'
import type { Entity } from '../../src/design/form.ts'
import { keyPlaceholders } from '../../src/design/reference.ts'
import { depot } from './design.ts'

// Input of careless or hostile callers, much of it close to valid input.

type Values = Record<string, unknown>

/** Nested deeper than a stack may be. */
function deep(levels: number): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

const cyclic: Values = {}
cyclic.self = cyclic

const texts = [
  ...['', ' ', '#', 'a#b', '|', '{id}', '\u0000', 'a\nb', '\ud800', '\u{10FFFF}', '\u212a', 'e\u0301', 'ﬀ', 'İ', '\u200b', '💥'],
  ...['__proto__', 'constructor', 'toString', 'SYSTEM', 'NOWHERE', 'META', 'PERSON#p', 'NaN', 'null', '-1', '9'.repeat(40)],
  ...['x'.repeat(1_100), 'ü'.repeat(1_100), 'x'.repeat(420_000), "' OR 1=1 --", ':v0', '#n0', '2026-02-30', '2026-02-28'],
]
const values: readonly unknown[] = [
  ...[null, undefined, true, 0, -0, 0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e126, 1e308, 5e-324, 10n, Symbol('s')],
  ...[new Date(0), new Date(Number.NaN), new Map([['id', 'p0']]), new Set(['a']), new Uint8Array(3), /x/, () => 'p0', class {}],
  ...[[], {}, [null], Object.create(null), Object.create({ id: 'p0' }), JSON.parse('{"__proto__":{"id":"p0"}}'), cyclic, deep(5_000)],
  ...[Promise.resolve('p0'), new Proxy({}, {}), Object('p0'), Object.freeze({ id: 'p0' }), new Error('e')],
]

/** Anything. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(...values),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withObjectString: true }),
)

const fitting: Readonly<Record<string, readonly unknown[]>> = {
  ...{ id: ['p0', 'p1'], person: ['p0', 'p1'], site: ['S0', 's1'], room: ['p0', 'p1'], rank: ['junior', 'senior'] },
  ...{ personRank: ['junior', 'senior'], email: ['a@x.org', ' B@x.org', '"a#b"@x.org'], hired: ['2026-01-31'], size: [1, 1e20, -2.5] },
  ...{
    at: ['2026-03-01T12:00:00.000Z'],
    startedAt: ['2026-03-01T12:00:00+01:00'],
    until: ['2026-03-01T13:00:00Z'],
  },
  ...{ reading: [0], by: ['2026-01-31'], from: ['2026-01-31'], to: ['2026-01-31'], since: ['2026-01-31'], last: ['2026-01-31'] },
  ...{ createdAt: [undefined], touchedAt: [undefined], joinedAt: [undefined], limit: [1, 5, 1_000], version: [0, 1, 2, 7] },
}

/** Mostly a value that fits an attribute of this name. */
export const likely = (name: string): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...(fitting[name] ?? ['n0', 'n1'])) }, { weight: 1, arbitrary: hostile })

const strange = ['PK', 'SK', 'Type', 'version', 'deleting', 'ttl', 'GSI1PK', '__proto__', 'constructor', 'hasOwnProperty', '', 'ID', 'then']

/** Own properties, also of names that assigning would not make one of: as JSON.parse does. */
export function assembled(entries: readonly (readonly [name: string, value: unknown])[]): Values {
  const made: Values = {}
  for (const [name, value] of entries) Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
  return made
}

/** An object of these names, the optional ones now and then; rarely with a name that is none, or no object at all. */
export function objectOf(names: readonly string[], optional: readonly string[] = []): fc.Arbitrary<unknown> {
  const entry = (name: string, freq: number) => fc.option(fc.tuple(fc.constant(name), likely(name)), { nil: undefined, freq })
  const entries = fc.tuple(...names.map((name) => entry(name, 40)), ...optional.map((name) => entry(name, 1)))
  const extra = fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...strange), hostile) },
  )
  const object = fc.tuple(entries, extra).map(([some, more]) => assembled([...some, more].filter((each) => each !== undefined)))
  return fc.oneof({ weight: 20, arbitrary: object }, { weight: 1, arbitrary: hostile })
}

/** Something to do with an entity. */
export interface Attempt {
  readonly verb: 'create' | 'ensure' | 'createMany' | 'get' | 'getMany' | 'update' | 'move' | 'remove' | 'transact'
  readonly entity: Entity
  readonly item: unknown
  readonly id: unknown
  readonly change: unknown
  readonly version: unknown
  /** The name of the first step of a transaction, and how many there are. */
  readonly step: string
  readonly steps: number
}

export const attempt: fc.Arbitrary<Attempt> = fc.constantFrom(...Object.values(depot.entities)).chain((entity) => {
  const given = Object.entries(entity.attributes).filter(([, { presence }]) => presence !== 'copied')
  const names = given.map(([name]) => name)
  const needed = given
    .filter(([name, { presence }]) => presence === 'given' || keyPlaceholders(entity).includes(name))
    .map(([name]) => name)
  const optional = names.filter((name) => !needed.includes(name))
  return fc.record<Attempt>({
    verb: fc.constantFrom<Attempt['verb']>(
      ...([
        'create',
        'create',
        'ensure',
        'createMany',
        'get',
        'getMany',
        'update',
        'update',
        'move',
        'remove',
        'transact',
        'transact',
      ] as const),
    ),
    entity: fc.constant(entity),
    item: objectOf(needed, optional),
    id: objectOf(keyPlaceholders(entity)),
    change: objectOf([], names),
    version: fc.option(likely('version'), { nil: undefined, freq: 1 }),
    step: fc.constantFrom('step', ...strange),
    steps: fc.integer({ min: 0, max: 5 }),
  })
})

/** Something to ask of an access pattern. */
export interface Question {
  readonly pattern: string
  readonly parameters: unknown
  readonly limit: unknown
  readonly cursor: unknown
}

export const question: fc.Arbitrary<Question> = fc.constantFrom(...depot.form.patterns.values()).chain(({ name, parameters }) =>
  fc.record<Question>({
    pattern: fc.constant(name),
    parameters: objectOf(parameters.map((parameter) => parameter.name)),
    limit: fc.option(likely('limit'), { nil: undefined, freq: 1 }),
    cursor: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: hostile }),
  }),
)
