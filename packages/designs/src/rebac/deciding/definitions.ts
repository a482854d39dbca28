import {
  type DefinitionReader,
  isForeign,
  type LoadResult,
  nodeReader,
  rangeReader,
  type Sources,
  takeParts,
  takeWhole,
  type Wanted,
  wanted,
} from '@freehold/frame/decision'
import type { Entity, Item } from '@freehold/table'
import { type Awaitable, whenThere } from '@freehold/table/runtime'
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
// LocationGroup, the directory) only say where to look; what is found there is decided by the document's own items. Another program writes no
// additions: beside its items decisions go the document's own way, from groups to roles to pages.

/** The permission of a role for one page. */
export interface RoleOnPage {
  readonly role: LoadResult<Item<typeof Role>>
  readonly permission: LoadResult<Item<typeof RolePagePermission>>
}
/** By the names of the roles. */
export type RolesOnPage = ReadonlyMap<string, RoleOnPage>

export const allows = ({ role, permission }: RoleOnPage): boolean =>
  role.state === 'found' && permission.state === 'found' && permission.item.permission === 'ALLOW'

/** Groups with the names of their live roles. */
export const groups = nodeReader(
  UserGroup,
  GroupRole,
  (groupId) => ({ groupId }),
  (edges) => ({ roles: new Set(edges.map(({ roleName }) => roleName)), hasForeignRole: edges.some(isForeign) }),
)
/** Pages with what each role's edge to them says, and the names of those that say ALLOW. */
export const pages = nodeReader(
  Page,
  PageRoleEdge,
  (pageName) => ({ pageName }),
  (edges) => ({
    roles: new Map(edges.map(({ roleName, permission }) => [roleName, permission])),
    allowing: edges.flatMap(({ roleName, permission }) => (permission === 'ALLOW' ? [roleName] : [])),
  }),
)
/** Roles with the pages that they allow. */
export const roles = nodeReader(
  Role,
  RolePagePermission,
  (roleName) => ({ roleName }),
  (edges) => ({ allowed: new Set(edges.flatMap(({ permission, pageName }) => (permission === 'ALLOW' ? [pageName] : []))) }),
)

type Definition<R> = R extends DefinitionReader<string, infer V> ? V : never
export type GroupDefinition = Definition<typeof groups>
export type PageDefinition = Definition<typeof pages>
export type RoleDefinition = Definition<typeof roles>

/** The values of an attribute over a range of lookup items or edges, in the order of the keys: they only say where to look. */
function listing<E extends Entity>(entity: E, attribute: keyof Item<E> & string, idOf: (id: string) => Record<string, string>) {
  return rangeReader(entity, idOf, (items) => ({ names: items.map((item) => String(item[attribute])) }))
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
  return (sources: Sources, ids: readonly string[]): Awaitable<ReadonlyMap<string, LoadResult<Item<E>>>> => {
    const all = ids.map((id) => [id, wantedOf(id)] as const)
    const records = all.map(([, at]) => at)
    return whenThere(takeWhole(sources, records), (taken) => new Map(all.map(([id, at]) => [id, taken(at)])))
  }
}

export type Locations = ReadonlyMap<string, LoadResult<Item<typeof Location>>>
export const locationsOf = nodesOf((locationId) => wanted(Location, { locationId }))
export const pageNodesOf = nodesOf((pageName) => wanted(Page, { pageName }))

/** The permissions of these roles for a page: the role's own node and the document's own edge. */
export const rolesOnPage = (sources: Sources, roleNames: readonly string[], pageName: string): Awaitable<RolesOnPage> =>
  takeParts(sources, roleNames, {
    role: (roleName) => wanted(Role, { roleName }),
    permission: (roleName) => wanted(RolePagePermission, { roleName, pageName }),
  })
