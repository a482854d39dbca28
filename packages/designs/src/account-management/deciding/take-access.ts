import { type HowTaken, type Sources, takenDuring } from '@freehold/frame/decision'
import type { AccessData, AccessGrant, GivingAssignment } from '../snapshot/access-data.ts'
import { loadedFor, type UserAtScope, userAtScope } from './access.ts'
import { denialAtScope } from './can.ts'
import { type Found, type Held, heldBy, reasonFor } from './held.ts'
import { heldEverywhere } from './held-everywhere.ts'
import { entitling } from './live-checks.ts'
import type { WhatAsked } from './question.ts'
import { scopeIds } from './scope.ts'
import type { Assignment } from './situation.ts'

/** The instant at which the scope no longer has the module that was asked for, if there is one. */
function entitlementEnds({ asked, situation }: UserAtScope, now: string): readonly string[] {
  const subscription = situation === undefined || asked.module_id === undefined ? undefined : entitling(situation.scope, asked, now)
  return subscription?.end_date === undefined || subscription.auto_renew ? [] : [subscription.end_date]
}

/** The permissions that a user holds at a scope. The same round trips as `can`. */
async function heldAt(sources: Sources, asked: WhatAsked): Promise<Found> {
  const at = await userAtScope(sources, asked)
  const { situation, judged, hierarchy } = at
  const { scope, user } = situation ?? {}
  const holdings = judged.flatMap(({ assignment, flaw }) =>
    flaw === undefined && scope !== undefined ? [{ assignment, at: scope.path }] : [],
  )
  const held = hierarchy === undefined ? [] : heldBy(hierarchy, holdings)
  return {
    user_id: user?.state === 'found' ? user.item.id : undefined,
    scope: held.length === 0 ? undefined : scope?.path,
    held,
    ends: entitlementEnds(at, sources.runtime.now().toISOString()),
    reason: reasonFor(held, loadedFor(at), () => denialAtScope(at)),
  }
}

function givingAssignment({ scope_type, scope_id, start_at, expires_at, role_owner }: Assignment): GivingAssignment {
  const ends = { ...(start_at === undefined ? {} : { start_at }), ...(expires_at === undefined ? {} : { expires_at }) }
  return { scope_type, scope_id, ...ends, ...(role_owner === undefined ? { says_owner: false } : {}) }
}

function grantOf({ role, roles, permissions, holdings }: Held, hasEvidence: boolean): AccessGrant {
  // At one scope several assignments can give the same role.
  const scopes = [...new Map(holdings.map(({ at }) => [JSON.stringify(scopeIds(at)), scopeIds(at)])).values()]
  if (!hasEvidence) return { permissions, scopes }
  return { permissions, scopes, evidence: { ...role, roles, assignments: holdings.map(({ assignment }) => givingAssignment(assignment)) } }
}

/**
 * The permissions that a user holds at a scope, or without one at every scope of its assignments, until the first of them ends. A user or a scope
 * that denies is an answer, with its reason. With `bounded`, definitions may have been as old as they may be for any decision when this was taken.
 * Throws `InvalidInput` for more scopes than a snapshot holds.
 */
export async function takeAccess(sources: Sources, asked: WhatAsked, how: HowTaken): Promise<AccessData> {
  const taken = takenDuring(sources, how)
  const hasScope = [asked.client, asked.project, asked.building].some((id) => id !== undefined)
  const found = hasScope ? await heldAt(sources, asked) : await heldEverywhere(sources, asked)
  const { user_id, held, ends, reason } = found
  const assigned = held.flatMap(({ holdings }) => holdings.flatMap(({ assignment }) => assignment.expires_at ?? []))
  const ends_ms = [...ends, ...assigned].map((end) => Date.parse(end))
  return {
    ...taken(user_id === undefined ? {} : { user_id }, ends_ms),
    ...(found.scope === undefined ? {} : { place: scopeIds(found.scope) }),
    grants: held.map((each) => grantOf(each, how.evidence)),
    ...(reason === undefined ? {} : { reason }),
  }
}
