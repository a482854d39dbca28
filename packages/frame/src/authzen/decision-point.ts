import type { ConnectedTable } from '@freehold/table'
import type { Decider } from '../decision/decision.ts'
import { type Answered, type Decision, evaluate, evaluateMany } from './evaluate.ts'
import type { AuthzenMapping } from './mapping.ts'
import type { SearchKind } from './request.ts'
import { type Found, search } from './search.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * The OpenID AuthZEN Authorization API 1.0 over a decider, as a transport serves it. Each takes the JSON object of a request.
 * A malformed request throws `InvalidInput`, a token of another search `InvalidCursor`; a fault of the table is told beside the answer, or thrown.
 */
export interface DecisionPoint {
  evaluation(body: Body): Promise<Answered<Decision>>
  evaluations(body: Body): Promise<Answered<Decision | { readonly evaluations: readonly Decision[] }>>
  search(kind: SearchKind, body: Body): Promise<Answered<Found>>
}

export interface DecisionPointOf {
  readonly mapping: AuthzenMapping
  readonly decider: Decider
  /** Page tokens are sealed for it. */
  readonly table: Pick<ConnectedTable, 'runtime'>
  /** The largest number of evaluations in one request. */
  readonly evaluations_max: number
}

/** The decision point of a design: its evaluations and searches, by its mapping and its decider. */
export function decisionPointOf({ mapping, decider, table, evaluations_max }: DecisionPointOf): DecisionPoint {
  return {
    evaluation: (body) => evaluate(mapping, decider, body),
    evaluations: (body) => evaluateMany(mapping, decider, body, evaluations_max),
    search: (kind, body) => search(mapping, decider, table.runtime, kind, body),
  }
}
