import type { ConnectedTable } from '@freehold/table'
import type { AnswerPage, Decider, Reason } from '../decision/decision.ts'
import type { Action, Context, Evaluation, Named, SearchKind } from './request.ts'

// A design says once how AuthZEN's subjects, actions and resources are named in its questions. Of the general machinery `decision-point.ts` is the
// entry: request.ts reads requests, evaluate.ts answers `evaluation` and `evaluations`, search.ts the three searches.

export type Fields = Readonly<Record<string, unknown>>

/** An item of one of the decider's lists. */
export type ListItem = object

/** How entities of one type, or actions, are named in questions, and found again in the decider's lists. */
export interface Naming<N> {
  /** The fields of a question. Not needed where the mapping makes the whole `question`. */
  asked?(named: N): Fields
  /** The ids of an item, or the names of its actions. None for an item of another type. */
  told(item: ListItem): readonly string[]
  /** True if the properties are taken by `asked`. Otherwise they are left out, and told as unused. */
  readonly takesProperties?: boolean
}

/** How a list is asked for. The cursors are those that the list gave. */
export interface ListAsked {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A list in place of one of the decider's own, where that lists something else. */
export type OwnList = (question: Fields, how: ListAsked) => Promise<AnswerPage<ListItem>>

/** What a design takes of a request: its question, and the names of what it does not use. The reason where it cannot be asked. */
export interface Taken {
  readonly question: Fields
  readonly unused: readonly string[]
  readonly reason?: Reason | undefined
}

/** How a design answers AuthZEN. */
export interface AuthzenMapping {
  subject(type: string): Naming<Named> | undefined
  readonly action: Naming<Action>
  resource(type: string): Naming<Named> | undefined
  /** The fields that the context gives, and the names in it that are not used. By default none, and all. */
  context?(context: Context): { readonly fields: Fields; readonly unused: readonly string[] }
  /** Makes the question in place of the fields of its parts. It is asked for types that the design has. */
  question?(asked: Evaluation, searched: SearchKind | undefined): Promise<Taken>
  /** By default a search asks `who` for subjects, `what` for actions and `where`, expanded, for resources. */
  readonly lists?: Partial<Readonly<Record<SearchKind, OwnList>>>
  /** The codes of faults that are due to what was asked: they deny. By default a fault is an outage. */
  readonly faultsOfRequests?: readonly string[]
}

/** A served design, for a mapping that reads more than its decider tells. */
export interface AuthzenServed {
  readonly table: ConnectedTable
  readonly decider: Decider
  /** The tenant that is meant where a request names none, if the deployer gives one. */
  readonly tenant?: string | undefined
}

/** The namings of a design that has a fixed set of types. */
export function types(named: Readonly<Record<string, Naming<Named>>>): (type: string) => Naming<Named> | undefined {
  const byType = new Map(Object.entries(named))
  return (type) => byType.get(type)
}

/** The text of an item's attribute as its one id. None if it is not there. */
export function textIn(item: ListItem, name: string): readonly string[] {
  const text = attributeOf(item, name)
  return typeof text === 'string' ? [text] : []
}

/** An attribute of an item of a list, whatever the list's type. */
export const attributeOf = (item: ListItem, name: string): unknown => (Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined)
