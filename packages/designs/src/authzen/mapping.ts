import type { ConnectedTable } from '@freehold/table'
import type { AnswerPage, Decider } from '../decision/decision.ts'
import type { Action, Context, Named, SearchKind } from './request.ts'

// A design says once how AuthZEN's subjects, actions and resources are named in its questions. Of the general machinery `decision-point.ts` is the
// entry: request.ts reads requests, evaluate.ts answers `evaluation` and `evaluations`, search.ts the three searches.

export type Fields = Readonly<Record<string, unknown>>

/** An item of one of the decider's lists. */
export type ListItem = object

/** How entities of one type, or actions, are named in questions, and found again in the decider's lists. */
export interface Naming<N> {
  /** The fields of a question. */
  asked(named: N): Fields
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

/** How a design answers AuthZEN. */
export interface AuthzenMapping {
  subject(type: string): Naming<Named> | undefined
  readonly action: Naming<Action>
  resource(type: string): Naming<Named> | undefined
  /** The fields that the context gives, and the names in it that are not used. By default none, and all. */
  context?(context: Context): { readonly fields: Fields; readonly unused: readonly string[] }
  /** By default a search asks `who` for subjects, `what` for actions and `where`, expanded, for resources. */
  readonly lists?: Partial<Readonly<Record<SearchKind, OwnList>>>
}

/** A served design, for a mapping that reads more than its decider tells. */
export interface AuthzenServed {
  readonly table: ConnectedTable
  readonly decider: Decider
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
