import { z } from 'zod'
import { type Kind, notA, strictShape } from './kind.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for an object literal or parsed JSON; false for a Date, a Map or an instance of another class. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export function enumKind<const V extends string>(values: readonly V[]): Kind<V> {
  const known: ReadonlySet<unknown> = new Set(values)
  return Object.freeze({
    name: 'enum',
    stored: 'string',
    schema: z.enum(values, notA(`one of ${values.join(', ')}`)),
    holds: (value: unknown) => known.has(value),
    domain: Object.freeze({
      pattern: new RegExp(`^(?:${values.map((value) => value.replace(/\W/g, '\\$&')).join('|')})$`),
      values: Object.freeze([...values]),
    }),
  })
}

export const flagKind: Kind<boolean> = Object.freeze({
  name: 'flag',
  stored: 'boolean',
  schema: z.boolean(notA('true or false')),
  holds: (value: unknown) => typeof value === 'boolean',
})

/** DynamoDB's numbers: zero, or a magnitude from 1E-130 up to 9.99…E+125, with 38 significant digits (a JavaScript number has 17). */
const magnitude = { min: 1e-130, max: 1e126 } as const

/** True for a number that DynamoDB stores. */
export function isDecimal(value: number): boolean {
  const size = Math.abs(value)
  return value === 0 || (size >= magnitude.min && size < magnitude.max)
}

const beyondDecimals = "is outside the range of DynamoDB's numbers"

export interface NumberOptions {
  readonly min?: number
  readonly max?: number
  readonly integer?: boolean
}

export function numberKind({ min, max, integer }: NumberOptions): Kind<number> {
  let schema = integer === true ? z.int(notA('a whole number')) : z.number(notA('a finite number')).refine(isDecimal, beyondDecimals)
  if (min !== undefined) schema = schema.min(min, `is less than ${min}`)
  if (max !== undefined) schema = schema.max(max, `is more than ${max}`)
  // DynamoDB stores a negative zero as zero.
  schema = schema.overwrite((value) => value + 0)
  return Object.freeze({
    name: 'number',
    stored: 'number',
    schema,
    holds: (value: unknown) => typeof value === 'number',
    isWhole: integer === true,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  })
}

export interface ListOptions {
  /** The largest number of members. They are counted before any is validated. */
  readonly max?: number
}

/** In a longer list, validation ends after the first wrong members: a mebibyte may hold 500,000. */
const membersMany = 100
const issuesEnough = 10

/** A list of one kind. A stored value is only checked to be a list, since its members were validated when they were written. */
export function listKind<V>(of: z.ZodType<V>, { max }: ListOptions = {}): Kind<V[]> {
  const looked = (value: unknown, { issues }: z.core.ParsePayload) => {
    const members: readonly unknown[] = Array.isArray(value) ? value : []
    if (max !== undefined && members.length > max)
      issues.push({ code: 'custom', message: `has more than ${max} members`, input: undefined })
    else if (members.length > membersMany)
      for (let index = 0; index < members.length && issues.length < issuesEnough; index++)
        for (const { message, path } of of.safeParse(members[index]).error?.issues ?? [])
          issues.push({ code: 'custom', message, path: [index, ...path], input: undefined })
    return value
  }
  const schema = z.preprocess(looked, z.array(of, notA('a list')))
  return Object.freeze({
    name: 'list',
    stored: 'list',
    schema,
    holds: Array.isArray,
    of: Object.freeze({ schema: of }),
    ...(max !== undefined && { membersMax: max }),
  })
}

function inOrder<V>(members: readonly V[]): V[] {
  const compare = (one: V, other: V) =>
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
  return [...new Set(members)].sort(compare)
}

/** The members of a stored set, as callers see them. */
export const membersOf = (set: unknown): unknown[] => (set instanceof Set ? inOrder([...set]) : [])

/** A whole number beyond 2^53 may stand for another one, which a set would then hold instead. */
const isExact = (member: unknown) => typeof member !== 'number' || !Number.isInteger(member) || Number.isSafeInteger(member)

/** A set of texts or numbers. Callers give and see a list of its members, each once; DynamoDB has a set. `what`: its members, in a sentence. */
export function setKind<V extends string | number>(of: Kind<V>, what: string): Kind<readonly V[]> {
  const member = of.schema
    .refine(isExact, 'is a whole number beyond 2^53, which is not exact')
    .refine((value) => value !== '', 'is empty, which no member of a set is')
  const schema = z.preprocess((value) => (value instanceof Set ? [...value] : value), z.array(member, notA(`a set of ${what}`)))
  return Object.freeze({
    name: 'set',
    stored: 'set',
    schema: schema.transform(inOrder),
    holds: (value: unknown) => value instanceof Set && [...value].every((each) => of.holds(each)),
    of: Object.freeze({ ...of, schema: member }),
  })
}

/** DynamoDB nests lists and maps at most this deep. The bound also keeps a hostile body from exhausting the stack. */
const depthMax = 32

/** UTF-8 has no halves of pairs, so one would be stored as another character. */
const textProblem = (text: string) => (text.isWellFormed() ? undefined : 'holds half of a surrogate pair, which is not text')

/** Why a value is not JSON that can be stored, or undefined if it is. */
function jsonProblem(value: unknown, depth: number): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'string') return textProblem(value)
  if (typeof value === 'number')
    return !Number.isFinite(value)
      ? 'holds a number that is not finite'
      : isDecimal(value)
        ? undefined
        : `holds ${value}, which ${beyondDecimals}`
  if (typeof value !== 'object') return `holds a value of type ${typeof value}, which is not JSON`
  if (depth > depthMax) return `nests lists and maps more than ${depthMax} deep`
  if (!Array.isArray(value) && !isPlainObject(value)) return 'holds an object that is not plain data'
  const names = Array.isArray(value) ? [] : Object.keys(value)
  for (const name of names) {
    const problem = textProblem(name)
    if (problem !== undefined) return problem
  }
  // The values of a list include its holes, which are no JSON.
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    const problem = jsonProblem(part, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/**
 * JSON as DynamoDB returns it: zero without a sign, objects with the usual prototype. So a value equals itself once it is stored, and what a write
 * returns is what lies in the table.
 */
function jsonAsStored(value: Json): Json {
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part: Json) => jsonAsStored(part))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, jsonAsStored(part)]))
}

/** JSON of one form, normalised. `problemOf`: why a value has not that form. */
const jsonSchemaOf = <J extends Json>(problemOf: (value: unknown) => string | undefined): z.ZodType<J> =>
  z
    .custom<J>()
    .superRefine((value, context) => {
      const message = problemOf(value)
      // A value that has not the form may contain itself: nothing else looks at it.
      if (message !== undefined) context.addIssue({ code: 'custom', message, input: value, continue: false })
    })
    .overwrite((value) => jsonAsStored(value) as J) // of the form that it had

/** One entry of a map. */
export const jsonSchema = jsonSchemaOf<Json>((value) => jsonProblem(value, 2))

/**
 * Zod's own record and JSON schemas are not used: they silently drop a property named `__proto__`, and they recurse as deep as the input
 * does.
 */
const mapSchema = jsonSchemaOf<Readonly<Record<string, Json>>>((value) =>
  isPlainObject(value) ? jsonProblem(value, 1) : notA('a JSON object').error({ input: value }),
)
  // A schema of one's own tells JSON Schema nothing of itself.
  .meta({ type: 'object' })

/** Any JSON object. */
export const mapKind: Kind<Readonly<Record<string, Json>>> = Object.freeze({
  name: 'map',
  stored: 'map',
  schema: mapSchema,
  holds: isMap,
  isOpen: true,
})

/** An object of named parts. Unknown names are refused. */
export function recordKind<S extends Readonly<Record<string, z.ZodType>>>(
  shape: S,
): Kind<z.infer<z.ZodObject<{ -readonly [N in keyof S]: S[N] }>>> {
  return Object.freeze({ name: 'map', stored: 'map', schema: strictShape(shape, 'part'), holds: isMap })
}
