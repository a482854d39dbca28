import { compareKeys, day_ms, grouped } from '@freehold/table/runtime'
import type { Reason } from '../../decision/decision.ts'
import { malformedRecord, policy } from '../../decision/fault.ts'
import type { HowTaken } from '../../decision/question.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { takenDuring } from '../../decision/taken.ts'
import type { AccessData, AccessGrant, GivingRole, PlaceIds } from '../snapshot/access-snapshot.ts'
import { closedReason, recordsOf, userAtPlace } from './access.ts'
import { type Roles, roles as roleDefinitions } from './definitions.ts'
import { userEverywhere } from './everywhere.ts'
import { distinctRoles, type Grant } from './grants.ts'
import { isAny } from './menu-flags.ts'
import type { SnapshotAsked } from './question.ts'
import { openMenus, permissionsOf } from './what.ts'

/** The findings about a user, at a place or at all of its places. */
interface Found {
  readonly accountId: string
  readonly userId?: string
  readonly endDate?: string | undefined
  readonly places: readonly PlaceIds[]
  readonly held: readonly Grant[]
  readonly looked: readonly LoadResult<unknown>[]
  readonly reason: Reason | undefined
}

/** The same round trips as `can`. */
async function foundAt(sources: Sources, { user, workstream }: SnapshotAsked, account: string): Promise<Found> {
  const at = await userAtPlace(sources, { user, account, workstream })
  const { facts, held } = at
  const place: PlaceIds = { accountId: account, ...(workstream === undefined ? {} : { workstreamId: workstream }) }
  const item = facts?.user.state === 'found' ? facts.user.item : undefined
  return {
    ...(item === undefined ? {} : { userId: item.id, endDate: item.endDate }),
    ...{ accountId: account, places: held.length === 0 ? [] : [place], held, looked: recordsOf(at), reason: closedReason(at) },
  }
}

/** Two round trips with warm definitions, three cold or strong, and one more if an e-mail address is looked up for the first time. */
async function foundEverywhere(sources: Sources, { user: name }: SnapshotAsked): Promise<Found> {
  const { user, account, workstreams, held, looked, reason } = await userEverywhere(sources, name, true)
  const accountId = account?.id ?? ''
  const beneath = workstreams.map(({ id }) => ({ accountId, workstreamId: id }))
  return {
    ...(user === undefined ? {} : { userId: user.id, endDate: user.endDate }),
    ...{ accountId, places: account === undefined ? [] : [{ accountId }, ...beneath], held, looked, reason },
  }
}

/** The roles by which a user may do something in each menu. */
function givingRoles(account: string, held: readonly Grant[], roles: Roles): ReadonlyMap<string, readonly GivingRole[]> {
  const giving = held.flatMap((grant) => {
    const role = roles.get(grant.roleId)
    const permissions = role === undefined ? [] : permissionsOf(account, role).filter(({ flags }) => isAny(flags))
    return permissions.map(({ menuKey, flags }) => ({ menuKey, role: { ...grant, ...flags } }))
  })
  return new Map([...grouped(giving, ({ menuKey }) => menuKey)].map(([menuKey, all]) => [menuKey, all.map(({ role }) => role)]))
}

/**
 * The menus in which a user may do something, at a place or without one at its account and all its workstreams, until its end. A user or a place that
 * denies is an answer, with its reason.
 */
export async function takeAccess(sources: Sources, asked: SnapshotAsked, how: HowTaken): Promise<AccessData> {
  const taken = takenDuring(sources, how)
  const found = await (asked.account === undefined ? foundEverywhere(sources, asked) : foundAt(sources, asked, asked.account))
  const { accountId, userId, endDate, places, held } = found
  const roles = await roleDefinitions.takeAll(sources, distinctRoles(held))
  const giving = how.evidence ? givingRoles(accountId, held, roles) : undefined
  const grants = openMenus(accountId, roles).map((menu): AccessGrant => {
    return giving === undefined ? menu : { ...menu, evidence: giving.get(menu.menuKey) ?? [] }
  })
  const looked = [...found.looked, ...[...roles.values()].flatMap(({ node, unusable }) => [node, ...unusable])]
  const nothing = grants.length > 0 ? undefined : (found.reason ?? policy('NoGrant', 'No role that the user has grants anything.'))
  const reason = looked.some(({ state }) => state === 'malformed') ? malformedRecord : nothing
  // The last day counts whole.
  const ends_ms = endDate === undefined ? [] : [Date.parse(endDate) + day_ms]
  return {
    ...taken(userId === undefined ? {} : { userId }, grants.length === 0 ? [] : ends_ms),
    ...{ places: [...places].sort((a, b) => compareKeys(a.workstreamId ?? '', b.workstreamId ?? '')), grants },
    ...(reason === undefined ? {} : { reason }),
  }
}
