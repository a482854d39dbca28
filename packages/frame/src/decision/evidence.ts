import type { Entity } from '@freehold/table'
import type { Can, Evidence, Why } from './decision.ts'
import { isUnusable, type LoadResult, type Unusable } from './record.ts'

/** Chains, and missing items, that are told at most: a user may have thousands of grants. */
const toldMax = 100

/** An answer with the items that it rests on, or those that are missing. Only what is told is made. */
export function explained<G>(
  answer: Can,
  grants: readonly G[],
  chainOf: (grant: G) => readonly Evidence[],
  missing: () => readonly Evidence[],
): Why {
  if (!answer.allowed) return { ...answer, chains: [], missing: missing().slice(0, toldMax) }
  return { ...answer, chains: grants.slice(0, toldMax).map(chainOf), missing: [] }
}

type Ids = Readonly<Record<string, string>>

/** A step of evidence: what it is, and what was found there. */
export function evidence(step: string, entity: Entity, id: Ids, state: Evidence['state'], message: string, as?: Evidence['as']): Evidence {
  return as === undefined ? { step, entity: entity.name, id, state, message } : { step, entity: entity.name, id, state, message, as }
}

/** Evidence of a record that does not count; none of one that does. */
export function unusableEvidence(step: string, entity: Entity, id: Ids, result: LoadResult<unknown> | undefined): readonly Evidence[] {
  return isUnusable(result) ? [evidence(step, entity, id, result.state, result.message)] : []
}

/** Evidence of records that do not count, which are known by their keys alone. */
export function unusableAmong(step: string, unusable: readonly Unusable[]): readonly Evidence[] {
  return unusable.map(({ entity, key, state, message }) => ({ step, entity, id: { ...key }, state, message }))
}

/** Evidence of malformed records of names. A record that is just not there is told by the name that it was asked for. */
export function malformedNames(unusable: readonly Unusable[]): readonly Evidence[] {
  const malformed = unusable.filter(({ state }) => state === 'malformed')
  return unusableAmong('name', malformed)
}
