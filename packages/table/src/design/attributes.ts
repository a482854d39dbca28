import { emailKind } from '../kind/email.ts'
import { opaqueKind, ulidKind, uuidKind, uuidOrKind } from '../kind/identifier.ts'
import { isNameKind, type Kind, kindForm, type Limit, nameMark } from '../kind/kind.ts'
import { codeKind, phoneKind, type TextOptions, textKindWith, usernameKind, verbatimKind } from '../kind/text.ts'
import { dayKind, instantKind } from '../kind/time.ts'
import {
  enumKind,
  flagKind,
  type Json,
  type ListOptions,
  listKind,
  mapKind,
  type NumberOptions,
  numberKind,
  recordKind,
} from '../kind/value.ts'
import { type Attribute, type Attributes, attribute, type Making, type Takes, type Value } from './attribute.ts'
import { frozen } from './frozen.ts'
import { newUlid, newUuid } from './new-id.ts'
import { checkOptions, checkSaying, inertMember } from './options.ts'

type Given<V, T extends Takes = 'values'> = Attribute<V, 'given', T>

function given<V, T extends Takes = 'values'>(kind: Kind<V>, ownMaker?: (making: Making) => V): Given<V, T> {
  return attribute({ kind, presence: 'given' }, ownMaker)
}

const limits = ['max', 'pattern', 'saying']

/** The options of a text as data. What it says of a wrong value is no limit. */
function textLimits({ pattern, saying: _, ...others }: TextOptions): NonNullable<Kind['limits']> {
  return defined({ ...others, pattern: pattern === undefined ? undefined : String(pattern) })
}

/** The options that are given. */
function defined(options: Readonly<Record<string, Limit | undefined>>): NonNullable<Kind['limits']> {
  return Object.fromEntries(Object.entries(options).flatMap(([name, limit]) => (limit === undefined ? [] : [[name, limit]])))
}

/** Text, stored in NFC and trimmed. Its case is kept. */
export const text = (options: TextOptions = {}): Given<string> => {
  checkOptions('text()', options, [...limits, 'lookAlikes', 'otherSpellings'])
  checkSaying('text()', options)
  return given({ ...textKindWith(options), limits: frozen(textLimits(options)) })
}
/** Text that is stored exactly as given. It cannot stand in a key. */
export const verbatim = (options: Pick<TextOptions, 'max' | 'pattern' | 'saying'> = {}): Given<string> => {
  checkOptions('verbatim()', options, limits)
  checkSaying('verbatim()', options)
  return given({ ...verbatimKind(options), limits: frozen(textLimits(options)) })
}
/**
 * A UUID, in lower case. Its default is a new one.
 * @param options `or`: a word that may stand instead of a UUID, for something that has none; its name may follow
 */
export const uuid = ({ or }: { readonly or?: string } = {}): Given<string> =>
  given(or === undefined ? uuidKind : { ...uuidOrKind(or), limits: frozen({ or }) }, newUuid)
/** A ULID, in upper case. Its default is a new one, which sorts by its time. */
export const ulid = (): Given<string> => given(ulidKind, newUlid)
/** An identifier of letters, digits, `.`, `_` and `-`. Its default is a UUID. */
export const opaqueId = (): Given<string> => given(opaqueKind, newUuid)
/** An e-mail address, in lower case. */
export const email = (): Given<string> => given(emailKind)
/** A phone number, as E.164 writes it. */
export const phone = (): Given<string> => given(phoneKind)
/** A name to sign in by, without look-alikes of another. */
export const username = (): Given<string> => given(usernameKind)
/** Text, stored in upper case. */
export const code = (): Given<string> => given(codeKind)
/** An instant: ISO 8601 in UTC with milliseconds. Its default is now. */
export const instant = (): Given<string> => given(instantKind, ({ now }) => now.toISOString())
/** A day: `YYYY-MM-DD`. Its default is today, in UTC. */
export const day = (): Given<string> => given(dayKind, ({ now }) => now.toISOString().slice(0, 10))
/** True or false. */
export const flag = (): Given<boolean> => given(flagKind)
/** With `integer: true` a whole number, to which an atomic change can add. */
export const number = <const O extends NumberOptions = NumberOptions>(
  options?: O,
): Given<number, O extends { readonly integer: true } ? 'amounts' : 'values'> => {
  checkOptions('number()', options ?? {}, ['min', 'max', 'integer'])
  return given({ ...numberKind(options ?? {}), limits: frozen(defined({ ...options })) })
}
/** A whole number that is not negative. */
export const count = (): Given<number, 'amounts'> =>
  given({ ...numberKind({ integer: true, min: 0 }), limits: frozen({ integer: true, min: 0 }) })
/** One of these words. */
export const oneOf = <const V extends string>(...values: V[]): Given<V> =>
  given({ ...enumKind(values), limits: frozen({ values: [...values].sort() }) })
/** A list of values of one kind, in their order. */
export const list = <V>(of: Attribute<V>, options: ListOptions = {}): Given<V[], 'elements'> => {
  checkOptions('list()', options, ['max'])
  return given({
    ...listKind(of.schema, options),
    limits: frozen(defined({ ...options, of: kindForm(of.kind) })),
    inert: inertMember('a list', of, ['given']),
  })
}
/** Any JSON object. */
export const map = (): Given<Readonly<Record<string, Json>>, 'entries'> => given(mapKind)

type OptionalIn<A extends Attributes> = { [N in keyof A]: A[N] extends Attribute<unknown, 'optional'> ? N : never }[keyof A]
type Flat<T> = { [N in keyof T]: T[N] }
type Shape<A extends Attributes> = Flat<
  { -readonly [N in Exclude<keyof A, OptionalIn<A>>]: Value<A[N]> } & { -readonly [N in OptionalIn<A>]?: Value<A[N]> }
>

/** An object of these attributes and no others. Optional ones may be left out. */
export const record = <A extends Attributes>(parts: A): Given<Shape<A>> => {
  const inert = Object.values(parts).map((part) => inertMember('a record', part, ['given', 'optional']))
  const shape = Object.fromEntries(
    Object.entries(parts).map(([name, { kind, schema, presence, description }]) => {
      // JSON Schema tells it as it tells the attributes of an entity.
      const told = { ...(description === undefined ? {} : { description }), ...(isNameKind(kind) ? { [nameMark]: true } : {}) }
      const part = Object.keys(told).length === 0 ? schema : schema.meta({ ...schema.meta(), ...told })
      return [name, presence === 'optional' ? part.exactOptional() : part]
    }),
  )
  // The schema's output has exactly these values. The mapped type says so; the type of Object.fromEntries does not.
  const forms = Object.entries(parts).map(([name, { kind, presence }]) => [
    name,
    { ...kindForm(kind), ...(presence === 'optional' ? { optional: true as const } : {}) },
  ])
  return given({
    ...(recordKind(shape) as unknown as Kind<Shape<A>>),
    limits: frozen({ parts: Object.fromEntries(forms) }),
    inert: inert.find((each) => each !== undefined),
  })
}

/** Instants that the runtime writes: `onCreate` at the creation only, `onWrite` at each write. */
export const stamp = {
  onCreate: (): Attribute<string, 'made', 'values'> =>
    attribute({ kind: instantKind, presence: 'made', make: ({ now }) => now.toISOString(), madeOnce: true }),
  onWrite: (): Attribute<string, 'made', 'values'> =>
    attribute({ kind: instantKind, presence: 'made', make: ({ now }) => now.toISOString(), madeOnWrite: true }),
} as const
