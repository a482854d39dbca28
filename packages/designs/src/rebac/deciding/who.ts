import { parallel } from '@freehold/table/runtime'
import type { AnswerPage } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import { resolveNames } from '../../decision/lookup.ts'
import { type LoadResult, malformedAmong } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { nodeOf } from './access.ts'
import { nothingReason } from './can.ts'
import {
  allows,
  groups as groupDefinitions,
  groupsOfLocation,
  groupsOfRole,
  locationsOf,
  pages,
  type RolesOnPage,
  rolesOnPage,
} from './definitions.ts'
import { type Grant, type Groups, isOf, rolesAllowing } from './grants.ts'
import { confirmed, type Members, membersAfter } from './members.ts'
import type { Access } from './question.ts'
import { locationLookup } from './resolve.ts'

/** A user who may open the page at the location, and one grant by which; `why` tells all. */
export type AllowedUser = {
  readonly userId: string
  readonly displayName: string
  readonly userType: 'MEMBER' | 'LEAD'
  readonly grantedBy: Grant
}

/** The page's roles with what they say of it, and the groups that have them, everywhere. */
async function rolesOf(sources: Sources, pageName: string) {
  const page = await pages.take(sources, pageName)
  const allowing = rolesAllowing(page)
  const [roles, groups] = await parallel(
    () => rolesOnPage(sources, allowing, pageName),
    () => groupsOfRole.takeAll(sources, allowing),
  )
  const listed = [...groups.values()]
  const flaws: LoadResult<unknown>[] = [page.node, ...page.unusable, ...listed.flatMap(({ unusable }) => unusable)]
  for (const { role, permission } of roles.values()) flaws.push(role, permission)
  return { node: page.node, roles, groupIds: new Set(listed.flatMap(({ names }) => names)), flaws }
}

async function locationOf(sources: Sources, locationId: string) {
  const [nodes, groups] = await parallel(
    () => locationsOf(sources, [locationId]),
    () => groupsOfLocation.take(sources, locationId),
  )
  return { locationId, node: nodeOf(nodes, locationId), groupIds: groups.names, flaws: groups.unusable }
}

/** The role by which each group grants; none for a group that does not. */
function grantingRoles(groups: Groups, locationId: string, roles: RolesOnPage): ReadonlyMap<string, string> {
  const granting = new Map<string, string>()
  for (const [groupId, group] of groups) {
    if (!isOf(group, locationId)) continue
    for (const roleName of group.roles) {
      const role = roles.get(roleName)
      if (role === undefined || !allows(role)) continue
      granting.set(groupId, roleName)
      break
    }
  }
  return granting
}

/** Steps that one page of the answer may take beyond the definitions (spec rule 14). */
const stepsMax = 10

/**
 * One page of the distinct users who may open a page at a location, in the order of their ids. Two round trips with warm definitions, four cold
 * or strong; more only where users or edges that do not count have to be passed over.
 */
export async function who(
  sources: Sources,
  { location, page }: Pick<Access, 'location' | 'page'>,
  list: Listed,
): Promise<AnswerPage<AllowedUser>> {
  const [{ ids, unusable, read: place }, roles] = await parallel(
    () => resolveNames({ location: locationLookup(sources, location) }, (ids) => locationOf(sources, ids.location)),
    () => rolesOf(sources, page),
  )
  const flaws: LoadResult<unknown>[] = [...unusable, ...roles.flaws, ...(place === undefined ? [] : [place.node, ...place.flaws])]
  const nothing = nothingReason(unusable, [
    { what: 'Location', name: location.text, id: ids.location, node: place?.node },
    { what: 'Page', name: page, id: page, node: roles.node },
  ])
  if (place?.node.state !== 'found' || roles.node.state !== 'found') return list.page([], undefined, malformedAmong(flaws), nothing)
  const { locationId } = place
  const groupIds = place.groupIds.filter((groupId) => roles.groupIds.has(groupId))
  const [groups, first] = await parallel(
    () => groupDefinitions.takeAll(sources, groupIds),
    () => membersAfter(sources, groupIds, list.after, list.limit + 1),
  )
  for (const group of groups.values()) for (const each of [group.node, ...group.unusable]) flaws.push(each)
  const granting = grantingRoles(groups, locationId, roles.roles)
  return fill(sources, { locationId, granting, flaws }, first, list)
}

interface Place {
  readonly locationId: string
  /** Role by group. */
  readonly granting: ReadonlyMap<string, string>
  readonly flaws: LoadResult<unknown>[]
}

async function fill(
  sources: Sources,
  { locationId, granting, flaws }: Place,
  first: Members,
  list: Listed,
): Promise<AnswerPage<AllowedUser>> {
  const { limit } = list
  const items: AllowedUser[] = []
  let members = first
  /** Everyone up to this one has been decided. */
  let decided = list.after
  let steps = 1
  for (;;) {
    for (const each of members.unusable) flaws.push(each)
    const waiting = [...members.groups].flatMap(([userId, all]) => {
      const groupIds = all.filter((groupId) => granting.has(groupId))
      return groupIds.length === 0 ? [] : [{ userId, groupIds }]
    })
    for (let at = 0; at < waiting.length && items.length <= limit; steps++) {
      // One more than the page holds says whether another follows.
      const chunk = waiting.slice(at, at + limit + 1 - items.length)
      if (steps >= stepsMax) return list.page(items, waiting[at - 1]?.userId ?? decided, malformedAmong(flaws))
      const { members: found, unusable } = await confirmed(sources, locationId, chunk)
      for (const each of unusable) flaws.push(each)
      for (const { user, groupId } of found) {
        const { userId, displayName, userType } = user
        items.push({ userId, displayName, userType, grantedBy: { groupId, roleName: granting.get(groupId) ?? '' } })
      }
      at += chunk.length
    }
    const shown = items.slice(0, limit)
    if (items.length > limit) return list.page(shown, shown.at(-1)?.userId, malformedAmong(flaws))
    if (members.horizon === undefined || steps >= stepsMax) return list.page(shown, members.horizon, malformedAmong(flaws))
    decided = members.horizon
    members = await membersAfter(sources, [...granting.keys()], members.horizon, limit + 1 - items.length)
    steps++
  }
}
