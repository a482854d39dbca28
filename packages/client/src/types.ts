// A design's module is the one declaration. Its types are read by their form, so that this package depends on nothing, at run time and in types.

/** A design's module, of `@freehold/designs` or a program's own: `typeof rebacModule`. */
export interface TypedModule {
  readonly design: object
}

type Deciding = (question: never, how?: never) => Promise<unknown>
type DeciderIn<M> = M extends { decider(...given: never[]): infer K } ? K : never
export type FlowsIn<M> = M extends { readonly flows: { of(...given: never[]): infer F } } ? F : never
type Of<K, N extends string> = K extends Record<N, infer F extends Deciding> ? F : never

/** The question of this name, as the decider types it. */
export type QuestionOf<M, N extends string> = Parameters<Of<DeciderIn<M>, N>>[0]
export type AnswerOf<M, N extends string> = Awaited<ReturnType<Of<DeciderIn<M>, N>>>
/** One item of a list. */
export type ListedOf<M, N extends string> = AnswerOf<M, N> extends { readonly items: readonly (infer T)[] } ? T : never

type Flow = (input: never) => Promise<unknown>
export type FlowNames<M> = keyof FlowsIn<M> & string
export type FlowInput<M, N extends FlowNames<M>> = FlowsIn<M>[N] extends Flow ? Parameters<FlowsIn<M>[N]>[0] : never
/** An item of the library as the service tells it; a page of such items; other values as they are. */
type Told<T> = T extends { readonly Type: infer N }
  ? 'type' extends keyof T
    ? Omit<T, 'Type'> & { readonly entity: N }
    : T
  : T extends { readonly items: readonly (infer I extends { readonly Type: string; readonly type?: unknown })[] }
    ? 'type' extends keyof I
      ? Omit<T, 'items'> & { readonly items: readonly Told<I>[] }
      : T
    : T
export type FlowResult<M, N extends FlowNames<M>> = FlowsIn<M>[N] extends Flow ? Told<Awaited<ReturnType<FlowsIn<M>[N]>>> : never
export type FlowListed<M, N extends FlowNames<M>> = FlowResult<M, N> extends { readonly items: readonly (infer T)[] } ? T : never

type Values = Readonly<Record<string, unknown>>
type Show<T> = { [K in keyof T]: T[K] } & {}
/** The entities or the access patterns of a design. A module without a type of its own has any name. */
type PartsIn<M, W extends 'entities' | 'patterns'> = M extends { readonly design: { readonly [K in W]: infer D } }
  ? D
  : Record<string, never>
export type EntityNames<M> = keyof PartsIn<M, 'entities'> & string
export type PatternNames<M> = keyof PartsIn<M, 'patterns'> & string

type Typed<P> = P extends {
  readonly types?: { readonly parameters: (parameters: infer Q) => void; readonly result: infer R; readonly operation: infer O }
}
  ? { readonly parameters: Q; readonly result: R; readonly operation: O }
  : never
type PatternIn<M, N extends PatternNames<M>> = Typed<PartsIn<M, 'patterns'>[N]>
/** One item of an access pattern. */
export type PatternItem<M, N extends PatternNames<M>> = [PatternIn<M, N>] extends [never] ? Values : Told<PatternIn<M, N>['result']>
type PatternParameters<M, N extends PatternNames<M>> = [PatternIn<M, N>] extends [never] ? Values : PatternIn<M, N>['parameters']
/** The parameters of an access pattern, and how it is asked. Parameters that it does not need may be left out. */
export type PatternCall<M, N extends PatternNames<M>, How> =
  Record<never, never> extends PatternParameters<M, N>
    ? [parameters?: PatternParameters<M, N>, how?: How]
    : [parameters: PatternParameters<M, N>, how?: How]
/** The item of a pattern that reads one, or a page. */
export type PatternAnswer<M, N extends PatternNames<M>> = [PatternIn<M, N>] extends [never]
  ? Values
  : PatternIn<M, N>['operation'] extends 'get'
    ? PatternItem<M, N>
    : { readonly items: readonly PatternItem<M, N>[]; readonly cursor?: string; readonly malformed?: readonly Values[] }

type Value<A> = A extends { readonly schema: { readonly _output: infer V } } ? V : never
type With<A, P extends string> = { -readonly [K in keyof A as A[K] extends { readonly presence: P } ? K : never]: Value<A[K]> }
type OrNull<T> = { [K in keyof T]?: T[K] | null | undefined }
type Maybe<T> = { [K in keyof T]?: T[K] | undefined }
type Placeholder<T> = T extends `${string}{${infer H}}${infer Rest}` ? H | Placeholder<Rest> : never

interface Declared {
  readonly name: string
  readonly attributes: object
  readonly key: readonly string[]
}
/** An entity with a type of its own; never for one of any design. */
type EntityIn<M, N extends EntityNames<M>> = PartsIn<M, 'entities'>[N] extends infer E extends Declared
  ? string extends keyof E['attributes']
    ? never
    : E
  : never
type Made<M, N extends EntityNames<M>, T> = [EntityIn<M, N>] extends [never] ? Values : Show<T>
type AttributesOf<M, N extends EntityNames<M>> = EntityIn<M, N>['attributes']

/** The name of the entity: `Type`, or `entity` beside an attribute `type`, from which that differs by case alone. */
type Named<A, N> = 'type' extends keyof A ? { readonly entity: N } : { readonly Type: N }

/** An item as the service gives it. */
export type ItemOf<M, N extends EntityNames<M>> = Made<
  M,
  N,
  Named<AttributesOf<M, N>, EntityIn<M, N>['name']> & { readonly version: number; readonly deleting?: string } & With<
      AttributesOf<M, N>,
      'given' | 'made'
    > &
    Partial<With<AttributesOf<M, N>, 'optional' | 'copied'>>
>
export type NewOf<M, N extends EntityNames<M>> = Made<
  M,
  N,
  With<AttributesOf<M, N>, 'given'> & OrNull<With<AttributesOf<M, N>, 'optional'>> & Maybe<With<AttributesOf<M, N>, 'made'>>
>
export type ChangeOf<M, N extends EntityNames<M>> = Made<
  M,
  N,
  Maybe<With<AttributesOf<M, N>, 'given' | 'made'>> & OrNull<With<AttributesOf<M, N>, 'optional'>>
>
type InKey<M, N extends EntityNames<M>> = Placeholder<EntityIn<M, N>['key'][number]>
/** The attributes of the key of an item. */
export type IdOf<M, N extends EntityNames<M>> = Made<
  M,
  N,
  {
    [H in InKey<M, N> & keyof With<AttributesOf<M, N>, 'given' | 'made' | 'copied'>]: With<
      AttributesOf<M, N>,
      'given' | 'made' | 'copied'
    >[H]
  } & {
    [H in InKey<M, N> & keyof With<AttributesOf<M, N>, 'optional'>]?: With<AttributesOf<M, N>, 'optional'>[H] | null | undefined
  }
>
