import { type HowTaken, malformedRecord, policy, recordsOfNodes, type Sources, takenDuring } from '@freehold/frame/decision'
import { compareKeys, day_ms, grouped } from '@freehold/table/runtime'
import type { AccessData, AccessGrant, GivingRole, PlaceIds } from '../snapshot/access-snapshot.ts'
import { closedReason, recordsOf, type UserAtPlace, type UserEverywhere, userAtPlace, userEverywhere } from './access.ts'
import { type Roles, roles as roleDefinitions } from './definitions.ts'
import { distinctRoles } from './grants.ts'
import { isAny } from './menu-flags.ts'
import type { SnapshotAsked } from './question.ts'
import { openMenus, permissionsOf } from './what.ts'

/** The places for which the grants hold: the one that was asked for, or the account and the workstreams there. */
function placesOf(
  { asked: { account: accountId, workstream }, held }: UserAtPlace,
  beneath: UserEverywhere['workstreams'],
): readonly PlaceIds[] {
  if (held.length === 0) return []
  const ids = beneath.flatMap((each) => (each.state === 'found' ? [each.item.id] : [])).sort(compareKeys)
  const first = workstream === undefined ? { accountId } : { accountId, workstreamId: workstream }
  return [first, ...ids.map((workstreamId) => ({ accountId, workstreamId }))]
}

/** The roles by which a user may do something in each menu. */
function givingRoles({ asked: { account }, held }: UserAtPlace, roles: Roles): ReadonlyMap<string, readonly GivingRole[]> {
  const giving = held.flatMap((grant) => {
    const role = roles.get(grant.roleId)
    const permissions = role === undefined ? [] : permissionsOf(account, role).filter(({ flags }) => isAny(flags))
    return permissions.map(({ menuKey, flags }) => ({ menuKey, role: { ...grant, ...flags } }))
  })
  return new Map([...grouped(giving, ({ menuKey }) => menuKey)].map(([menuKey, all]) => [menuKey, all.map(({ role }) => role)]))
}

/**
 * The menus in which a user may do something, at a place or without one at its account and all its workstreams, until its end. A user or a place that
 * denies is an answer, with its reason. The same round trips as `what` at a place, and as `where` without one.
 */
export async function takeAccess(sources: Sources, { user, account, workstream }: SnapshotAsked, how: HowTaken): Promise<AccessData> {
  const taken = takenDuring(sources, how)
  const found: UserAtPlace & Partial<UserEverywhere> = await (account === undefined
    ? userEverywhere(sources, user, true)
    : userAtPlace(sources, { user, account, workstream }))
  const { workstreams = [] } = found
  const roles = await roleDefinitions.takeAll(sources, distinctRoles(found.held))
  const giving = how.evidence ? givingRoles(found, roles) : undefined
  const grants = openMenus(found.asked.account, roles).map((menu): AccessGrant => {
    return giving === undefined ? menu : { ...menu, evidence: giving.get(menu.menuKey) ?? [] }
  })
  const looked = [...recordsOf(found), ...workstreams, ...recordsOfNodes(roles)]
  const nothing = grants.length > 0 ? undefined : (closedReason(found) ?? policy('NoGrant', 'No role that the user has grants anything.'))
  const reason = looked.some(({ state }) => state === 'malformed') ? malformedRecord : nothing
  const { id: userId, endDate } = found.facts?.user.state === 'found' ? found.facts.user.item : {}
  return {
    // The last day counts whole.
    ...taken(userId === undefined ? {} : { userId }, endDate === undefined || grants.length === 0 ? [] : [Date.parse(endDate) + day_ms]),
    ...{ places: placesOf(found, workstreams), grants },
    ...(reason === undefined ? {} : { reason }),
  }
}
