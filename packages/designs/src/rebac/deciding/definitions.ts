import type { Entity, Item } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { type DefinitionReader, definitionReader, takeWhole } from '../../decision/definition-reader.ts'
import { loadRange, readCollection } from '../../decision/load.ts'
import { type LoadResult, parseRecord, parseRecords, type Unusable, type Wanted, wanted } from '../../decision/record.ts'
import { placeOf, type Sources } from '../../decision/sources.ts'
import {
  GroupRole,
  Location,
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

/** The permission of a role for one page. */
export interface RoleOnPage {
  readonly role: LoadResult<Item<typeof Role>>
  readonly permission: LoadResult<Item<typeof RolePagePermission>>
}
/** By the names of the roles. */
export type RolesOnPage = ReadonlyMap<string, RoleOnPage>

export const allows = ({ role, permission }: RoleOnPage): boolean =>
  role.state === 'found' && permission.state === 'found' && permission.item.permission === 'ALLOW'

/** A node and its edges of one kind, which lie behind it in one range with nothing between them. */
function nodes<N extends Entity, E extends Entity, V>(node: N, edge: E, placeholder: string, keep: (edges: readonly Item<E>[]) => V) {
  return definitionReader(
    (id: string) => `${node.name} ${id}`,
    async ({ runtime }, id) => {
      const at = wanted(node, { [placeholder]: id })
      const { partition, range } = placeOf(edge, { [placeholder]: id })
      const items = await readCollection(runtime, partition, { from: at.key.SK, to: range.to })
      const isNode = ({ SK }: Stored) => SK === at.key.SK
      const { found, unusable } = parseRecords(
        edge,
        items.filter((item) => !isNode(item)),
      )
      return { node: parseRecord(at, items.find(isNode)), unusable, ...keep(found) }
    },
  )
}

/** Groups with the names of their live roles. */
export const groups = nodes(UserGroup, GroupRole, 'groupId', (edges) => ({
  roles: new Set(edges.map(({ roleName }) => roleName)),
}))
/** Pages with what each role's edge to them says. */
export const pages = nodes(Page, PageRoleEdge, 'pageName', (edges) => ({
  roles: new Map(edges.map(({ roleName, permission }) => [roleName, permission])),
}))
/** Roles with the pages that they allow. */
export const roles = nodes(Role, RolePagePermission, 'roleName', (edges) => ({
  allowed: new Set(edges.flatMap(({ permission, pageName }) => (permission === 'ALLOW' ? [pageName] : []))),
}))

type Definition<R> = R extends DefinitionReader<string, infer V> ? V : never
export type GroupDefinition = Definition<typeof groups>
export type PageDefinition = Definition<typeof pages>
export type RoleDefinition = Definition<typeof roles>

/** Ids that a range of lookup items or edges lists: they only say where to look. */
export interface Listing {
  readonly names: readonly string[]
  readonly unusable: readonly Unusable[]
}

/** The values of an attribute over a range, in the order of the keys. */
function listing<E extends Entity>(entity: E, attribute: keyof Item<E> & string, idOf: (id: string) => Record<string, string>) {
  return definitionReader(
    (id: string) => `${entity.name} ${id}`,
    async (sources, id): Promise<Listing> => {
      const { found, unusable } = await loadRange(sources, entity, placeOf(entity, idOf(id)))
      return { names: found.map((item) => String(item[attribute])), unusable }
    },
  )
}

export const groupsOfRole = listing(RoleGroupEdge, 'groupId', (roleName) => ({ roleName }))
export const groupsOfLocation = listing(LocationGroup, 'groupId', (locationId) => ({ locationId }))
/** Pages by name. Their own nodes say whether they are there. */
const pageEntries = listing(PageEntry, 'pageName', () => ({}))
export const allPages = (sources: Sources) => pageEntries.take(sources, '')
const roleEntries = listing(RoleEntry, 'roleName', () => ({}))
export const allRoles = (sources: Sources) => roleEntries.take(sources, '')

/** Nodes alone, by their ids. */
function nodesOf<E extends Entity>(wantedOf: (id: string) => Wanted<E>) {
  return async (sources: Sources, ids: readonly string[]): Promise<ReadonlyMap<string, LoadResult<Item<E>>>> => {
    const all = ids.map((id) => [id, wantedOf(id)] as const)
    const taken = await takeWhole(
      sources,
      all.map(([, at]) => at),
    )
    return new Map(all.map(([id, at]) => [id, taken(at)]))
  }
}

export type Locations = ReadonlyMap<string, LoadResult<Item<typeof Location>>>
export const locationsOf = nodesOf((locationId) => wanted(Location, { locationId }))
export const pageNodesOf = nodesOf((pageName) => wanted(Page, { pageName }))

/** The permissions of these roles for a page: the role's own node and the document's own edge. */
export async function rolesOnPage(sources: Sources, roleNames: readonly string[], pageName: string): Promise<RolesOnPage> {
  const all = roleNames.map((roleName) => {
    return { roleName, role: wanted(Role, { roleName }), permission: wanted(RolePagePermission, { roleName, pageName }) }
  })
  const taken = await takeWhole(
    sources,
    all.flatMap(({ role, permission }) => [role, permission]),
  )
  return new Map(all.map(({ roleName, role, permission }) => [roleName, { role: taken(role), permission: taken(permission) }]))
}
