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
export type FlowResult<M, N extends FlowNames<M>> = FlowsIn<M>[N] extends Flow ? Awaited<ReturnType<FlowsIn<M>[N]>> : never
export type FlowListed<M, N extends FlowNames<M>> = FlowResult<M, N> extends { readonly items: readonly (infer T)[] } ? T : never
