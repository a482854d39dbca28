import type { Attribute } from '@freehold/table'
import { anyValue } from '../any-value.ts'

const uuid = (last: string) => `a0000000-0000-4000-8000-00000000000${last}`

/** Few values of each kind, so that they meet; many that begin alike, differ in case only, or stand beside one another. */
const byKind: Readonly<Record<string, readonly unknown[]>> = {
  uuid: [uuid('a'), uuid('b'), uuid('c')],
  ulid: ['01H00000000000000000000000', '01H0000000000000000000000A', '01HA0000000000000000000000'],
  'opaque id': ['a', 'a1', 'A', 'b-1'],
  text: ['ann', 'anna', 'Ann', 'ann b', 'a#b'],
  verbatim: [' ann ', 'a#b'],
  code: ['BER', 'BER1', 'MUC'],
  username: ['ann', 'anna', 'bob'],
  email: ['ann@x.org', 'ann@x.org.uk', 'anna@x.org', '"a b#"@x.org'],
  phone: ['+4930', '+49301', '+4940'],
  instant: [
    '2026-01-30T23:59:59.999Z',
    '2026-01-31T00:00:00.000Z',
    '2026-02-01T12:00:00.000Z',
    '2026-06-01T00:00:00.000Z',
    '2030-01-01T00:00:00.000Z',
  ],
  day: ['2026-01-30', '2026-01-31', '2026-02-01', '2026-12-31', '9999-12-31'],
  flag: [true, false],
  number: [0, 1, 2, 10.5],
  map: [{}, { part: [1, null, { deep: true }] }],
  list: [[]],
}

const known = new WeakMap<Attribute, readonly unknown[]>()

/** Values that fit an attribute. */
export function domainOf(attribute: Attribute): readonly unknown[] {
  const found = known.get(attribute)
  if (found !== undefined) return found
  const { kind, schema } = attribute
  const all = [
    ...(kind.domain?.values ?? byKind[kind.name] ?? []),
    ...(kind.name === 'map' || kind.name === 'list' ? [anyValue(attribute, kind.name)] : []),
  ]
  const fitting = all.filter((value) => schema.safeParse(value).success)
  const values = fitting.length > 0 ? fitting : ['a', 'b'].map((seed) => anyValue(attribute, seed))
  known.set(attribute, values)
  return values
}

/** Values beside a value. */
export function near(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return []
  const time = Date.parse(value)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const isInstant = /^\d{4}-\d{2}-\d{2}T/.test(value)
  const moved = [-1, 1].map((by) => new Date(time + by * (isDay ? 86_400_000 : 1)))
  if (isDay) return moved.filter((date) => date.getUTCFullYear() < 10_000).map((date) => date.toISOString().slice(0, 10))
  if (isInstant) return [value.slice(0, 10), ...moved.map((date) => date.toISOString())]
  const turned = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()
  return [`${value}1`, value.slice(0, -1), turned].filter((text) => text !== '')
}
