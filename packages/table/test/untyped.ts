import { design, type Entity, edge, entity, mirror, query, queryOn, unique } from '../src/language.ts'

// Mistakes that the compiler refuses are also refused at run time, for designs that are written in JavaScript or read from data.
// The functions are called as such a caller would, whom no type stops.
type Untyped<R> = (...parts: readonly unknown[]) => R
export const untyped = {
  entity: entity as unknown as Untyped<Entity>,
  unique: unique as unknown as Untyped<Entity>,
  mirror: mirror as unknown as Untyped<Entity>,
  edge: edge as unknown as Untyped<Readonly<Record<string, Entity>>>,
  design: design as unknown as Untyped<unknown>,
  query: query as unknown as Untyped<UntypedQuery>,
  queryOn: queryOn as unknown as Untyped<UntypedQuery>,
}
interface UntypedQuery {
  where(attribute: string): UntypedQuery
  optionally(attribute: string): UntypedQuery
  returns: Untyped<unknown>
}
