import { type AnswerPage, type Listed, type LoadResult, resolveNames, type Sources, unknownReason } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { compareKeys, parallel } from '@freehold/table/runtime'
import type { UserGroupEdge } from '../design.ts'
import { nodeOf } from './access.ts'
import { locationsOf, pages } from './definitions.ts'
import { presenceOf } from './facts.ts'
import { type Grant, grantsOf, groupsAndRoles, recordsOf } from './grants.ts'
import type { Access, AllowedLocation } from './question.ts'
import { userLookup } from './resolve.ts'

type GroupEdge = Item<typeof UserGroupEdge>

const byIds = (a: Grant, b: Grant) => compareKeys(a.groupId, b.groupId) || compareKeys(a.roleName, b.roleName)

/**
 * One page of the distinct locations where a user may open a page, in the order of their ids. Locations hold no others, so that each is a
 * granting scope and a place at once. One round trip with warm definitions, two cold or strong, one more where an e-mail address is looked up
 * for the first time.
 */
export async function where(
  sources: Sources,
  { user, page }: Pick<Access, 'user' | 'page'>,
  list: Listed,
): Promise<AnswerPage<AllowedLocation>> {
  const [{ ids: named, unusable, read: presence, isLate }, definition] = await parallel(
    () => resolveNames({ user: userLookup(sources, user) }, (ids) => presenceOf(sources, ids.user)),
    () => pages.take(sources, page),
  )
  const present = presence === undefined ? [] : [presence.user, ...presence.memberships.unusable, ...presence.groups.unusable]
  const flaws: readonly LoadResult<unknown>[] = [...unusable, definition.node, ...definition.unusable, ...present]
  const unknown = unknownReason(unusable, [
    { what: 'User', name: user.text, id: named.user, result: presence?.user },
    { what: 'Page', name: page, id: page, result: definition.node },
  ])
  if (presence?.user.state !== 'found' || definition.node.state !== 'found') return list.page([], undefined, flaws, unknown)
  const { after } = list
  const ahead = presence.memberships.found.filter(({ locationId }) => after === undefined || locationId > after)
  const edgesAt = new Map<string, GroupEdge[]>(ahead.map(({ locationId }) => [locationId, []]))
  for (const edge of presence.groups.found) if (edge.locationId !== undefined) edgesAt.get(edge.locationId)?.push(edge)
  const inUse = [...edgesAt].filter(([, edges]) => edges.length > 0)
  const ids = inUse.map(([locationId]) => locationId)
  const groupIds = inUse.flatMap(([, edges]) => edges.map(({ groupId }) => groupId))
  const [{ groups, roles }, nodes] = await parallel(
    () => groupsAndRoles(sources, groupIds, { name: page, definition }, isLate),
    () => locationsOf(sources, ids),
  )
  const items = inUse.flatMap(([locationId, edges]): AllowedLocation[] => {
    const node = nodeOf(nodes, locationId)
    if (node.state !== 'found') return []
    const [grantedBy] = [...grantsOf(edges, locationId, groups, roles)].sort(byIds)
    return grantedBy === undefined ? [] : [{ locationId, locationCode: node.item.locationCode, locationName: node.item.name, grantedBy }]
  })
  return list.pageOf(items, ({ locationId }) => locationId, [...flaws, ...recordsOf(groups, roles), ...nodes.values()])
}
