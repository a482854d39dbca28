import { type FreeholdError, type Item, invalidInput, type Steps, updating } from '@freehold/table'
import { Role } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { linkedPermissions } from './linked-permissions.ts'
import { distinctPatterns, type PermissionPattern } from './permission-pattern.ts'
import { standing } from './place.ts'

export type RoleItem = Item<typeof Role>

/** A role, its parent, and so on up to the root are no more than this (spec: depth over 8 is refused). */
export const roleDepthMax = 8

const consistent = { consistent: true }

function tooDeep({ flow }: AccountContext): FreeholdError {
  return invalidInput(flow, [{ path: ['parent_role_id'], message: `would make a hierarchy of more than ${roleDepthMax} roles` }], { flow })
}

/** A role of a client, or of the system where the client is undefined, that is there and stays. */
export async function standingRole({ table }: AccountContext, client_id: string | undefined, id: string): Promise<RoleItem> {
  return standing('Role', id, await table.Role.get({ client_id, id }, consistent))
}

/** A role and all above it, itself first. A parent of another client is not found. Throws `NotFound`, and `InvalidInput` for one too deep. */
export async function ancestry(context: AccountContext, client_id: string | undefined, id: string): Promise<readonly RoleItem[]> {
  const chain: RoleItem[] = []
  let next: string | undefined = id
  while (next !== undefined) {
    if (chain.length === roleDepthMax) throw tooDeep(context)
    const role: RoleItem = await standingRole(context, client_id, next)
    chain.push(role)
    next = role.parent_role_id
  }
  return chain
}

/** Levels of roles from one down, itself included. Throws `InvalidInput` for a hierarchy that is too deep. */
async function levelsBeneath(context: AccountContext, client_id: string | undefined, id: string): Promise<number> {
  let level: readonly string[] = [id]
  for (let levels = 1; ; levels++) {
    if (levels > roleDepthMax) throw tooDeep(context)
    const children: string[] = []
    for (const parent_role_id of level)
      for await (const child of context.table.childrenOfRole.all({ parent_role_id }, consistent))
        if (child.client_id === client_id) children.push(child.id)
    if (children.length === 0) return levels
    level = children
  }
}

/**
 * The roles above one that gets this parent, the parent first. `id` is undefined for a new role. Throws `InvalidInput` for a cycle or a
 * hierarchy that is too deep, `NotFound` for a parent that the role's own client does not have.
 */
export async function rolesAbove(
  context: AccountContext,
  client_id: string | undefined,
  parent_role_id: string | null | undefined,
  id?: string,
): Promise<readonly RoleItem[]> {
  const above = parent_role_id === undefined || parent_role_id === null ? [] : await ancestry(context, client_id, parent_role_id)
  if (id !== undefined && above.some((role) => role.id === id))
    throw invalidInput(context.flow, [{ path: ['parent_role_id'], message: 'is the role itself or beneath it' }], { flow: context.flow })
  const levels = id === undefined ? 1 : await levelsBeneath(context, client_id, id)
  if (above.length + levels > roleDepthMax) throw tooDeep(context)
  return above
}

/**
 * Writes every role of a chain as it was read. Whoever hangs a role beneath another does, so that of two who do so at once in one hierarchy the
 * second sees what the first did: a check alone would let each pass what the other is about to write.
 */
export function touching(chain: readonly RoleItem[]): Steps {
  const touched = chain.map(({ client_id, id, version }) => [`ancestor ${id}`, updating(Role, { client_id, id }, {}, { version })] as const)
  return Object.fromEntries(touched)
}

/** What a role grants by itself: its form decides what counts. */
export async function ownPermissions(context: AccountContext, role: RoleItem): Promise<readonly PermissionPattern[]> {
  return role.permission_form === 'embedded' ? role.permissions : linkedPermissions(context, role)
}

/** What roles grant together, each once. */
export async function permissionsOfRoles(context: AccountContext, roles: readonly RoleItem[]): Promise<readonly PermissionPattern[]> {
  const all: PermissionPattern[] = []
  for (const role of roles) all.push(...(await ownPermissions(context, role)))
  return distinctPatterns(all)
}

/** All that holding a role grants: its own permissions and those of all above it. For whoever assigns it (spec rule 23). */
export async function grantedByRole(
  context: AccountContext,
  client_id: string | undefined,
  id: string,
): Promise<readonly PermissionPattern[]> {
  return permissionsOfRoles(context, await ancestry(context, client_id, id))
}
