import {
  type Attribute,
  type Attributes,
  type Entity,
  flag,
  type Issue,
  isFreeholdError,
  list,
  map,
  number,
  oneOf,
  type Presence,
  text,
  type Value,
  verbatim,
} from '@freehold/table'
import { attributeSchema } from '@freehold/table/publish'
import { day_ms, lookedForText, normalised, tableKey } from '@freehold/table/runtime'
import { type Given, type Remembering, readAttributes } from '../reading/read-attributes.ts'
import type { AskedName, Can, Consistency, DeclaredQuestion, QuestionName, Why } from './decision.ts'
import type { Name } from './lookup.ts'
import { recentlyUsed } from './recently-used.ts'
import { type Returns, valuesOf } from './returns.ts'

/** A question as it is declared, as a flow is: everything that command, HTTP and docs need to know without asking it. */
export interface Question<I extends Attributes = Attributes, R = unknown> extends DeclaredQuestion<I, R> {
  /** The issues of the fields together, as they were given. */
  readonly alsoWrong?: (given: Given) => readonly Issue[]
}

/** The questions of a design; `access` if it gives snapshots. */
export type Questions = Readonly<Record<QuestionName, Question>> & { readonly access?: Question }

type NamesOf<I extends Attributes, P extends Presence> = { [N in keyof I]: I[N] extends Attribute<unknown, P> ? N : never }[keyof I]
/** A question as it was read: normalised. */
export type Asked<Q> =
  Q extends Question<infer I>
    ? { readonly [N in NamesOf<I, 'given'>]: Value<I[N]> } & { readonly [N in NamesOf<I, 'optional'>]?: Value<I[N]> | undefined }
    : never

/** Answers of `can` and `why`. */
export const decision: Returns<Can> = valuesOf<Can>({ allowed: flag(), reason: map().optional() })
/** A question whose answer is a decision and its evidence. */
export const explanation: Returns<Why> = valuesOf<Why>({
  allowed: flag(),
  reason: map().optional(),
  chains: list(list(map())),
  missing: list(map()),
})

/** The flaw of a value, in words. */
export type Problem = { readonly problem: string }

/** True for text that a reader refused. */
export const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null && 'problem' in value

/** At least so many texts of each field are remembered with what they were read as, if they are no longer than most names. */
const remembered = { texts_min: 1000, length_max: 256 } as const

/**
 * A field of the values that an attribute takes. Texts are remembered with what they were read as: services are asked about the same users and scopes
 * again and again, and to normalise a name takes longer than to judge it.
 * @param read normalises a value, or tells its flaw: always the same for the same text
 */
export function field<V, R>(
  takes: Attribute<V> & { readonly isAny?: true },
  read: (value: V) => R,
): Attribute<Exclude<R, Problem>, 'given'> {
  const known = recentlyUsed<R>(remembered.texts_min)
  const schema = takes.schema.transform((value, context) => {
    const result = read(value)
    if (isProblem(result)) context.issues.push({ code: 'custom', message: result.problem, input: value })
    return result
  })
  const { schema: plain, normalise } = takes.kind
  const isPlain = takes.schema === plain && normalise !== undefined
  // It is read without the schema, which takes several times as long as the rest. What is refused is read by the schema, too, which tells why.
  const readPlain = (given: unknown): R | undefined => {
    const isText = typeof given === 'string'
    const value = isPlain && isText ? normalised(normalise, given) : given
    // The values of a kind that normalises text are text, and `anyOf` leaves all values as they are.
    const result = takes.isAny === true || (isPlain && typeof value === 'string') ? read(value as V) : undefined
    if (result === undefined || isProblem(result)) return undefined
    if (isText && given.length <= remembered.length_max) known.set(given, result)
    return result
  }
  const remembering: Remembering = { recall: (given) => (typeof given === 'string' ? known.get(given) : undefined) ?? readPlain(given) }
  // A problem is an issue, so no value is one. Of a field a reader uses the schema and the presence, and a page the kind.
  return { ...takes, ...remembering, presence: 'given', schema } as unknown as Attribute<Exclude<R, Problem>, 'given'>
}

/** Takes the values of any of these attributes, as they are. Documents tell the first. Other values are left to `field`, which tells their flaw. */
export function anyOf(first: Attribute, ...others: readonly Attribute[]): Attribute & { readonly isAny: true } {
  const either = others.reduce<Attribute['schema']>((schema, other) => schema.or(other.schema), first.schema)
  const any = { ...first, told: first, schema: either.catch(({ value }: { readonly value: unknown }) => value), isAny: true }
  // What its methods make is another attribute.
  return any as unknown as Attribute & { readonly isAny: true }
}

/** A field that a question may be without. */
export function optional<V>(given: Attribute<V>): Attribute<V, 'optional'> {
  // As in `field`: only the presence differs.
  return { ...given, presence: 'optional' } as Attribute<V, 'optional'>
}

/** Turns text into what is looked up, or says why there can be no such name. */
export type TextReader<T = string> = (text: string) => T | Problem

/**
 * Text as an attribute of an entity normalises it, which the entity's key can hold: nothing else finds one.
 * @param beside values for the other placeholders of the key
 */
export function nameOf(entity: Entity, attribute: string, beside: Readonly<Record<string, string>> = {}): TextReader {
  return (text) => {
    const kind = entity.attributes[attribute]?.kind
    const value = kind && lookedForText(kind, text)
    if (typeof value !== 'string') return { problem: value?.message ?? 'is not a name' }
    try {
      tableKey(entity, { ...beside, [attribute]: value })
      return value
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidKey')) throw error
      return { problem: 'is not a name: it is empty, too long, or holds a control character' }
    }
  }
}

/** A field of text, which documents tell as they tell the attribute `told`. */
export const textField = <R>(told: Attribute<string>, read: TextReader<R>): Attribute<Exclude<R, Problem>, 'given'> =>
  field<string, R | Problem>({ ...verbatim(), told, description: told.description }, read)

/** The texts that name something by an id or by an e-mail address, as a pattern: those in the form of the id, and those with an `@`. */
export const idOrAddress = (id: Attribute<string>): string => `${attributeSchema(id, { side: 'given' }).pattern}|.+@.+`

/** The text of a field that names a user, for documents. @param words what the id is: `UUID` */
export const userTold = (id: Attribute<string>, words: string, who = 'user'): Attribute<string> =>
  text({ pattern: new RegExp(idOrAddress(id)) }).describe(`The ${who}, by its ${words} or e-mail address.`)

/** A user, named by an id or by an e-mail address in any spelling. No text is both. @param told for documents */
export function userField(
  id: TextReader,
  address: TextReader,
  neither: string,
  told: Attribute<string> = verbatim(),
): Attribute<Name, 'given'> {
  return textField(told, (given): Name | Problem => {
    const asId = id(given)
    if (typeof asId === 'string') return { by: 'id', text: asId }
    const asEmail = address(given)
    return typeof asEmail === 'string' ? { by: 'lookup', text: asEmail } : { problem: neither }
  })
}

/** More than the keys of an item hold (spec rule 2): nothing is called by a longer text, so it is neither looked up nor remembered as unknown. */
const textMax = 4096

/**
 * Reads a question: exactly its fields, normalised. No text has a special meaning here, so none is a wildcard (spec rule 21). Throws `InvalidInput`
 * naming each field that is missing, unknown or of another kind.
 */
export function readQuestion<Q extends Question>(question: AskedName, { fields, alsoWrong }: Q, input: unknown): Asked<Q> {
  const foreign = (names: string) => `is not a field of this question, which has ${names}`
  const how = { name: question, details: { question }, called: 'question', foreign, nullIs: 'absent', textMax, alsoWrong } as const
  // Each field of Q is read by its own schema.
  return readAttributes(fields, input, how) as Asked<Q>
}

const wholeNumber = (most: number) =>
  field(anyOf(number()), (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
      ? Number(value)
      : { problem: `is not a whole number from 1 to ${most}` },
  )

/** A day: what holds longer is no snapshot. */
export const lastsMax_ms = day_ms

const consistency = field(anyOf(oneOf('strong', 'bounded')), (value): Consistency | Problem =>
  value === 'strong' || value === 'bounded' ? value : { problem: "is neither 'strong' nor 'bounded'" },
)
const asking = { consistency: optional(consistency) }
const listing = { ...asking, limit: optional(wholeNumber(1000)), cursor: verbatim().optional() }
const expanding = { ...listing, expand: flag().optional() }
const taking = { ...asking, lasts_ms: optional(wholeNumber(lastsMax_ms)), evidence: flag().optional() }

/** Reads how a question is asked: some of all the ways. Throws `InvalidInput`. */
function readHow(question: AskedName, ways: Attributes, how: unknown): Asked<Question<typeof expanding & typeof taking>> {
  if (how === undefined) return {}
  const foreign = (names: string) => `is not a way to ask, which are ${names}`
  // Each is read by its own schema, and none has to be there.
  return readAttributes(ways, how ?? {}, { name: question, details: { question }, called: 'second argument', foreign, nullIs: 'absent' })
}

/** Throws `InvalidInput` if `how` is malformed. */
export function consistencyOf(question: AskedName, how: unknown): Consistency {
  return readHow(question, asking, how).consistency ?? 'bounded'
}

/** How a list is asked for, with its defaults. Throws `InvalidInput` if `how` is malformed. */
export function listingOf(question: QuestionName, how: unknown) {
  const ways = question === 'where' ? expanding : listing
  const { consistency = 'bounded', limit = 100, cursor, expand = false } = readHow(question, ways, how)
  return { consistency, limit, cursor, expand } as const
}

export type HowListed = ReturnType<typeof listingOf>

/** How a snapshot is taken, with its defaults. Throws `InvalidInput` if `how` is malformed. */
export function takingOf(how: unknown, lastsDefault_ms: number) {
  const { consistency = 'bounded', lasts_ms = lastsDefault_ms, evidence = false } = readHow('access', taking, how)
  return { consistency, lasts_ms, evidence } as const
}

export type HowTaken = ReturnType<typeof takingOf>
