import { type Drafts, type Importer, type Looked, lookAt, type Part, type Place } from '@freehold/frame/exchange'
import { FreeholdError } from '@freehold/table'
import { Permission, PermissionKey, Role, RoleName, RolePermissionLink } from '../design.ts'
import { permissionWords } from '../permission/patterns.ts'
import type { PermissionPattern } from '../permission/permission.ts'
import { type FoundId, type FoundIds, foundIds, idsThere, type MatrixChunk, matrixImporter } from './matrix-importer.ts'
import { roleParts } from './plan-assignments.ts'
import { audited, confirmedRow, type MatrixImport } from './plan-audit.ts'

/** A row: the role of this name, of the client of the import, has a permission. */
export interface GrantRow {
  readonly name: string
  readonly permission: PermissionPattern
}

interface Chunk extends MatrixChunk {
  /** By the resource: in one import all else is the same. */
  readonly permissions: FoundIds
  /** Roles, permissions and links that are there. */
  readonly looked: Looked
}

const guardsOf = (client_id: string, { name, permission }: GrantRow): Place[] => [
  [RoleName, { client_id, name }],
  [PermissionKey, { ...permission }],
]

async function readChunk(chunk: MatrixChunk, rows: readonly GrantRow[]): Promise<Chunk> {
  const { matrix, guards, roles } = chunk
  const { client_id } = matrix
  const triples = new Map(rows.map(({ permission }) => [permission.resource, permission]))
  const permissions = foundIds(matrix, triples.keys(), (resource) => guards.at(PermissionKey, { ...triples.get(resource) }))
  const links = rows.flatMap(({ name, permission }): Place[] => {
    const [role, known] = [roles.get(name), permissions.get(permission.resource)]
    return role?.isThere && known?.isThere ? [[RolePermissionLink, { role_id: role.id, permission_id: known.id }]] : []
  })
  const looked = await lookAt(matrix.context.table.runtime, [
    ...idsThere(roles).map((id): Place => [Role, { client_id, id }]),
    ...idsThere(permissions).map((id): Place => [Permission, { id }]),
    ...links,
  ])
  return { ...chunk, permissions, looked }
}

/** A role whose form is embedded has no use for links (spec: the form decides), and an import changes nothing that is there. */
function checkForm({ matrix, looked }: Chunk, name: string, { id }: FoundId): void {
  const form = looked.at(Role, { client_id: matrix.client_id, id })?.permission_form
  if (form === undefined || form === 'linked') return
  throw new FreeholdError('AlreadyExists', `The role '${name}' embeds its permissions: give it the form linked first.`, {
    entity: Role.name,
  })
}

function permissionParts({ matrix, looked }: Chunk, permission: PermissionPattern, { id, isThere }: FoundId, drafts: Drafts): Part[] {
  if (isThere && looked.has(Permission, { id })) return []
  const entry = { id, ...permission }
  // The catalogue is of no client.
  return audited(matrix, drafts.create(Permission, entry), { entity: Permission, id, tenant: undefined, after: entry })
}

function partsOf({ name, permission }: GrantRow, chunk: Chunk, drafts: Drafts): Part[] {
  const { matrix, dangerous, roles, permissions, looked } = chunk
  const { client_id } = matrix
  const [role, known] = [roles.get(name), permissions.get(permission.resource)]
  if (role === undefined || known === undefined) return []
  checkForm(chunk, name, role)
  const parts = [...roleParts(matrix, name, role, looked, drafts), ...permissionParts(chunk, permission, known, drafts)]
  const link = { role_id: role.id, permission_id: known.id }
  if (looked.has(RolePermissionLink, link)) return parts
  const { severity, more } = confirmedRow(matrix, dangerous, [permission])
  const entry = { entity: Role, id: role.id, tenant: client_id, more: { granted: [permissionWords(permission)], ...more } }
  const told = { ...entry, related: { role: role.id, permission: known.id }, ...(severity === undefined ? {} : { severity }) }
  return [...parts, ...audited(matrix, drafts.create(RolePermissionLink, { ...link, client_id }), told)]
}

/** How the permissions of roles are imported: with role and permission, one row in one transaction. */
export const grantImporter = (matrix: MatrixImport): Importer<GrantRow> => matrixImporter(matrix, { guardsOf, read: readChunk, partsOf })
