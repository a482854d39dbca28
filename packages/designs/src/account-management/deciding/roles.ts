import type { Item } from '@freehold/table'
import { keyText, parallel, parallelMap, type Stored } from '@freehold/table/runtime'
import { loadRange, readCollection, readItems } from '../../decision/load.ts'
import { type LoadResult, parseRecord, type Records, type Unusable, type Wanted, wanted } from '../../decision/record.ts'
import { placeBefore, placeOf, type Sources } from '../../decision/sources.ts'
import { Permission as CatalogueEntry, Role, RoleParent, RolePermissionLink } from '../design.ts'
import { type Permission, permissionIn, permissionText } from '../permission/permission.ts'
import { systemOwner } from './standing.ts'

// Definitions in the sense of spec rule 18: what `bounded` may take from memory. Of an item only what decisions need is kept: the rest, a description
// say, is as long as whoever wrote it liked.

/** Where a role lies: at its client, or at the system. */
export interface RoleAt {
  readonly role_owner: string
  readonly role_id: string
}

/** What decisions need of a role. */
export interface RoleFacts extends Pick<Item<typeof Role>, 'name' | 'version' | 'permission_form'> {
  readonly parent_role_id: string | undefined
}

/** A role's own node, with the permissions that it embeds by their texts. */
export interface RoleNode {
  readonly node: LoadResult<RoleFacts>
  readonly embedded: ReadonlyMap<string, Permission>
  readonly unusable: readonly Unusable[]
}
export type Links = Records<{ readonly permission_id: string; readonly client_id: string | undefined }>
export type Catalogue = ReadonlyMap<string, LoadResult<Permission>>

export const roleText = ({ role_owner, role_id }: RoleAt) => `${role_owner} ${role_id}`

const wantedRole = ({ role_owner, role_id }: RoleAt) =>
  wanted(Role, { id: role_id, client_id: role_owner === systemOwner ? undefined : role_owner })

/** Lists that are stored are only known to be lists: what is in them is looked at here, and what is no permission grants nothing. */
function roleNode(at: Wanted<typeof Role>, stored: Stored | undefined): RoleNode {
  const looked = parseRecord(at, stored)
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

const listKey = (role_owner: string) => `roles of ${role_owner}`

/** Every role of a client, or of the system, by its id. */
export function rolesOwned({ definitions, runtime }: Sources, role_owner: string): Promise<ReadonlyMap<string, RoleNode>> {
  return definitions.take(listKey(role_owner), async () => {
    const client_id = role_owner === systemOwner ? undefined : role_owner
    const { partition, range } = placeBefore(Role, { client_id }, 'id')
    const stored = await readCollection(runtime, partition, range)
    const nodes = stored.map((item): [string, RoleNode] => {
      const key = { PK: partition, SK: String(item.SK) }
      return [key.SK.slice(range.from.length), roleNode({ entity: Role, key }, item)]
    })
    return new Map(nodes)
  })
}

const isListHeld = ({ definitions }: Sources, role_owner: string): boolean => definitions.holds(listKey(role_owner))

const nodeKey = (at: RoleAt) => `role ${roleText(at)}`

/** True where reading the role would send nothing. */
export const isRoleHeld = (sources: Sources, at: RoleAt): boolean =>
  isListHeld(sources, at.role_owner) || sources.definitions.holds(nodeKey(at))

/** The ids of the roles above, by the id of the role that is beneath. */
export type Parents = ReadonlyMap<string, string>

/** All that is above roles of a client, or of the system. The list says where to look, and the roles themselves decide. */
export function parentsOwned(sources: Sources, role_owner: string): Promise<Parents> {
  return sources.definitions.take(`parents ${role_owner}`, async () => {
    const { found } = await loadRange(sources, RoleParent, placeOf(RoleParent, role_owner === systemOwner ? {} : { client_id: role_owner }))
    return new Map(found.map(({ id, parent_role_id }) => [id, parent_role_id]))
  })
}

/** Single roles, side by side; of those whose owner's list is held already nothing is read. */
export async function roleNodes(sources: Sources, wanted: readonly RoleAt[]): Promise<ReadonlyMap<string, RoleNode>> {
  const { definitions, runtime } = sources
  const nodes = new Map<string, RoleNode>()
  const single = new Map<string, RoleAt>()
  for (const at of wanted) {
    if (!isListHeld(sources, at.role_owner)) single.set(nodeKey(at), at)
    else {
      const listed = (await rolesOwned(sources, at.role_owner)).get(at.role_id)
      nodes.set(roleText(at), listed ?? roleNode(wantedRole(at), undefined))
    }
  }
  const loaded = await definitions.takeAll<RoleNode>([...single.keys()], async (missing) => {
    const all = missing.flatMap((text) => {
      const at = single.get(text)
      return at === undefined ? [] : [{ text, role: wantedRole(at) }]
    })
    const found = await readItems(
      runtime,
      all.map(({ role }) => role.key),
    )
    return new Map(all.map(({ text, role }) => [text, roleNode(role, found.get(keyText(role.key)))]))
  })
  for (const [text, at] of single) {
    const node = loaded.get(text)
    if (node !== undefined) nodes.set(roleText(at), node)
  }
  return nodes
}

const linksKey = (role_id: string) => `links ${role_id}`

/** True where reading what the role is linked to would send nothing. */
export const areLinksHeld = ({ definitions }: Sources, role_id: string): boolean => definitions.holds(linksKey(role_id))

/** What roles are linked to, by their ids, side by side. */
export async function linksOf(sources: Sources, roleIds: readonly string[]): Promise<ReadonlyMap<string, Links>> {
  const links = await parallelMap(roleIds, (role_id) =>
    sources.definitions.take(linksKey(role_id), async () => {
      const place = placeBefore(RolePermissionLink, { role_id }, 'permission_id')
      const { found, unusable } = await loadRange(sources, RolePermissionLink, place)
      return { found: found.map(({ permission_id, client_id }) => ({ permission_id, client_id })), unusable }
    }),
  )
  // One for each id, in order.
  return new Map(roleIds.map((role_id, index) => [role_id, links[index] as Links]))
}

/** Of the links that lie at an id, which names no owner, those of the role: of two roles of one id neither grants what the other is linked to. */
export function ownLinks({ role_owner }: RoleAt, links: Links | undefined): Links | undefined {
  const owner = role_owner === systemOwner ? undefined : role_owner
  return links === undefined ? undefined : { ...links, found: links.found.filter(({ client_id }) => client_id === owner) }
}

const catalogueKey = 'catalogue'

const partsOf = ({ module, action, resource }: Permission): Permission => ({ module, action, resource })

export const isCatalogueHeld = ({ definitions }: Sources): boolean => definitions.holds(catalogueKey)

/** The whole catalogue: a link to what is gone or going grants nothing, and what it grants is what the catalogue says. */
export function catalogue({ definitions, runtime }: Sources): Promise<Catalogue> {
  return definitions.take(catalogueKey, async () => {
    const { partition, range } = placeBefore(CatalogueEntry, {}, 'id')
    const stored = await readCollection(runtime, partition, range)
    const entries = stored.map((item): [string, LoadResult<Permission>] => {
      const SK = String(item.SK)
      const looked = parseRecord({ entity: CatalogueEntry, key: { PK: partition, SK } }, item)
      return [SK.slice(range.from.length), looked.state === 'found' ? { state: 'found', item: partsOf(looked.item) } : looked]
    })
    return new Map(entries)
  })
}

/** All roles of a client and of the system. */
export async function allRoles(sources: Sources, client_id: string): Promise<readonly RoleAt[]> {
  const [own, system] = await parallel(
    () => rolesOwned(sources, client_id),
    () => rolesOwned(sources, systemOwner),
  )
  const at = (role_owner: string, nodes: ReadonlyMap<string, RoleNode>) => [...nodes.keys()].map((role_id) => ({ role_owner, role_id }))
  return [...at(client_id, own), ...at(systemOwner, system)]
}
