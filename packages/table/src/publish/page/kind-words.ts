import { z } from 'zod'
import type { Kind } from '../../kind/kind.ts'
import { textKindWith } from '../../kind/text.ts'
import { code, codes } from './markdown.ts'

/** The kinds that need an explanation, with their meaning. A test compares their names with those of the language. */
export const kindMeanings: Readonly<Record<string, string>> = {
  text: 'NFC and trimmed; case matters',
  verbatim: 'text that is stored exactly as given; never in a key',
  uuid: '36 characters, lower case',
  ulid: '26 characters, upper case; they sort by the time of their creation',
  'opaque id': "letters, digits, '.', '_' and '-'; case matters",
  email: 'trimmed, NFC, lower case; the domain in A-labels, no needless quotes',
  username: 'trimmed, NFC, lower case; without look-alikes',
  code: 'trimmed, NFC, upper case; without look-alikes',
  phone: 'E.164, such as `+4930123456`',
  instant: 'ISO 8601 in UTC with milliseconds, such as `2026-01-31T09:30:00.000Z`',
  day: 'such as `2026-01-31`',
  flag: 'true or false',
}

/** The parts of a JSON Schema that describe a number, list or map. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

function shapeOf({ schema }: Kind): Shape {
  // Draft 2020-12. Shape names the parts that are read here.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
}

/** False for the bounds that Zod adds itself: those of a whole number in JavaScript. */
const isChosen = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER

function listWords(items: Shape = {}): string {
  if (items.properties !== undefined) return `list of maps with ${codes(Object.keys(items.properties))}`
  const each = shapeWords(items)
  return each === '' ? 'list' : `list of ${each}`
}

function shapeWords({ type, enum: values, minimum, maximum, items, properties }: Shape): string {
  if (type === 'array') return listWords(items)
  if (values !== undefined) return codes(values)
  if (properties !== undefined) return `map with ${codes(Object.keys(properties))}`
  if (type !== 'number' && type !== 'integer') return type === 'string' ? 'text' : ''
  const from = isChosen(minimum) ? ` from ${minimum}` : ''
  const to = isChosen(maximum) ? ` to ${maximum}` : ''
  return `${type === 'integer' ? 'whole number' : 'number'}${from}${to}`
}

const anyText = textKindWith({}).domain?.pattern

/** A kind of attribute in a few words. */
export function kindWords(kind: Kind): string {
  const { name, domain } = kind
  if (kind.stored === 'set') return shapeWords(shapeOf(kind)).replace('list', 'set')
  if (kind.isName) return 'text without look-alikes'
  if (domain?.values !== undefined) return `one of ${codes(domain.values)}`
  if (name === 'text' && domain !== undefined && domain.pattern !== anyText) return `text like ${code(domain.pattern.source)}`
  return kindMeanings[name] === undefined ? shapeWords(shapeOf(kind)) || name : name
}
