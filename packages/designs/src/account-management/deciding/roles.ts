import {
  definitionReader,
  type LoadResult,
  loadById,
  loadRange,
  parseRecord,
  placeBefore,
  placeOf,
  type Reads,
  type Records,
  recordReader,
  type Unusable,
  type Wanted,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { Permission as CatalogueEntry, Role, RoleParent, RolePermissionLink } from '../design.ts'
import { type Permission, permissionIn, permissionText } from '../permission/permission.ts'
import { ownLinks } from '../permission/role-tree.ts'
import { systemOwner } from './live-checks.ts'

// Definitions in the sense of spec rule 18: `bounded` may take them from memory. Only the parts that decisions need are kept: others, a description
// say, are as long as their writers liked.

/** A role by its key: that of its owner, a client or the system, and its own. */
export interface RoleAt {
  readonly role_owner: string
  readonly role_id: string
}

/** A role as an assignment names it. Another program does not say whose it is: the client's or, if that has none of this id, the system's. */
export interface AssignedRole {
  readonly role_owner?: string | undefined
  readonly role_id: string
  readonly client_id?: string | undefined
}

/** The roles that may be meant, the first that is there. */
export function rolesMeant({ role_owner, role_id, client_id }: AssignedRole): readonly [RoleAt, ...RoleAt[]] {
  if (role_owner !== undefined) return [{ role_id, role_owner }]
  const ofSystem = { role_id, role_owner: systemOwner }
  return client_id === undefined ? [ofSystem] : [{ role_id, role_owner: client_id }, ofSystem]
}

/** The part of a role that decisions need. */
export interface RoleFacts extends Pick<Item<typeof Role>, 'version' | 'permission_form'> {
  readonly name: string | undefined
  readonly parent_role_id: string | undefined
}

/** A role's own node, with the permissions that it embeds by their texts. */
export interface RoleNode {
  readonly node: LoadResult<RoleFacts>
  readonly embedded: ReadonlyMap<string, Permission>
  readonly unusable: readonly Unusable[]
}
export type Links = Records<Pick<Item<typeof RolePermissionLink>, 'permission_id' | 'version'> & { readonly client_id: string | undefined }>
export type Catalogue = ReadonlyMap<string, LoadResult<Permission>>

export const roleText = ({ role_owner, role_id }: RoleAt) => `${role_owner} ${role_id}`

/** Undefined for the system. */
const clientOf = (role_owner: string) => (role_owner === systemOwner ? undefined : role_owner)

const wantedRole = ({ role_owner, role_id }: RoleAt) => wanted(Role, { id: role_id, client_id: clientOf(role_owner) })

/** Reads check only that a stored list is a list. Its members are parsed here, and a member that is no permission grants nothing. */
function roleNode(looked: LoadResult<Item<typeof Role>>, at: Wanted): RoleNode {
  if (looked.state !== 'found') return { node: looked, embedded: new Map(), unusable: [] }
  const { name, version, parent_role_id, permission_form, permissions } = looked.item
  const embedded = new Map<string, Permission>()
  let isWhole = true
  for (const stored of permissions) {
    const permission = permissionIn(stored)
    if (permission === undefined) isWhole = false
    else embedded.set(permissionText(permission), permission)
  }
  const unusable: Unusable = { state: 'malformed', entity: Role.name, key: at.key, message: 'A permission of the Role is malformed.' }
  const node: RoleNode['node'] = { state: 'found', item: { name, version, parent_role_id, permission_form } }
  return { node, embedded, unusable: isWhole ? [] : [unusable] }
}

/** Every role of a client, or of the system, by its id. */
export const rolesOwned = definitionReader(
  (role_owner: string) => `roles of ${role_owner}`,
  (sources, role_owner) => loadById(sources, Role, placeBefore(Role, { client_id: clientOf(role_owner) }, 'id'), roleNode),
)

/** One role. */
export const singleRole = recordReader((at: RoleAt) => `role ${roleText(at)}`, wantedRole, roleNode)

/**
 * The ids of the roles above, by the ids of those beneath, of all roles of a client, or of the system. They say where to look, and the roles
 * themselves decide.
 */
export const parentsOwned = definitionReader(
  (role_owner: string) => `parents ${role_owner}`,
  async (sources, role_owner): Promise<Parents> => {
    const { found } = await loadRange(sources, RoleParent, placeOf(RoleParent, role_owner === systemOwner ? {} : { client_id: role_owner }))
    return new Map(found.map(({ id, parent_role_id }) => [id, parent_role_id]))
  },
)
export type Parents = ReadonlyMap<string, string>

/** A role of a list that lacks it. */
export const unlistedRole = (at: RoleAt): RoleNode => roleNode(parseRecord(wantedRole(at), undefined), wantedRole(at))

/** The links of roles, by the ids of the roles. */
export const linksOf = definitionReader(
  (role_id: string) => `links ${role_id}`,
  async (sources, role_id): Promise<Links> => {
    const { found, unusable } = await loadRange(sources, RolePermissionLink, placeBefore(RolePermissionLink, { role_id }, 'permission_id'))
    return { found: found.map(({ permission_id, client_id, version }) => ({ permission_id, client_id, version })), unusable }
  },
)

/** Of the links that lie at a role's id, those of the role. */
export function linksOfRole({ role_owner }: RoleAt, links: Links | undefined): Links | undefined {
  return links === undefined ? undefined : { ...links, found: ownLinks(links.found, clientOf(role_owner)) }
}

/** An entry of another program that says no permission: nothing is granted by it. */
const noPermission = (id: string): Unusable => {
  const { entity, key } = wanted(CatalogueEntry, { id })
  return { state: 'missing', entity: entity.name, key, message: 'The Permission says no module, action and resource.' }
}

/** The whole catalogue. A link grants what its entry says: nothing if the entry is gone or being deleted. */
export const catalogue = definitionReader(
  () => 'catalogue',
  (sources): Promise<Catalogue> =>
    loadById(sources, CatalogueEntry, placeBefore(CatalogueEntry, {}, 'id'), (result) => {
      if (result.state !== 'found') return result
      const item = permissionIn(result.item)
      return item === undefined ? noPermission(result.item.id) : { state: 'found', item }
    }),
)

/** All roles of a client and of the system. Undefined until they are read. */
export function allRoles(reads: Reads, client_id: string): readonly RoleAt[] | undefined {
  const owners = [client_id, systemOwner].map((role_owner) => ({ role_owner, nodes: reads.definition(rolesOwned, role_owner) }))
  if (reads.isLacking()) return undefined
  return owners.flatMap(({ role_owner, nodes }) => [...(nodes?.keys() ?? [])].map((role_id) => ({ role_owner, role_id })))
}
