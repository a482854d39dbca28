import type { Attribute, Attributes, Entity, Issue, New } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'

/** What a flow takes: as the attributes of a new item are given. Null for an optional one says that it shall go. */
export type InputOf<I> = New<Entity<string, I>>

function isRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** A refusal names no more of them: a mebibyte of names would be answered with sixteen. */
const unknownMax = 10

function readOne({ schema, presence }: Attribute, name: string, value: unknown): { readonly value: unknown } | readonly Issue[] {
  if (value === undefined && presence !== 'given') return { value }
  if (value === null && presence === 'optional') return { value }
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data }
  return result.error.issues.map(({ path, message }) => ({
    path: [name, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    message,
  }))
}

/** The input of a flow, normalised. Throws `InvalidInput` naming every attribute that is missing, unknown or does not fit. */
export function readInput<I extends Attributes>(flow: string, attributes: I, input: unknown): InputOf<I> {
  if (!isRecord(input)) throw invalidInput(flow, [{ path: [], message: 'the input is not an object' }], { flow })
  const issues: Issue[] = Object.keys(input)
    .filter((name) => !Object.hasOwn(attributes, name))
    .slice(0, unknownMax)
    .map((name) => ({ path: [name], message: `is not an input of ${flow}, which has ${Object.keys(attributes).join(', ') || 'none'}` }))
  const values: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(attributes)) {
    const read = readOne(attribute, name, Object.hasOwn(input, name) ? input[name] : undefined)
    if (!('value' in read)) for (const issue of read) issues.push(issue)
    else if (read.value !== undefined) values[name] = read.value
  }
  if (issues.length > 0) throw invalidInput(flow, issues, { flow })
  // Each attribute of I was read by its own schema.
  return values as InputOf<I>
}
