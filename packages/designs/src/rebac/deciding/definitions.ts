import type { Entity, Item } from '@freehold/table'
import { keyText, type Stored } from '@freehold/table/runtime'
import { loadRange, loadRecords, readCollection } from '../../decision/load.ts'
import { type LoadResult, parseRecord, parseRecords, type Unusable, type Wanted, wanted } from '../../decision/record.ts'
import { placeOf, type Sources } from '../../decision/sources.ts'
import {
  GroupRole,
  Location,
  LocationCodeLookup,
  LocationGroup,
  Page,
  PageEntry,
  PageRoleEdge,
  Role,
  RoleEntry,
  RoleGroupEdge,
  RolePagePermission,
  UserGroup,
} from '../design.ts'

// Definitions in the sense of spec rule 18: what `bounded` may take from memory. Additions of the design (PageRoleEdge, RoleGroupEdge,
// LocationGroup, the directory) only say where to look; what is found there is decided by the document's own items.

/** A group with the names of its live roles. */
export interface GroupDefinition {
  readonly node: LoadResult<Item<typeof UserGroup>>
  readonly roles: ReadonlySet<string>
  readonly unusable: readonly Unusable[]
}
/** A page with what each role's edge to it says. */
export interface PageDefinition {
  readonly node: LoadResult<Item<typeof Page>>
  readonly roles: ReadonlyMap<string, 'ALLOW' | 'DENY'>
  readonly unusable: readonly Unusable[]
}
/** A role with the pages that it allows. */
export interface RoleDefinition {
  readonly node: LoadResult<Item<typeof Role>>
  readonly allowed: ReadonlySet<string>
  readonly unusable: readonly Unusable[]
}
/** What a role says of one page. */
export interface Standing {
  readonly role: LoadResult<Item<typeof Role>>
  readonly permission: LoadResult<Item<typeof RolePagePermission>>
}

export const allows = ({ role, permission }: Standing): boolean =>
  role.state === 'found' && permission.state === 'found' && permission.item.permission === 'ALLOW'

/** A node and its edges of one kind, which lie behind it in one range with nothing between them. */
async function nodeAndEdges<N extends Entity, E extends Entity>(
  { runtime }: Sources,
  node: N,
  edge: E,
  id: Record<string, string>,
): Promise<{ node: LoadResult<Item<N>>; edges: readonly Item<E>[]; unusable: readonly Unusable[] }> {
  const at = wanted(node, id)
  const { partition, range } = placeOf(edge, id)
  const items = await readCollection(runtime, partition, { from: at.key.SK, to: range.to })
  const isNode = ({ SK }: Stored) => SK === at.key.SK
  const { found, unusable } = parseRecords(
    edge,
    items.filter((item) => !isNode(item)),
  )
  return { node: parseRecord(at, items.find(isNode)), edges: found, unusable }
}

const groupKey = (groupId: string) => `group ${groupId}`

export function groupsAreHeld({ definitions }: Sources, groupIds: Iterable<string>): boolean {
  for (const groupId of groupIds) if (!definitions.holds(groupKey(groupId))) return false
  return true
}

export function groupDefinition(sources: Sources, groupId: string): Promise<GroupDefinition> {
  return sources.definitions.take(groupKey(groupId), async () => {
    const { node, edges, unusable } = await nodeAndEdges(sources, UserGroup, GroupRole, { groupId })
    return { node, roles: new Set(edges.map(({ roleName }) => roleName)), unusable }
  })
}

export function pageDefinition(sources: Sources, pageName: string): Promise<PageDefinition> {
  return sources.definitions.take(`page ${pageName}`, async () => {
    const { node, edges, unusable } = await nodeAndEdges(sources, Page, PageRoleEdge, { pageName })
    return { node, roles: new Map(edges.map(({ roleName, permission }) => [roleName, permission])), unusable }
  })
}

export function roleDefinition(sources: Sources, roleName: string): Promise<RoleDefinition> {
  return sources.definitions.take(`role ${roleName}`, async () => {
    const { node, edges, unusable } = await nodeAndEdges(sources, Role, RolePagePermission, { roleName })
    const allowed = edges.filter(({ permission }) => permission === 'ALLOW').map(({ pageName }) => pageName)
    return { node, allowed: new Set(allowed), unusable }
  })
}

/** Names of what an index-like range lists: discovery only. */
export interface Listing {
  readonly names: readonly string[]
  readonly unusable: readonly Unusable[]
}

/** The values of `placeholder` over a range, in key order. */
function listing<E extends Entity>(
  sources: Sources,
  entity: E,
  placeholder: keyof Item<E> & string,
  id: Record<string, string> = {},
): Promise<Listing> {
  const place = placeOf(entity, id)
  return sources.definitions.take(`list ${place.partition} ${entity.name}`, async () => {
    const { found, unusable } = await loadRange(sources, entity, place)
    return { names: found.map((item) => String(item[placeholder])), unusable }
  })
}

export const groupsOfRole = (sources: Sources, roleName: string) => listing(sources, RoleGroupEdge, 'groupId', { roleName })
export const groupsOfLocation = (sources: Sources, locationId: string) => listing(sources, LocationGroup, 'groupId', { locationId })
/** Live pages by name: the mirrors carry their node's mark, so that no page has to be read. */
export const allPages = (sources: Sources) => listing(sources, PageEntry, 'pageName')
export const allRoles = (sources: Sources) => listing(sources, RoleEntry, 'roleName')

/** Single items, side by side, in their order. */
async function defined(sources: Sources, all: readonly Wanted[]): Promise<readonly LoadResult<unknown>[]> {
  const byText = new Map(all.map((each) => [keyText(each.key), each]))
  const looked = await sources.definitions.takeAll([...byText.keys()], async (missing) => {
    const read = missing.flatMap((text) => byText.get(text) ?? [])
    const loaded = await loadRecords(sources, read)
    return new Map(read.map((each): [string, LoadResult<unknown>] => [keyText(each.key), loaded(each)]))
  })
  return all.flatMap(({ key }) => looked.get(keyText(key)) ?? [])
}

export async function locationDefinitions(
  sources: Sources,
  locationIds: readonly string[],
): Promise<ReadonlyMap<string, LoadResult<Item<typeof Location>>>> {
  const looked = await defined(
    sources,
    locationIds.map((locationId) => wanted(Location, { locationId })),
  )
  // Each was looked at as a Location.
  return new Map(locationIds.map((locationId, index) => [locationId, looked[index] as LoadResult<Item<typeof Location>>]))
}

export async function locationOfCode(sources: Sources, locationCode: string): Promise<LoadResult<Item<typeof LocationCodeLookup>>> {
  const [looked] = await defined(sources, [wanted(LocationCodeLookup, { locationCode })])
  // It was looked at as a LocationCodeLookup.
  return looked as LoadResult<Item<typeof LocationCodeLookup>>
}

/** What these roles say of a page: the role's own node and the document's own edge. */
export async function standings(sources: Sources, roleNames: readonly string[], pageName: string): Promise<ReadonlyMap<string, Standing>> {
  const looked = await defined(
    sources,
    roleNames.flatMap((roleName) => [wanted(Role, { roleName }), wanted(RolePagePermission, { roleName, pageName })]),
  )
  // Two for each role, looked at as what they were wanted as.
  return new Map(roleNames.map((roleName, index) => [roleName, { role: looked[2 * index], permission: looked[2 * index + 1] } as Standing]))
}
