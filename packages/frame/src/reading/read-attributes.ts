import type { Attribute, Attributes, Issue } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'

/** A JSON object that a caller gives. Nothing is known about it yet. */
export type Given = Readonly<Record<string, unknown>>

function isObject(input: unknown): input is Given {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** An attribute that reads most values without its schema. */
export interface Remembering {
  /** What a value is read as, from memory or without the schema. Undefined for one that the schema has to read: it may be refused. */
  recall?(value: unknown): unknown
}

/** How errors speak of what is read. */
export interface ReadAs {
  /** The flow or question that it is for. */
  readonly name: string
  readonly details: { readonly flow: string } | { readonly question: string }
  /** What it is called: `input`. */
  readonly called: string
  /** What is wrong with a name that is none of these. */
  foreign(names: string): string
  /** What null is of an optional attribute: a value, which takes it away; or as good as leaving it out. Refused unless given. */
  readonly nullIs?: 'value' | 'absent'
  /** Longer text, in UTF-16 units, is not even normalised. */
  readonly textMax?: number
  /** What is wrong with the attributes together, as they were given. */
  readonly alsoWrong?: ((given: Given) => readonly Issue[]) | undefined
}

/** A refusal names no more foreign attributes: a mebibyte of them would be answered with sixteen. */
const foreignMax = 10

function readOne(
  { schema, presence, recall }: Attribute & Remembering,
  name: string,
  value: unknown,
  { nullIs, textMax = Number.POSITIVE_INFINITY }: ReadAs,
): { readonly value: unknown } | readonly Issue[] {
  if (value === undefined && presence !== 'given') return { value }
  if (value === null && nullIs === 'value' && presence === 'optional') return { value }
  if (value === null && nullIs !== 'value' && presence === 'given') return [{ path: [name], message: 'is missing' }]
  if (typeof value === 'string' && value.length > textMax) return [{ path: [name], message: `is longer than ${textMax} characters` }]
  const recalled = recall?.(value)
  if (recalled !== undefined) return { value: recalled }
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data }
  return result.error.issues.map(({ path, message }) => ({
    path: [name, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    message,
  }))
}

/** What is given, where null counts as absent. It is the same object if there is none. */
function withoutNull(attributes: Attributes, given: Given): Given {
  const isNull = (name: string) => given[name] === null && attributes[name]?.presence === 'optional'
  return Object.keys(given).some(isNull) ? Object.fromEntries(Object.entries(given).filter(([name]) => !isNull(name))) : given
}

/**
 * What a caller gives, read by the attributes that describe it: normalised, without those that were left out. Throws `InvalidInput` naming every
 * attribute that is missing, unknown or does not fit.
 */
export function readAttributes(attributes: Attributes, given: unknown, how: ReadAs): Given {
  const { name: by, details, called } = how
  if (!isObject(given)) throw invalidInput(by, [{ path: [], message: `the ${called} is not an object` }], details)
  const input = how.nullIs === 'absent' ? withoutNull(attributes, given) : given
  const issues: Issue[] = Object.keys(input)
    .filter((name) => !Object.hasOwn(attributes, name))
    .slice(0, foreignMax)
    .map((name) => ({ path: [name], message: how.foreign(Object.keys(attributes).join(', ')) }))
  const values: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(attributes)) {
    const read = readOne(attribute, name, Object.hasOwn(input, name) ? input[name] : undefined, how)
    if (!('value' in read)) for (const issue of read) issues.push(issue)
    else if (read.value !== undefined) values[name] = read.value
  }
  for (const issue of how.alsoWrong?.(input) ?? []) issues.push(issue)
  if (issues.length > 0) throw invalidInput(by, issues, details)
  return values
}
