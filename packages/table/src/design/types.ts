import type { Attribute, Attributes, Presence, Value } from './attribute.ts'

/** Flattens an intersection, so that editors and errors show one object. */
export type Show<T> = { [K in keyof T]: T[K] } & {}

/** The names of the placeholders in a template. */
export type Placeholder<T> = T extends `${string}{${infer H}}${infer Rest}` ? H | Placeholder<Rest> : never

/** The placeholders that every alternative of a template has: no key is made without them. */
export type SurePlaceholder<T> = T extends `${infer A}|${infer B}` ? Placeholder<A> & SurePlaceholder<B> : Placeholder<T>

/** The texts that a template can make: `ROLE#{roleName}` makes `ROLE#${string}`; each alternative of `a|b` counts. */
export type Filled<T> = T extends `${infer A}|${infer B}`
  ? Filled<A> | Filled<B>
  : T extends `${infer A}{${string}}${infer Rest}`
    ? `${A}${string}${Filled<Rest>}`
    : T

type Segments<T> = T extends `${infer A}#${infer Rest}` ? [A, ...Segments<Rest>] : [T]
type Alternatives<T> = T extends `${infer A}|${infer Rest}` ? A | Alternatives<Rest> : T

/** A placeholder matches any text, a literal only itself. An empty last segment of a prefix matches anything after the delimiter. */
type SegmentFits<Theirs, Mine> = Theirs extends `${string}{${string}}${string}`
  ? Extending<Filled<Mine>, Filled<Theirs>>
  : Extending<Theirs, Mine>
type Extending<A, B> = A extends B ? true : false
type BeginsSegments<Theirs, Mine> = Mine extends [infer A, ...infer Mines]
  ? Theirs extends [infer B, ...infer More]
    ? [A, Mines] extends ['', []]
      ? true
      : SegmentFits<B, A> extends true
        ? BeginsSegments<More, Mines>
        : false
    : false
  : true
type BeginsOne<Theirs, Mine> = Theirs extends unknown ? BeginsSegments<Segments<Theirs>, Segments<Mine>> : never

/** `true` for each alternative of `Theirs` that makes every key of `Mine`, segment by segment. */
type MakesOne<Theirs, Mine> = Theirs extends unknown
  ? Filled<Mine> extends Filled<Theirs>
    ? Segments<Mine>['length'] extends Segments<Theirs>['length']
      ? true
      : never
    : never
  : never

/** Can the template `Theirs` make every key that `Mine` makes? */
export type CanMake<Theirs, Mine> = [MakesOne<Alternatives<Theirs>, Mine>] extends [never] ? false : true

/** Can a key of the template `Theirs` begin with a key of `Mine`? A literal matches a placeholder of theirs. */
export type CanBegin<Theirs, Mine> = Mine extends unknown ? (true extends BeginsOne<Alternatives<Theirs>, Mine> ? true : false) : never

type NotText<T, A> = { [H in Placeholder<T> & keyof A]: Value<A[H]> extends string ? never : H }[Placeholder<T> & keyof A]

/** `T` itself, or a sentence that names a placeholder that is no attribute, or is not text. */
export type Checked<T, A, Of extends string> = [Exclude<Placeholder<T>, keyof A>] extends [never]
  ? [NotText<T, A>] extends [never]
    ? T
    : `{${NotText<T, A> & string}} in '${T & string}' is not text: a key holds text only`
  : `{${Exclude<Placeholder<T>, keyof A> & string}} in '${T & string}' is not an attribute of ${Of}`

export type Key<P extends string = string, S extends string = string> = readonly [partition: P, sort: S]
export type Keys = Readonly<Record<string, Key>>

/** `K` itself, or the key with a sentence in place of each wrong template. */
export type CheckedKey<K, A, Of extends string> =
  K extends Key<infer P, infer S>
    ? readonly [Checked<P, A, Of>, Checked<S, A, Of>] extends K
      ? K
      : readonly [Checked<P, A, Of>, Checked<S, A, Of>]
    : never

/** The values of the attributes that have one of these presences. */
export type Values<A, P extends Presence> = { -readonly [K in keyof A as A[K] extends Attribute<unknown, P> ? K : never]: Value<A[K]> }
type Lacks = { readonly absent: string }
/** The values that every item has, whoever wrote it. */
export type Sure<A> = {
  -readonly [K in keyof A as A[K] extends Lacks ? never : A[K] extends Attribute<unknown, 'given' | 'made'> ? K : never]: Value<A[K]>
}
/** The values that an item may lack. */
export type Lacking<A> = {
  -readonly [K in keyof A as A[K] extends Lacks ? K : A[K] extends Attribute<unknown, 'optional' | 'copied'> ? K : never]?: Value<A[K]>
}
export type Maybe<T> = { [K in keyof T]?: T[K] | undefined }
export type OrNull<T> = { [K in keyof T]?: T[K] | null | undefined }

export type { Attribute, Attributes, Presence, Value }

/** No properties: the indexes or copies of an entity that has none. */
export type None = Record<never, never>
