import type { Decider, Offer } from '@freehold/designs'
import type { AnyDesign, Page, Reading, Repository, Runtime } from '@freehold/table'

/** What is needed of a connected table: every `Table` has it, whatever its design. */
export interface ConnectedTable {
  readonly design: AnyDesign
  readonly runtime: Runtime
}

/** A design that is served: what it offers, the table it runs on, and perhaps its decisions. */
export interface Served {
  readonly offer: Offer
  readonly table: ConnectedTable
  /** Made from the offer and the table unless given. */
  readonly decider?: Decider
}

/** An access pattern of a table as HTTP calls it: names and values are checked where they arrive in the table. */
export type CallablePattern = (parameters: unknown, how: Reading) => Promise<Page<unknown> | object | undefined>

/** The repository of an entity, by its name. */
export function repositoryOf(table: ConnectedTable, name: string): Repository {
  // `connect` makes a repository for each entity of the design, under its name, which types cannot say of a name that comes from data.
  return (table as unknown as Readonly<Record<string, Repository>>)[name] as Repository
}

/** The function of an access pattern, by its name. */
export function patternOf(table: ConnectedTable, name: string): CallablePattern {
  // `connect` makes a function for each access pattern of the design, under its name; as above.
  return (table as unknown as Readonly<Record<string, CallablePattern>>)[name] as CallablePattern
}
