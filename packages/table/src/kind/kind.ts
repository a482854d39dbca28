import { z } from 'zod'

/** The texts that a kind allows. The proofs use it: can two templates make the same key, can one lie in the range of another? */
export interface Domain {
  /** Matches every value as a whole. */
  readonly pattern: RegExp
  /** The longest value in UTF-8 bytes, if the kind has one. */
  readonly bytesMax?: number
  /** All values, if they are few. */
  readonly values?: readonly string[]
}

/** A kind as data. Two kinds that say the same hold the same values. */
export interface KindForm {
  readonly kind: string
  readonly limits?: Readonly<Record<string, Limit>>
}
/** A text, number or flag; or the form of members, or of parts by their names. */
export type Limit = string | number | boolean | readonly string[] | KindForm | { readonly [part: string]: PartForm }
export interface PartForm extends KindForm {
  readonly optional?: true
}

export const kindForm = ({ name, limits = {} }: Pick<Kind, 'name' | 'limits'>): KindForm =>
  Object.keys(limits).length === 0 ? { kind: name } : { kind: name, limits }

/** A kind of attribute: how input becomes the stored value, and how a stored value is checked. Frozen, without I/O. */
export interface Kind<V = unknown> {
  readonly name: string
  /** What the design has given it: the longest text, the values of an enumeration, the kind of the members. None for a kind that takes nothing. */
  readonly limits?: Readonly<Record<string, Limit>>
  readonly stored: 'string' | 'number' | 'boolean' | 'list' | 'map' | 'set'
  /** Normalises, then validates. Messages are sentences about the value that do not name it. */
  readonly schema: z.ZodType<V>
  /** What the schema does to text, of a kind of text. A `Mismatch` that it throws says why a text does not fit. */
  readonly normalise?: Normalise
  /** A cheap check of a stored value, for reads of items that were validated when they were written. */
  holds(value: unknown): boolean
  /** The largest number of members of a list, if it has one. */
  readonly membersMax?: number
  /** The kind of the members of a list or set. */
  readonly of?: Pick<Kind, 'schema' | 'former'>
  /** Numbers that are whole, so that sums of them are exact. */
  readonly isWhole?: boolean
  /** The least and the largest number. */
  readonly min?: number
  readonly max?: number
  /** A map of any entries. */
  readonly isOpen?: boolean
  /** Present if the kind can stand in a key. */
  readonly domain?: Domain
  /** Reads a value as it was stored before look-alikes were refused, if that differs: items that were written so stay readable. */
  former?(value: unknown): z.ZodSafeParseResult<V>
  /** The format that JSON Schema 2020-12 has for every stored value. */
  readonly format?: 'uuid' | 'idn-email' | 'date-time' | 'date'
  /** What a member of it says that a stored value never does. */
  readonly inert?: string | undefined
  /** Text that refuses look-alikes. */
  readonly isName?: boolean
  /** The schema of an optional attribute, where text that says nothing is refused. */
  schemaIfOptional?(): z.ZodType<V>
  /** Normalises the end of a range, which may be a part of a value: a day can bound instants. */
  bound?(value: unknown): string
}

const folded: ReadonlySet<string> = new Set(['email', 'username', 'code'])

/** True for a kind whose cheap check also holds for other spellings of a value than that which is stored. Text that has one spelling is no such kind. */
export function mayBeSpelledOtherwise({ name, of, stored, isOpen }: Pick<Kind, 'name' | 'of' | 'stored' | 'isOpen'>): boolean {
  return folded.has(name) || of !== undefined || (stored === 'map' && isOpen !== true)
}

/** Reads a value that is looked for: as it is written, else as it was once stored. */
export function lookedFor<V>({ schema, former }: Pick<Kind<V>, 'schema' | 'former'>, value: unknown): z.ZodSafeParseResult<V> {
  const result = schema.safeParse(value)
  const before = result.success ? undefined : former?.(value)
  return before?.success === true ? before : result
}

/**
 * The same of text, without an error: every name that is asked about is first tried as an id. A kind that is no text of its own is read by its schema, and
 * printed.
 */
export function lookedForText(kind: Kind, text: string): string | Mismatch {
  const { normalise, former } = kind
  const value = normalise && normalised(normalise, text)
  if (typeof value === 'string' || (value !== undefined && former === undefined)) return value
  const result = lookedFor(kind, text)
  return result.success ? String(result.data) : new Mismatch(result.error.issues[0]?.message ?? 'does not fit')
}

/**
 * The sentence that says why a value does not fit its kind. It is no `Error`: every name that is asked about is first tried as an id, and the
 * stack of an error that is always caught would cost more than the look-up.
 */
export class Mismatch {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

type Normalise = (value: string) => string

/** Normalises text, or tells why it does not fit. */
export function normalised(normalise: Normalise, text: string): string | Mismatch {
  try {
    return normalise(text)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    return error
  }
}

/** The sentence for a value of another type than its kind's. */
export function notA(what: string): { error(issue: { readonly input?: unknown }): string } {
  return { error: ({ input }) => (input === undefined ? 'is missing' : `is not ${what}`) }
}

/** An object of these properties and no others. Messages call a property `part`. */
export function strictShape<S extends z.ZodRawShape>(shape: S, part: string): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no ${part} ${issue.keys.map((name) => `'${name}'`).join(' and ')}`
        : notA(`an object of ${part}s`).error(issue),
  })
}

/** What JSON Schema can say of texts. Patterns have no `\p`, which other languages do not know. */
export interface Spelled {
  /** Matches every text that a caller may give. */
  readonly pattern?: RegExp | undefined
  /** Matches every text as it is stored. */
  readonly stored?: RegExp | undefined
  readonly maxLength?: number | undefined
  readonly format?: Kind['format']
}

/** Kinds of names in one case, which refuse look-alikes. */
const namesInOneCase: ReadonlySet<string> = new Set(['code', 'username'])

/** A value of this kind is a name: look-alikes of other names are refused. */
export const isNameKind = ({ name, isName }: Pick<Kind, 'name' | 'isName'>): boolean => isName === true || namesInOneCase.has(name)

/** What says in the schema of a part that its value is a name. No part has this name itself. */
export const nameMark = 'x-name'

/** The two patterns of a text stand beside each other in the schemas of Zod, so that lists and objects have them, too: each side tells its own. */
export const storedPattern = 'storedPattern'

/**
 * A Zod schema that runs `normalise` on text. A `Mismatch` that it throws becomes the issue.
 * @param spelled for the JSON Schema
 */
export function textSchema(normalise: Normalise, { pattern, stored, ...more }: Spelled = {}): z.ZodType<string> {
  const schema = z.string(notA('text')).transform((value, context) => {
    const text = normalised(normalise, value)
    if (typeof text === 'string') return text
    context.issues.push({ code: 'custom', message: text.message, input: value })
    return z.NEVER
  })
  return schema.meta({ ...more, ...(pattern && { pattern: pattern.source }), ...(stored && { [storedPattern]: stored.source }) })
}

interface TextKindOptions extends Pick<Kind<string>, 'bound' | 'format'> {
  readonly former?: Normalise
  readonly optional?: Normalise
  /** The texts that a caller may give; and of an optional attribute. */
  readonly spelled?: Spelled
  readonly spelledIfOptional?: Spelled
}

/** A kind of text that may stand in a key. Its domain covers what is stored under `former`, too. */
export function textKind(
  name: string,
  normalise: Normalise,
  domain: Domain,
  { former, optional, spelled, spelledIfOptional, ...more }: TextKindOptions = {},
): Kind<string> {
  const { pattern } = domain
  const { format } = more
  const told = { ...spelled, ...(format && { format }) }
  const [before, ifOptional] = [former && textSchema(former), optional && textSchema(optional, { ...told, ...spelledIfOptional })]
  return Object.freeze({
    name,
    stored: 'string',
    schema: textSchema(normalise, told),
    normalise,
    holds: (value: unknown) => typeof value === 'string' && pattern.test(value),
    domain: Object.freeze(domain),
    ...(before && { former: (value: unknown) => before.safeParse(value) }),
    ...(ifOptional && { schemaIfOptional: () => ifOptional }),
    ...more,
  })
}
