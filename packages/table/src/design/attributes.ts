import { opaqueKind, ulidKind, uuidKind } from '../kind/identifier.ts'
import type { Kind } from '../kind/kind.ts'
import { codeKind, emailKind, phoneKind, type TextOptions, textKindWith, usernameKind, verbatimKind } from '../kind/text.ts'
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
import { type Attribute, type Attributes, attribute, type Making, type Value } from './attribute.ts'

type Given<V> = Attribute<V, 'given'>

function given<V>(kind: Kind<V>, ownMaker?: (making: Making) => V): Given<V> {
  return attribute({ kind, presence: 'given' }, ownMaker)
}

/** NFC and trimmed, case kept. */
export const text = (options: TextOptions = {}): Given<string> => given(textKindWith(options))
/** Kept exactly as given; cannot stand in a key. */
export const verbatim = (options: TextOptions = {}): Given<string> => given(verbatimKind(options))
export const uuid = (): Given<string> => given(uuidKind, (making) => making.uuid())
export const ulid = (): Given<string> => given(ulidKind, (making) => making.ulid())
/** An identifier of letters, digits, `.`, `_`, `-`; a UUID when made here. */
export const opaqueId = (): Given<string> => given(opaqueKind, (making) => making.uuid())
export const email = (): Given<string> => given(emailKind)
export const phone = (): Given<string> => given(phoneKind)
export const username = (): Given<string> => given(usernameKind)
/** Upper case. */
export const code = (): Given<string> => given(codeKind)
/** ISO 8601 in UTC with milliseconds. Made: now. */
export const instant = (): Given<string> => given(instantKind, ({ now }) => now.toISOString())
/** `YYYY-MM-DD`. Made: today, in UTC. */
export const day = (): Given<string> => given(dayKind, ({ now }) => now.toISOString().slice(0, 10))
export const flag = (): Given<boolean> => given(flagKind)
export const number = (options: NumberOptions = {}): Given<number> => given(numberKind(options))
/** A whole number from 0. */
export const count = (): Given<number> => given(numberKind({ integer: true, min: 0 }))
export const oneOf = <const V extends string>(...values: V[]): Given<V> => given(enumKind(values))
export const list = <V>(of: Attribute<V>, options: ListOptions = {}): Given<V[]> => given(listKind(of.schema, options))
/** Any JSON object. */
export const map = (): Given<Readonly<Record<string, Json>>> => given(mapKind)

type Shape<A extends Attributes> = { -readonly [N in keyof A]: Value<A[N]> }

/** An object of named parts. */
export const record = <A extends Attributes>(parts: A): Given<Shape<A>> => {
  const shape = Object.fromEntries(Object.entries(parts).map(([name, { schema }]) => [name, schema]))
  // The schema's output has exactly the parts' values, which the mapped type says and Object.fromEntries forgets.
  return given(recordKind(shape) as unknown as Kind<Shape<A>>)
}

/** Instants that the runtime writes: `onCreate` once, and no update changes it; `onWrite` again with each update. */
export const stamp = {
  onCreate: (): Attribute<string, 'made'> =>
    attribute({ kind: instantKind, presence: 'made', make: ({ now }) => now.toISOString(), madeOnce: true }),
  onWrite: (): Attribute<string, 'made'> =>
    attribute({ kind: instantKind, presence: 'made', make: ({ now }) => now.toISOString(), madeOnWrite: true }),
} as const
