import { type LoadResult, policy, type Reason, resolveNames, type Sources } from '@freehold/frame/decision'
import { compareKeys, invalidInput, parallel } from '@freehold/table/runtime'
import { assignedScopes, buildingPaths } from './assigned-scopes.ts'
import { scopeReason, unknownThere, userRefusal } from './can.ts'
import { type Found, type Held, heldBy, reasonFor } from './held.ts'
import { hierarchyOf } from './hierarchy.ts'
import { clientOf, flawOf, isLiveScope, ofClient } from './live-checks.ts'
import type { Access } from './question.ts'
import { pathRemembered, userLookup } from './resolve.ts'
import { scopeText } from './scope.ts'
import { type Assignment, presenceOf, recordsOf } from './situation.ts'

/** Scopes that one snapshot holds. Beyond that it is no longer small, and asking at a scope costs one round trip. */
const scopesMax = 10_000

/** One assignment of each scope, in the order of the scopes' texts. */
function distinctScopes(assignments: readonly Assignment[]): readonly Assignment[] {
  const scopes = new Map(assignments.map((assignment) => [scopeText(assignment), assignment]))
  if (scopes.size > scopesMax) {
    const message = `is missing: the user has roles at more than ${scopesMax} places, so ask for one of them`
    throw invalidInput('access', [{ path: ['client'], message }], { question: 'access' })
  }
  return [...scopes].sort(([a], [b]) => compareKeys(a, b)).map(([, assignment]) => assignment)
}

/** The scopes of assignments, without those that are not there. Two round trips, one where the buildings' projects are remembered. */
async function scopesAmong(sources: Sources, scopes: readonly Assignment[]) {
  const unknown = scopes.flatMap(({ scope_type, scope_id }) =>
    scope_type === 'building' && pathRemembered(sources, { building: scope_id }) === undefined ? [scope_id] : [],
  )
  const facts = await assignedScopes(sources, scopes, await buildingPaths(sources, unknown))
  return scopes.flatMap((assignment, index) => {
    const scope = facts[index]
    return scope === undefined ? [] : [{ assignment, scope }]
  })
}

/**
 * The permissions that a user holds at each scope of its assignments that is open. Two round trips with warm definitions, four cold or strong, and
 * one more for each further 1,000 assignments, or where a building has moved.
 */
export async function heldEverywhere(sources: Sources, { user }: Pick<Access, 'user'>): Promise<Found> {
  const named = userLookup(sources, user)
  const { ids, unusable, read } = await resolveNames({ user: named }, (ids) => presenceOf(sources, ids.user))
  const isNobody = named.isNobody(read?.user)
  const looked: LoadResult<unknown>[] = [...unusable, ...(read === undefined ? [] : [read.user, ...read.assignments.unusable])]
  const found = (held: readonly Held[], nothing: () => Reason | undefined): Found => ({
    user_id: read?.user.state === 'found' ? ids.user : undefined,
    held,
    ends: [],
    reason: reasonFor(held, looked, nothing),
  })
  if (read === undefined || read.user.state !== 'found')
    return found([], () => unknownThere({ user }, { ids: isNobody ? {} : ids, unusable, user: read?.user }))
  const { item } = read.user
  if (item.status !== 'active') return found([], () => userRefusal(read.user))
  const now = sources.runtime.now().toISOString()
  const judged = read.assignments.found.flatMap((each) => {
    const client_id = clientOf(each, item)
    if (client_id === undefined) return []
    const assignment = ofClient(each, client_id)
    return [{ assignment, flaw: flawOf(assignment, item, client_id, now) }]
  })
  const effective = judged.flatMap(({ assignment, flaw }) => (flaw === undefined ? [assignment] : []))
  const [flaw] = judged.flatMap((each) => each.flaw ?? [])
  if (effective.length === 0)
    return found([], () => (flaw === undefined ? policy('NoAssignment', 'The user has no assignment.') : policy(flaw.code, flaw.message)))
  const scopes = distinctScopes(effective)
  const [hierarchy, facts] = await parallel(
    () => hierarchyOf(sources, effective),
    () => scopesAmong(sources, scopes),
  )
  // Not push(...): as of a linked role, there may be more flaws than the stack holds arguments.
  for (const flaw of hierarchy.flaws) looked.push(flaw)
  for (const { scope } of facts) looked.push(...recordsOf(scope))
  const isOpen = ({ scope, assignment }: (typeof facts)[number]) => isLiveScope(scope) && scope.path.client_id === assignment.client_id
  const open = new Map(facts.filter(isOpen).map(({ assignment, scope }) => [scopeText(assignment), scope.path]))
  const holdings = effective.flatMap((assignment) => {
    const at = open.get(scopeText(assignment))
    return at === undefined ? [] : [{ assignment, at }]
  })
  const [first] = facts
  return found(heldBy(hierarchy, holdings), () => (holdings.length > 0 || first === undefined ? undefined : scopeReason(first.scope)))
}
