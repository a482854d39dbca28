import { type LoadResult, policy, type Reads, type Reason, readsOf, resolveNames, type Sources } from '@freehold/frame/decision'
import { compareKeys, invalidInput } from '@freehold/table/runtime'
import { BuildingPlace } from '../design.ts'
import { scopeReason, unknownThere, userRefusal } from './can.ts'
import { type Found, type Held, heldBy, reasonFor } from './held.ts'
import { hierarchyOf } from './hierarchy.ts'
import { isLiveScope, judgedEverywhere } from './live-checks.ts'
import type { Access } from './question.ts'
import { pathRemembered, placedPath, userLookup } from './resolve.ts'
import { type Path, scopeText } from './scope.ts'
import { type Assignment, presenceOf, recordsOf, type ScopeFacts, scopeAt, settled } from './situation.ts'

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

/** The scope of an assignment; undefined for one that is not there, and until it is read. A building that is not where it was is looked for by its place. */
function assignedScope(reads: Reads, sources: Sources, { scope_type, scope_id, client_id = '' }: Assignment): ScopeFacts | undefined {
  if (scope_type === 'client') return scopeAt(reads, { client_id }, undefined)
  if (scope_type === 'project') return scopeAt(reads, { client_id, project_id: scope_id }, undefined)
  const at = (path: Path | undefined) => path && scopeAt(reads, path, undefined)
  const placed = () => placedPath(sources, reads.fact(BuildingPlace, { id: scope_id }))
  const path = pathRemembered(sources, { building: scope_id })
  if (path === undefined) return at(placed())
  const scope = at(path)
  const isThere = scope === undefined || (scope.project?.state === 'found' && scope.building?.state === 'found')
  return isThere ? scope : (at(placed()) ?? scope)
}

/**
 * The permissions that a user holds at each scope of its assignments that is open. Two round trips with warm definitions, four cold or strong, and
 * one more for each further 1,000 assignments, or where a building has moved.
 */
export async function heldEverywhere(sources: Sources, { user }: Pick<Access, 'user'>): Promise<Found> {
  const named = userLookup(sources, user)
  const { ids, unusable, read } = await resolveNames({ user: named }, async (known) => {
    const reads = readsOf(sources)
    return { reads, ...(await settled(reads, () => presenceOf(reads, known.user))) }
  })
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
  const judged = judgedEverywhere(read.assignments.found, item, now)
  const effective = judged.flatMap(({ assignment, flaw }) => (flaw === undefined ? [assignment] : []))
  const [flaw] = judged.flatMap((each) => each.flaw ?? [])
  if (effective.length === 0)
    return found([], () => (flaw === undefined ? policy('NoAssignment', 'The user has no assignment.') : policy(flaw.code, flaw.message)))
  const scopes = distinctScopes(effective)
  const { reads } = read
  const { hierarchy, facts } = await settled(reads, () => {
    const scopesFound = scopes.flatMap((assignment) => {
      const scope = assignedScope(reads, sources, assignment)
      return scope === undefined ? [] : [{ assignment, scope }]
    })
    const roles = hierarchyOf(reads, effective)
    return roles && { hierarchy: roles, facts: scopesFound }
  })
  // Not push(...): as of a linked role, there may be more flaws than the stack holds arguments.
  for (const flaw of hierarchy.flaws()) looked.push(flaw)
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
