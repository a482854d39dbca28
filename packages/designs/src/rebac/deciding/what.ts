import {
  type AnswerPage,
  type IdsOf,
  type Listed,
  type LoadResult,
  recordsOfNodes,
  resolveNames,
  type Sources,
  unknownReason,
} from '@freehold/frame/decision'
import { compareKeys, parallel } from '@freehold/table/runtime'
import { situationOf } from './access.ts'
import {
  allPages,
  allRoles,
  groups as groupDefinitions,
  pageNodesOf,
  type RoleDefinition,
  roles as roleDefinitions,
} from './definitions.ts'
import { type Grant, type Groups, isOf } from './grants.ts'
import type { Access, OpenPage } from './question.ts'
import { locationLookup, userLookup } from './resolve.ts'

/** Roles that are read before it is known which of them the user has, if that saves the fourth round trip. */
const rolesUnseenMax = 100

/** The first grant of each page, by the ids of groups and the names of roles. */
function openPages(groupIds: readonly string[], groups: Groups, roles: ReadonlyMap<string, RoleDefinition>): ReadonlyMap<string, Grant> {
  const open = new Map<string, Grant>()
  for (const groupId of [...groupIds].sort(compareKeys)) {
    for (const roleName of [...(groups.get(groupId)?.roles ?? [])].sort(compareKeys)) {
      const role = roles.get(roleName)
      if (role?.node.state !== 'found') continue
      for (const page of role.allowed) if (!open.has(page)) open.set(page, { groupId, roleName })
    }
  }
  return open
}

/**
 * All pages open to a user at a location, in the order of their names. One round trip with warm definitions, three cold or strong: also where
 * names are looked up for the first time, or have another id now, unless there are more than 100 roles; then four.
 */
export async function what(
  sources: Sources,
  { user, location }: Pick<Access, 'user' | 'location'>,
  list: Listed,
): Promise<AnswerPage<OpenPage>> {
  const names = { user: userLookup(sources, user), location: locationLookup(sources, location) }
  const isGuessed = (ids: IdsOf<typeof names>) => ids.user === names.user.guess && ids.location === names.location.guess
  const read = (ids: IdsOf<typeof names>) =>
    parallel(
      () => situationOf(sources, ids),
      // A round trip has gone on looking up names.
      () => (isGuessed(ids) ? undefined : allRoles(sources)),
    )
  const [{ ids: named, unusable, read: [situation, everyRole] = [] }, pages] = await parallel(
    () => resolveNames(names, read),
    () => allPages(sources),
  )
  const unknown = unknownReason(unusable, [
    { what: 'User', name: user.text, id: named.user, result: situation?.user },
    { what: 'Location', name: location.text, id: named.location, result: situation?.location },
  ])
  if (situation === undefined) return list.page([], undefined, unusable, unknown)
  const nodes: LoadResult<unknown>[] = [situation.user, situation.location, situation.membership]
  const flaws = [...nodes, ...situation.groups.unusable, ...pages.unusable]
  if (nodes.some(({ state }) => state !== 'found')) return list.page([], undefined, flaws, unknown)
  const unseen = everyRole !== undefined && everyRole.names.length <= rolesUnseenMax ? everyRole.names : []
  const groupIds = situation.groups.found.map(({ groupId }) => groupId)
  const isAhead = (page: string) => list.after === undefined || compareKeys(page, list.after) > 0
  const ahead = pages.names.filter(isAhead)
  const [groups, , pageNodes] = await parallel(
    () => groupDefinitions.takeAll(sources, groupIds),
    () => roleDefinitions.takeAll(sources, unseen),
    () => pageNodesOf(sources, ahead),
  )
  const ids = groupIds.filter((groupId) => isOf(groups.get(groupId), situation.locationId))
  const held = new Set(ids.flatMap((groupId) => [...(groups.get(groupId)?.roles ?? [])]))
  const roles = await roleDefinitions.takeAll(sources, [...held])
  const defined = [...recordsOfNodes(groups), ...recordsOfNodes(roles)]
  const open = openPages(ids, groups, roles)
  // The directory is an addition: another program does not list its pages there.
  const listed = new Set(pages.names)
  const unlisted = [...open.keys()].filter((page) => !listed.has(page) && isAhead(page))
  const allNodes = unlisted.length === 0 ? pageNodes : new Map([...pageNodes, ...(await pageNodesOf(sources, unlisted))])
  const items = [...ahead, ...unlisted].sort(compareKeys).flatMap((page): OpenPage[] => {
    const grantedBy = open.get(page)
    return grantedBy === undefined || allNodes.get(page)?.state !== 'found' ? [] : [{ page, grantedBy }]
  })
  return list.pageOf(items, ({ page }) => page, [...flaws, ...defined, ...allNodes.values()])
}
