import {
  type AnswerPage,
  type Candidate,
  confirmedPage,
  type Listed,
  mergedRanges,
  placeOf,
  resolveNames,
  type Sources,
  unknownReason,
} from '@freehold/frame/decision'
import { compareKeys, parallel } from '@freehold/table/runtime'
import { GroupUserEdge } from '../design.ts'
import { nodeOf } from './access.ts'
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
import { type Groups, isOf, recordsOf } from './grants.ts'
import { confirmed } from './members.ts'
import type { Access, AllowedUser } from './question.ts'
import { locationLookup } from './resolve.ts'

/** The page's roles with what they say of it, and the groups that have them, everywhere. */
async function rolesOf(sources: Sources, pageName: string) {
  const page = await pages.take(sources, pageName)
  const { allowing } = page
  const [roles, groups] = await parallel(
    () => rolesOnPage(sources, allowing, pageName),
    () => groupsOfRole.takeAll(sources, allowing),
  )
  const listed = [...groups.values()]
  const flaws = [page.node, ...page.unusable, ...listed.flatMap(({ unusable }) => unusable), ...recordsOf(new Map(), roles)]
  return { node: page.node, roles, groupIds: new Set(listed.flatMap(({ names }) => names)), flaws }
}

async function locationOf(sources: Sources, locationId: string) {
  const [nodes, groups] = await parallel(
    () => locationsOf(sources, [locationId]),
    () => groupsOfLocation.take(sources, locationId),
  )
  return { locationId, node: nodeOf(nodes, locationId), groupIds: groups.names, flaws: groups.unusable }
}

/** The role by which each group grants, the first by name; none for a group that does not. */
function grantingRoles(groups: Groups, locationId: string, roles: RolesOnPage): ReadonlyMap<string, string> {
  const granting = new Map<string, string>()
  for (const [groupId, group] of groups) {
    if (!isOf(group, locationId)) continue
    const [first] = [...group.roles].sort(compareKeys).filter((roleName) => {
      const role = roles.get(roleName)
      return role !== undefined && allows(role)
    })
    if (first !== undefined) granting.set(groupId, first)
  }
  return granting
}

/**
 * One page of the distinct users who may open a page at a location, in the order of their ids. Two round trips with warm definitions, four cold
 * or strong; more only if users or edges that do not count have to be passed over.
 */
export async function who(
  sources: Sources,
  { location, page }: Pick<Access, 'location' | 'page'>,
  list: Listed,
): Promise<AnswerPage<AllowedUser>> {
  const [{ ids, unusable, read: at }, roles] = await parallel(
    () => resolveNames({ location: locationLookup(sources, location) }, (known) => locationOf(sources, known.location)),
    () => rolesOf(sources, page),
  )
  const looked = [...unusable, ...roles.flaws, ...(at === undefined ? [] : [at.node, ...at.flaws])]
  const unknown = unknownReason(unusable, [
    { what: 'Location', name: location.text, id: ids.location, result: at?.node },
    { what: 'Page', name: page, id: page, result: roles.node },
  ])
  if (at?.node.state !== 'found' || roles.node.state !== 'found') return list.page([], undefined, looked, unknown)
  const { locationId } = at
  const groupIds = at.groupIds.filter((groupId) => roles.groupIds.has(groupId))
  const ranges = groupIds.map((groupId) => ({ of: groupId, ...placeOf(GroupUserEdge, { groupId }) }))
  const candidates = mergedRanges(sources, GroupUserEdge, ranges, list.after)
  const [groups, steps] = await parallel(
    () => groupDefinitions.takeAll(sources, groupIds),
    () => candidates.read(list.limit + 1, 1),
  )
  const flaws = [...looked, ...recordsOf(groups, new Map())]
  const granting = grantingRoles(groups, locationId, roles.roles)
  candidates.keep((groupId) => granting.has(groupId))
  const confirm = async (batch: readonly Candidate<string>[]) =>
    (await confirmed(sources, locationId, batch, flaws)).map(({ user: { userId, displayName, userType }, groupId }): AllowedUser => {
      return { userId, displayName, userType, grantedBy: { groupId, roleName: granting.get(groupId) ?? '' } }
    })
  return confirmedPage(list, candidates, steps, confirm, ({ userId }) => userId, flaws)
}
