import type { Comparison, SortOperator } from './comparison.ts'
import type { Id, Item } from './entity.ts'
import type { Entity, KeyTemplates } from './form.ts'
import { frozen } from './frozen.ts'
import type { CanBegin, CanMake, Key, Placeholder, Show, Value } from './types.ts'

export interface Sort<T extends string = string> {
  readonly operator: SortOperator
  /** One template, or two for `between`. */
  readonly templates: readonly T[]
}

type Sorting<T extends string> = Comparison<T, SortOperator> | Sort<T>

const sortOf = <T extends string>(by: Sorting<T> | undefined): Sort<T> | undefined =>
  by === undefined || 'templates' in by ? by : frozen({ operator: by.operator, templates: by.operands })

export interface QueryShape {
  readonly operation: 'query'
  /** The index's name; absent for the table. */
  readonly index?: string | undefined
  readonly partition: string
  readonly sort?: Sort | undefined
  /** Attributes that must equal a parameter of the same name. DynamoDB filters after the key condition. */
  readonly filters: readonly string[]
  /** Filters that apply only if their parameter is given. */
  readonly optionalFilters: readonly string[]
  readonly descending: boolean
  readonly entities: readonly Entity[]
  readonly addition?: string | undefined
}
export interface GetShape {
  readonly operation: 'get'
  readonly entities: readonly [Entity]
  readonly addition?: string | undefined
}

/** An access pattern: one GetItem or one Query. The type parameters are its parameters, its result and its operation. */
export interface Pattern<P = never, R = unknown, O extends 'get' | 'query' = 'get' | 'query'> {
  readonly shape: QueryShape | GetShape
  /** Types only; never present. */
  readonly types?: { readonly parameters: (parameters: P) => void; readonly result: R; readonly operation: O }
  /** Marks a pattern that the source document does not have, and says why it is here. */
  addition(why: string): Pattern<P, R, O>
}

/** The same access pattern, returning only some of its entities. */
export function narrowed({ shape }: Pattern, entities: readonly Entity[]): Pattern {
  if (entities.length === shape.entities.length || shape.operation === 'get') return pattern(shape)
  return pattern({ ...shape, entities })
}

type In<E, G> = E extends Entity<string, infer _A, infer K, infer X> ? (G extends 'table' ? K : G extends keyof X ? X[G] : never) : never

/** The entity itself, or a sentence that says why this query cannot return it. */
type Served<E, G extends string, P, S, F> =
  E extends Entity<infer N, infer A>
    ? [Exclude<F, keyof A>] extends [never]
      ? [In<E, G>] extends [never]
        ? `${N} has no key in ${G}`
        : In<E, G> extends Key<infer EP, infer ES>
          ? CanMake<EP, P> extends true
            ? CanBegin<ES, S> extends true
              ? E
              : `${N} is never under '${S & string}': its sort key is '${ES}'`
            : `${N} is not in partition '${P & string}': its partition key is '${EP}'`
          : never
      : `${N} has no attribute ${Exclude<F, keyof A> & string} to filter by`
    : never

type ParameterOf<E, H> = E extends Entity<string, infer A> ? (H extends keyof A ? Value<A[H]> : never) : never
type Parameter<E, H> = [ParameterOf<E, H>] extends [never] ? string : ParameterOf<E, H>
type Parameters<H extends string, O extends string, E> = Show<{ [K in H]: Parameter<E, K> } & { [K in O]?: Parameter<E, K> | undefined }>

/** A query under construction. */
export interface Query<G extends string, P, S, F extends string = never, O extends string = never> {
  /** Filters by attributes that must equal the parameter of the same name. */
  where<const W extends string>(...attributes: W[]): Query<G, P, S, F | W, O>
  /** Like `where`, for parameters that may be left out. */
  optionally<const W extends string>(...attributes: W[]): Query<G, P, S, F, O | W>
  /** Returns items from the last sort key to the first, unless the caller asks otherwise. */
  descending(): Query<G, P, S, F, O>
  returns<const E extends readonly Entity[]>(
    ...entities: { [I in keyof E]: Served<E[I], G, P, S, F | O> extends Entity ? E[I] : Served<E[I], G, P, S, F | O> }
  ): Pattern<Parameters<Placeholder<P> | Placeholder<S> | F, O, E[number]>, Item<E[number]>, 'query'>
}

function pattern<P, R, O extends 'get' | 'query'>(shape: QueryShape | GetShape): Pattern<P, R, O> {
  return frozen({ shape, addition: (why: string) => pattern<P, R, O>({ ...shape, addition: why }) })
}

function building<G extends string, P, S>(shape: QueryShape): Query<G, P, S> {
  const query = {
    where: (...attributes: string[]) => building({ ...shape, filters: [...shape.filters, ...attributes] }),
    optionally: (...attributes: string[]) => building({ ...shape, optionalFilters: [...shape.optionalFilters, ...attributes] }),
    descending: () => building({ ...shape, descending: true }),
    returns: (...entities: Entity[]) => pattern({ ...shape, entities }),
  }
  // The calls determine the interface's type parameters; the value does not have them.
  return query as unknown as Query<G, P, S>
}

const empty = { operation: 'query', filters: [], optionalFilters: [], descending: false, entities: [] } as const

/** A query of the table. */
export function query<const P extends string, const T extends string = ''>(partition: P, sort?: Sorting<T>): Query<'table', P, T> {
  return building({ ...empty, partition, sort: sortOf(sort) })
}
/** A query of a global secondary index. */
export function queryOn<const G extends string, const P extends string, const T extends string = ''>(
  index: G,
  partition: P,
  sort?: Sorting<T>,
): Query<G, P, T> {
  return building({ ...empty, index, partition, sort: sortOf(sort) })
}
/** One item by its table key. */
export function get<E extends Entity>(entity: E): Pattern<Id<E>, Item<E>, 'get'> {
  return pattern({ operation: 'get', entities: [entity] })
}

/** The key templates of an entity in the table or in an index. */
export function templatesIn(entity: Entity, index: string | undefined): KeyTemplates | undefined {
  return index === undefined ? entity.form.key : entity.form.indexes[index]
}
