import type { AllHeld, Path } from '@freehold/frame/access'
import { type HowTaken, type Sources, takenDuring } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import type { ServiceSubscription, UserRoleAssignment } from './design.ts'
import type { AccessData, AccessGrant, GivingAssignment, ScopeIds } from './snapshot/access-data.ts'
import { accessSnapshot } from './snapshot/access-snapshot.ts'

function scopeIds([client_id, project_id, building_id]: Path): ScopeIds {
  return {
    client_id,
    ...(project_id === undefined ? {} : { project_id }),
    ...(building_id === undefined ? {} : { building_id }),
  }
}

function givingAssignment({ scope_type, scope_id, start_at, expires_at, role_owner }: Item<typeof UserRoleAssignment>): GivingAssignment {
  const ends = { ...(start_at === undefined ? {} : { start_at }), ...(expires_at === undefined ? {} : { expires_at }) }
  return { scope_type, scope_id, ...ends, ...(role_owner === undefined ? { says_owner: false } : {}) }
}

function grantOf({ role, roles, permissions, holdings }: AllHeld['held'][number], hasEvidence: boolean): AccessGrant {
  // At one scope several assignments can give the same role.
  const scopes = [...new Map(holdings.map(({ at }) => [JSON.stringify(at), scopeIds(at)])).values()]
  // Each has the three parts of the declaration.
  const shown = { permissions: permissions as AccessGrant['permissions'], scopes }
  if (!hasEvidence) return shown
  // Each is an assignment of the declaration.
  const assignments = holdings.map(({ assignment }) => givingAssignment(assignment.item as Item<typeof UserRoleAssignment>))
  return { ...shown, evidence: { role_id: role.role_id, role_owner: role.role_owner, roles, assignments } }
}

/** The instant at which the scope no longer has the module that was asked for, if there is one. */
function entitlementEnds(met: AllHeld['met']): readonly string[] {
  // The item that meets the need of the declaration.
  const subscription = met as Item<typeof ServiceSubscription> | undefined
  return subscription?.end_date === undefined || subscription.auto_renew ? [] : [subscription.end_date]
}

/**
 * The permissions that a user holds at a scope, or without one at every scope of its assignments, until the first of them ends. A user or a scope
 * that denies is an answer, with its reason. With `bounded`, definitions may have been as old as they may be for any decision when this was taken.
 */
export function taking(sources: Sources, how: HowTaken) {
  const taken = takenDuring(sources, how)
  return ({ subject, held, scope, met, reason }: AllHeld) => {
    const assigned = held.flatMap(({ holdings }) => holdings.flatMap(({ assignment }) => assignment.until ?? []))
    const ends_ms = [...entitlementEnds(met), ...assigned].map((end) => Date.parse(end))
    const data: AccessData = {
      ...taken(subject === undefined ? {} : { user_id: subject }, ends_ms),
      ...(scope === undefined ? {} : { place: scopeIds(scope) }),
      grants: held.map((each) => grantOf(each, how.evidence)),
      ...(reason === undefined ? {} : { reason }),
    }
    return accessSnapshot(data, () => sources.runtime.now().getTime())
  }
}
