import { isForeign, type LoadResult, recordsOfNodes, type Sources } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import type { UserGroupEdge } from '../design.ts'
import {
  allows,
  type GroupDefinition,
  groups as groupDefinitions,
  type PageDefinition,
  type RolesOnPage,
  rolesOnPage,
} from './definitions.ts'

type GroupEdge = Item<typeof UserGroupEdge>

/** The group and the role through which access is granted. */
export interface Grant {
  readonly groupId: string
  readonly roleName: string
}

export type Groups = ReadonlyMap<string, GroupDefinition>

/** All records of definitions: lists report the malformed ones. */
export function recordsOf(groups: Groups, roles: RolesOnPage): readonly LoadResult<unknown>[] {
  return [...recordsOfNodes(groups), ...[...roles.values()].flatMap(({ role, permission }) => [role, permission])]
}

/** True for a live group whose own node says that it is of this location: the copy on an edge may be a lie. */
export function isOf(group: GroupDefinition | undefined, locationId: string): group is GroupDefinition {
  return group?.node.state === 'found' && group.node.item.locationId === locationId
}

/** True if another program wrote any of these: then its permissions for the page may lie at the roles alone. */
function mayLackEdges({ node }: PageDefinition, groups: Groups): boolean {
  const isForeignNode = (each: LoadResult<{ readonly version: number }>) => each.state === 'found' && isForeign(each.item)
  return isForeignNode(node) || [...groups.values()].some((group) => group.hasForeignRole || isForeignNode(group.node))
}

/** Two items for each role: as many as one BatchGetItem takes. */
const rolesAtOnceMax = 50

/**
 * Reads these groups, and what the page's roles say of it: side by side, or, if it is cheaper and leaves a decision within its three round
 * trips, the groups first and then only the roles that they have. Among items of another program the roles that the page does not list are read, too.
 * @param isLate a round trip has gone on looking up names.
 */
export async function groupsAndRoles(
  sources: Sources,
  groupIds: readonly string[],
  page: { readonly name: string; readonly definition: PageDefinition },
  isLate: boolean,
): Promise<{ readonly groups: Groups; readonly roles: RolesOnPage }> {
  const { allowing, roles: listed } = page.definition
  const heldOf = (groups: Groups) => new Set([...groups.values()].flatMap((group) => [...group.roles]))
  const unlistedOf = (groups: Groups) =>
    mayLackEdges(page.definition, groups) ? [...heldOf(groups)].filter((role) => !listed.has(role)) : []
  const areHeld = groupIds.every((groupId) => groupDefinitions.isHeld(sources, groupId))
  if (areHeld || allowing.length === 0 || (allowing.length > rolesAtOnceMax && !isLate)) {
    const groups = await groupDefinitions.takeAll(sources, groupIds)
    const held = heldOf(groups)
    const wanted = [...allowing.filter((role) => held.has(role)), ...unlistedOf(groups)]
    return { groups, roles: await rolesOnPage(sources, wanted, page.name) }
  }
  const [groups, roles] = await parallel(
    () => groupDefinitions.takeAll(sources, groupIds),
    () => rolesOnPage(sources, allowing, page.name),
  )
  const unlisted = unlistedOf(groups)
  return unlisted.length === 0
    ? { groups, roles }
    : { groups, roles: new Map([...roles, ...(await rolesOnPage(sources, unlisted, page.name))]) }
}

/** Every grant that these edges give at the location that they say they are of. Any ALLOW wins, whatever else denies. */
export function grantsOf(edges: readonly GroupEdge[], locationId: string, groups: Groups, roles: RolesOnPage): readonly Grant[] {
  return edges.flatMap(({ groupId }) => {
    const group = groups.get(groupId)
    if (!isOf(group, locationId)) return []
    return [...group.roles].flatMap((roleName): Grant[] => {
      const role = roles.get(roleName)
      return role !== undefined && allows(role) ? [{ groupId, roleName }] : []
    })
  })
}
