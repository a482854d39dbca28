import type { Attribute, Attributes, Entity, New, Presence, Value } from '@freehold/table'
import { readAttributes } from '../../reading/read-attributes.ts'
import { asInput } from './input-limits.ts'

/** The input of a flow, as the attributes of a new item are given. Null takes an optional one away. */
export type InputOf<I> = New<Entity<string, I>>

/** The texts of these names in an input. */
export function textsIn(names: readonly string[], input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = input[name]
      return typeof text === 'string' ? [[name, text]] : []
    }),
  )
}

/** The ids in an input, for the record of a denied call: ids tell no secret. */
export function idsIn(attributes: Attributes, input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const ids = Object.entries(attributes).filter(([, { kind }]) => kind.name === 'uuid' || kind.name === 'ulid')
  return textsIn(
    ids.map(([name]) => name),
    input,
  )
}

/** The input of a flow, normalised. Throws `InvalidInput` naming every attribute that is missing, unknown or does not fit. */
export function readInput<I extends Attributes>(flow: string, attributes: I, input: unknown): InputOf<I> {
  const foreign = (names: string) => `is not an input of ${flow}, which has ${names || 'none'}`
  // Each attribute of I is read by its own schema.
  return readAttributes(attributes, input, { name: flow, details: { flow }, called: 'input', foreign, nullIs: 'value' }) as InputOf<I>
}

export type Given<E, N> = E extends Entity<string, infer A> ? { readonly [K in N & keyof A]: A[K] } : never
/** Each must be given, also one that has a default in a new item. */
export type Naming<E, N> = E extends Entity<string, infer A> ? { readonly [K in N & keyof A]: Attribute<Value<A[K]>, 'given'> } : never
/** Optional attributes may be null, which takes them away; the others may be left out only. */
export type Changing<E, N> =
  E extends Entity<string, infer A>
    ? { readonly [K in N & keyof A]: Attribute<Value<A[K]>, A[K] extends Attribute<unknown, 'optional'> ? 'optional' : 'made'> }
    : never
export type NameIn<E> = E extends Entity<string, infer A> ? keyof A & string : never

function pick(attributes: Attributes, names: readonly string[]): [string, Attribute][] {
  return names.flatMap((name): [string, Attribute][] => {
    const attribute = attributes[name]
    return attribute === undefined ? [] : [[name, asInput(name, attribute)]]
  })
}

/** Attributes of an entity as the input of a flow that names one. */
export function naming<E extends Entity, const N extends NameIn<E>>(entity: E, ...names: readonly N[]): Naming<E, N> {
  const required = pick(entity.attributes, names).map(([name, attribute]) => [name, { ...attribute, presence: 'given', make: undefined }])
  // Each name is one of the entity's own, with its attribute, which must be given.
  return Object.fromEntries(required) as unknown as Naming<E, N>
}

/** Attributes of an entity as the input of a flow that creates one. */
export function given<E extends Entity, const N extends NameIn<E>>(entity: E, ...names: readonly N[]): Given<E, N> {
  // Each name is one of the entity's own, with its attribute.
  return Object.fromEntries(pick(entity.attributes, names)) as unknown as Given<E, N>
}

/** Attributes of an entity as the input of a flow that changes one: each may be left out, and null takes an optional one away. */
export function changing<E extends Entity, const N extends NameIn<E>>(entity: E, ...names: readonly N[]): Changing<E, N> {
  const presence = (attribute: Attribute): Presence => (attribute.presence === 'optional' ? 'optional' : 'made')
  const optional = pick(entity.attributes, names).map(([name, attribute]) => [name, { ...attribute, presence: presence(attribute) }])
  // Each name is one of the entity's own, with its attribute, which need not be given.
  return Object.fromEntries(optional) as unknown as Changing<E, N>
}
