import { chainFrom, roleDepthMax } from '@freehold/frame/decision'
import { requireLive } from '@freehold/frame/flow'
import { checking, type FreeholdError, type Item, type Steps, updating } from '@freehold/table'
import { consistent, invalidInput, parallelMap } from '@freehold/table/runtime'
import { Role } from '../../design.ts'
import { distinctPatterns } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'
import { type LinkedRole, linkedPermissions } from './linked-permissions.ts'

export type RoleItem = Item<typeof Role>

function tooDeep({ flow }: AccountContext): FreeholdError {
  return invalidInput(flow, [{ path: ['parent_role_id'], message: `would make a hierarchy of more than ${roleDepthMax} roles` }], { flow })
}

/** A role of a client, or of the system where the client is undefined, that is there and stays. */
export async function liveRole({ table }: AccountContext, client_id: string | undefined, id: string): Promise<RoleItem> {
  return requireLive('Role', id, await table.Role.get({ client_id, id }, consistent))
}

const keyOfRole = ({ client_id, id }: LinkedRole) => `${client_id ?? ''}#${id}`

/** Roles by their keys, and all above them: a request for each hundred of a level, however many hang beneath the same ones. */
async function rolesWithAbove(context: AccountContext, roles: readonly LinkedRole[]): Promise<ReadonlyMap<string, RoleItem>> {
  const found = new Map<string, RoleItem>()
  let wanted = new Map(roles.map((role) => [keyOfRole(role), role]))
  for (let level = 0; level < roleDepthMax && wanted.size > 0; level++) {
    const keys = [...wanted.values()].map(({ client_id, id }) => ({ client_id, id }))
    const read = (await context.table.Role.getMany(keys, consistent)).flatMap((role) => role ?? [])
    for (const role of read) found.set(keyOfRole(role), role)
    const above = read.flatMap((role) => (role.deleting === undefined ? (parentOf(role) ?? []) : []))
    wanted = new Map(above.map((role) => [keyOfRole(role), role] as const).filter(([key]) => !found.has(key)))
  }
  return found
}

/** The role above, which is of the same owner. */
const parentOf = ({ client_id, parent_role_id: id }: RoleItem): LinkedRole | undefined => (id === undefined ? undefined : { client_id, id })

/** A role and all above it among those that were read. Throws `NotFound`, `BeingDeleted`, and `InvalidInput` for one too deep. */
function chainAmong(context: AccountContext, found: ReadonlyMap<string, RoleItem>, first: LinkedRole): readonly RoleItem[] {
  const live = (of: LinkedRole): RoleItem => requireLive('Role', of.id, found.get(keyOfRole(of)))
  const { roles, isWhole } = chainFrom<LinkedRole>(first, keyOfRole, (of) => parentOf(live(of)))
  if (!isWhole) throw tooDeep(context)
  return roles.map(live)
}

/** A role and all above it, itself first. A parent of another client is not found. Throws `NotFound`, and `InvalidInput` for one too deep. */
export async function ancestry(context: AccountContext, client_id: string | undefined, id: string): Promise<readonly RoleItem[]> {
  return chainAmong(context, await rolesWithAbove(context, [{ client_id, id }]), { client_id, id })
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
 * Writes every role of a chain as it was read. A flow that gives a role a parent does so: of two such flows at once in one hierarchy, the second
 * sees the first. A check alone would let each pass what the other is about to write.
 */
export function touching(chain: readonly RoleItem[]): Steps {
  const touched = chain.map(({ client_id, id, version }) => [`ancestor ${id}`, updating(Role, { client_id, id }, {}, { version })] as const)
  return Object.fromEntries(touched)
}

/** Checks that each role of a chain is as it was read: it grants the same. */
export function checkingChain(chain: readonly RoleItem[]): Steps {
  const checked = chain.map(({ client_id, id, version }) => [`role ${id}`, checking(Role, { client_id, id }, { version })] as const)
  return Object.fromEntries(checked)
}

/** The permissions that a role grants by itself. */
export async function ownPermissions(context: AccountContext, role: RoleItem): Promise<readonly PermissionPattern[]> {
  return role.permission_form === 'embedded' ? role.permissions : linkedPermissions(context, role)
}

/** The permissions that roles grant together, each once. */
export async function permissionsOfRoles(context: AccountContext, roles: readonly RoleItem[]): Promise<readonly PermissionPattern[]> {
  const all: PermissionPattern[] = []
  // Not push(...): each is an argument then, and a linked role may have more than the stack holds.
  for (const role of roles) for (const own of await ownPermissions(context, role)) all.push(own)
  return distinctPatterns(all)
}

/** All that holding a role grants: its own permissions and those of all above it. A caller that assigns it must hold them (spec rule 23). */
export async function grantedByRole(
  context: AccountContext,
  client_id: string | undefined,
  id: string,
): Promise<readonly PermissionPattern[]> {
  return permissionsOfRoles(context, await ancestry(context, client_id, id))
}

/**
 * All that holding each of many roles grants, in their order, as `grantedByRole` has it; one that is gone grants nothing. Every role is read once,
 * and the links of linked ones in parallel. Throws `BeingDeleted`, and `NotFound` and `InvalidInput` for the roles above.
 */
export async function grantedByRoles(
  context: AccountContext,
  roles: readonly LinkedRole[],
): Promise<readonly (readonly PermissionPattern[])[]> {
  const found = await rolesWithAbove(context, roles)
  const all = [...found.values()]
  const permissions = await parallelMap(all, (role) => ownPermissions(context, role))
  const own = new Map(all.map((role, index) => [keyOfRole(role), permissions[index] ?? []]))
  return roles.map((of) => {
    const chain = found.has(keyOfRole(of)) ? chainAmong(context, found, of) : []
    return distinctPatterns(chain.flatMap((role) => own.get(keyOfRole(role)) ?? []))
  })
}
