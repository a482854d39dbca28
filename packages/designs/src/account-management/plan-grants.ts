import { FreeholdError } from '@freehold/table'
import { type Drafts, type Looked, lookAt, type Place } from '../exchange/chunk-drafts.ts'
import type { GoodRow, Importer } from '../exchange/import-rows.ts'
import type { Part } from '../exchange/part.ts'
import { planChunk } from '../exchange/plan-chunk.ts'
import { Permission, PermissionKey, Role, RoleName, RolePermissionLink } from './design.ts'
import type { AccountTable } from './flows/account-table.ts'
import { type FoundId, foundIds } from './found-ids.ts'
import { roleParts } from './plan-assignments.ts'

/** What a permission is, and what its guard is found by. */
export interface PermissionTriple {
  readonly module: string
  readonly action: string
  readonly resource: string
}

/** That the role of this name, of the client of the import, has a permission. */
export interface GrantRow {
  readonly name: string
  readonly permission: PermissionTriple
}

interface Chunk {
  readonly client_id: string
  readonly roles: ReadonlyMap<string, FoundId>
  /** By the resource: in one import all else is the same. */
  readonly permissions: ReadonlyMap<string, FoundId>
  /** Roles, permissions and links that are there. */
  readonly looked: Looked
}

const guardsOf = (client_id: string, { name, permission }: GrantRow): Place[] => [
  [RoleName, { client_id, name }],
  [PermissionKey, { ...permission }],
]

async function readChunk({ runtime }: AccountTable, client_id: string, rows: readonly GrantRow[]): Promise<Chunk> {
  const guards = await lookAt(
    runtime,
    rows.flatMap((row) => guardsOf(client_id, row)),
  )
  const { uuid } = runtime.making()
  const roles = foundIds(
    rows.map(({ name }) => name),
    (name) => guards.at(RoleName, { client_id, name }),
    uuid,
  )
  const triples = new Map(rows.map(({ permission }) => [permission.resource, permission]))
  const permissions = foundIds(triples.keys(), (resource) => guards.at(PermissionKey, { ...triples.get(resource) }), uuid)
  const there = (ids: ReadonlyMap<string, FoundId>) => [...ids.values()].filter(({ isThere }) => isThere).map(({ id }) => id)
  const links = rows.flatMap(({ name, permission }): Place[] => {
    const [role, known] = [roles.get(name), permissions.get(permission.resource)]
    return role?.isThere && known?.isThere ? [[RolePermissionLink, { role_id: role.id, permission_id: known.id }]] : []
  })
  const looked = await lookAt(runtime, [
    ...there(roles).map((id): Place => [Role, { client_id, id }]),
    ...there(permissions).map((id): Place => [Permission, { id }]),
    ...links,
  ])
  return { client_id, roles, permissions, looked }
}

/** A role whose form is embedded has no use for links (spec: the form decides), and an import changes nothing that is there. */
function checkForm({ client_id, looked }: Chunk, name: string, { id }: FoundId): void {
  const form = looked.at(Role, { client_id, id })?.permission_form
  if (form === undefined || form === 'linked') return
  throw new FreeholdError('AlreadyExists', `The role '${name}' embeds its permissions: give it the form linked first.`, {
    entity: Role.name,
  })
}

function partsOf({ name, permission }: GrantRow, chunk: Chunk, drafts: Drafts): Part[] {
  const { client_id, roles, permissions, looked } = chunk
  const [role, known] = [roles.get(name), permissions.get(permission.resource)]
  if (role === undefined || known === undefined) return []
  checkForm(chunk, name, role)
  const parts = roleParts(client_id, name, role, looked, drafts)
  if (!known.isThere || !looked.has(Permission, { id: known.id })) parts.push(drafts.create(Permission, { id: known.id, ...permission }))
  const link = { role_id: role.id, permission_id: known.id }
  if (!looked.has(RolePermissionLink, link)) parts.push(drafts.create(RolePermissionLink, { ...link, client_id }))
  return parts
}

/** How the permissions of roles are imported: with role and permission, one row in one transaction. */
export function grantImporter(table: AccountTable, client_id: string): Importer<GrantRow> {
  const plan = (rows: readonly GoodRow<GrantRow>[]) =>
    planChunk(table.design, rows, {
      placesOf: (row) => guardsOf(client_id, row),
      read: (good) => readChunk(table, client_id, good),
      partsOf,
    })
  return { awaitsEnds: false, plan, again: async (row) => (await plan([row]))[0] ?? 'skipped' }
}
