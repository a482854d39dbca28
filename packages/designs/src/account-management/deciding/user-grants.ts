import { type LoadResult, type Reason, resolveNames, type Sources } from '@freehold/frame/decision'
import { parallel } from '@freehold/table/runtime'
import { asTold, type Granting, grantedBy } from './access.ts'
import { unknownThere, userRefusal } from './can.ts'
import { hierarchyOf } from './hierarchy.ts'
import { clientOf, flawOf, ofClient } from './live-checks.ts'
import type { WhereAsked } from './question.ts'
import { userLookup } from './resolve.ts'
import { allRoles } from './roles.ts'
import { scopeText } from './scope.ts'
import { type Assignment, presenceOf } from './situation.ts'

/** The grants by which a user may do this, at any scope. */
export interface UserGrants {
  readonly user_id: string | undefined
  /** One for each scope in which a role of the user grants. */
  readonly granted: readonly Granting[]
  readonly flaws: readonly LoadResult<unknown>[]
  /** Why nothing is granted anywhere, if the user is not there or disabled. */
  readonly reason: Reason | undefined
}

/** Reads that may turn out to be unneeded, to save a round trip. */
export interface Ahead {
  /** Side by side with the user and its assignments. */
  withUser(user_id: string): Promise<void>
  /** Side by side with the roles of these assignments, if they have to be read. */
  withRoles(effective: readonly Assignment[]): Promise<void>
  /** Side by side with the roles above them, or what they are linked to. */
  withAncestors(effective: readonly Assignment[]): Promise<void>
}

/** The scopes in which a role of the user grants. One round trip with warm definitions, three cold or strong. */
export async function userGrants(sources: Sources, { user, permission }: WhereAsked, ahead: Ahead): Promise<UserGrants> {
  const named = userLookup(sources, user)
  const { ids, unusable, read } = await resolveNames({ user: named }, async (known) => {
    // The client is known if the e-mail address was looked up for the first time. Then the roles are read, too, so that the look-up costs no more.
    const client = named.client()
    const [presence] = await parallel(
      () => presenceOf(sources, known.user),
      () => ahead.withUser(known.user),
      () => (client === undefined ? [] : allRoles(sources, client)),
    )
    return presence
  })
  const user_id = named.isNobody(read?.user) ? undefined : ids.user
  const reason = unknownThere({ user }, { ids, unusable, user: read?.user }) ?? userRefusal(read?.user)
  if (read === undefined) return { user_id, granted: [], flaws: unusable, reason }
  const flaws = [...unusable, read.user, ...read.assignments.unusable]
  if (read.user.state !== 'found' || reason !== undefined) return { user_id, granted: [], flaws, reason }
  const { item } = read.user
  const now = sources.runtime.now().toISOString()
  const { tenantScope } = sources.runtime
  const effective = read.assignments.found.flatMap((each) => {
    const client_id = clientOf(each, item)
    if (client_id === undefined || (tenantScope !== undefined && tenantScope.tenant !== client_id)) return []
    const assignment = ofClient(each, client_id)
    return flawOf(assignment, item, client_id, now) === undefined ? [assignment] : []
  })
  // An internal user's e-mail address does not tell whose roles it has, and the list of parents may lack a role. To save the round trip that this
  // costs, scopes are read before it is known which of them count.
  const late = user.by === 'lookup' && named.client() === undefined ? 1 : 2
  const hierarchy = await hierarchyOf(sources, effective, async (trip) => {
    if (trip === 0) await ahead.withRoles(effective)
    else if (trip === late) await ahead.withAncestors(effective)
  })
  const granted = new Map<string, Granting>()
  for (const assignment of asTold(effective)) {
    const scope = scopeText(assignment)
    const granting = granted.has(scope) ? undefined : grantedBy(assignment, hierarchy, permission)
    if (granting !== undefined) granted.set(scope, granting)
  }
  return { user_id, granted: [...granted.values()], flaws: [...flaws, ...hierarchy.flaws], reason }
}
