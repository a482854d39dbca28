// Types by which type tests of designs say what an item has.

/** The stamps of most items. */
export interface Stamps {
  createdAt?: string
  updatedAt?: string
}

type Whole<N extends string, A> = { Type: N; version: number; deleting?: string } & A
/** An item with these attributes, as it is stored. */
export type Stored<N extends string, A> = { [K in keyof Whole<N, A>]: Whole<N, A>[K] }

/** The parameters of a pattern of a table. */
export type ParametersOf<T, N extends keyof T> = T[N] extends (parameters: infer P, ...rest: never) => unknown ? P : never
