import type { Id, Item } from './entity.ts'
import type { Entity, KeyTemplates } from './form.ts'
import { frozen } from './frozen.ts'
import type { CanBegin, CanMake, Key, Placeholder, Show, Value } from './types.ts'

/** How a query narrows its sort key. `begins_with_part` takes a prefix within a segment, such as the beginning of a name. */
export type SortOperator = '=' | 'begins_with' | 'begins_with_part' | 'between' | '<=' | '>='
export interface Sort<T extends string = string> {
  readonly operator: SortOperator
  /** One template, or two for `between`. */
  readonly templates: readonly T[]
}

const sort = <T extends string>(operator: SortOperator, ...templates: T[]): Sort<T> => frozen({ operator, templates })

export const equals = <const T extends string>(template: T): Sort<T> => sort('=', template)
/** A prefix of whole segments: `beginsWith('project#{id}')` with `p1` does not find the items of `p10` (spec rule 3). */
export const beginsWith = <const T extends string>(template: T): Sort<T> => sort('begins_with', template)
/** A prefix that may end inside a segment. */
export const beginsWithPart = <const T extends string>(template: T): Sort<T> => sort('begins_with_part', template)
/** Both ends belong to the range. A day as an end includes the whole day (spec rule 6). */
export const between = <const F extends string, const T extends string>(from: F, to: T): Sort<F | T> => sort<F | T>('between', from, to)
/** The end belongs to the range. A day as the end includes the whole day (spec rule 6). */
export const atMost = <const T extends string>(template: T): Sort<T> => sort('<=', template)
/** The start belongs to the range. */
export const atLeast = <const T extends string>(template: T): Sort<T> => sort('>=', template)

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
export function query<const P extends string, const T extends string = ''>(partition: P, sort?: Sort<T>): Query<'table', P, T> {
  return building({ ...empty, partition, sort })
}
/** A query of a global secondary index. */
export function queryOn<const G extends string, const P extends string, const T extends string = ''>(
  index: G,
  partition: P,
  sort?: Sort<T>,
): Query<G, P, T> {
  return building({ ...empty, index, partition, sort })
}
/** One item by its table key. */
export function get<E extends Entity>(entity: E): Pattern<Id<E>, Item<E>, 'get'> {
  return pattern({ operation: 'get', entities: [entity] })
}

/** The key templates of an entity in the table or in an index. */
export function templatesIn(entity: Entity, index: string | undefined): KeyTemplates | undefined {
  return index === undefined ? entity.form.key : entity.form.indexes[index]
}
