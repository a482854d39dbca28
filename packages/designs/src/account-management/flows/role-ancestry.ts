import { type FreeholdError, type Item, invalidInput, type Steps, updating } from '@freehold/table'
import { Role } from '../design.ts'
import type { AccountContext } from './account-context.ts'
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

/** Each role beneath one, with its parent, level by level. Throws `InvalidInput` for a hierarchy that is too deep. */
async function rolesBeneath(
  context: AccountContext,
  id: string,
): Promise<{ readonly parents: ReadonlyMap<string, string>; readonly levels: number }> {
  const parents = new Map<string, string>()
  let level: readonly string[] = [id]
  for (let levels = 1; ; levels++) {
    if (levels > roleDepthMax) throw tooDeep(context)
    const children: string[] = []
    for (const parent_role_id of level) {
      for await (const child of context.table.childrenOfRole.all({ parent_role_id }, consistent)) {
        children.push(child.id)
        parents.set(child.id, parent_role_id)
      }
    }
    if (children.length === 0) return { parents, levels }
    level = children
  }
}

/** Where a role comes to hang: the roles above it, the parent first, and those beneath it, each with its parent. */
export interface Hanging {
  readonly above: readonly RoleItem[]
  readonly beneath: ReadonlyMap<string, string>
}

/**
 * What a role that gets this parent has above it and beneath it. `id` is undefined for a new role. Throws `InvalidInput` for a cycle or a
 * hierarchy that is too deep, `NotFound` for a parent that the role's own client does not have.
 */
export async function hangingUnder(
  context: AccountContext,
  client_id: string | undefined,
  parent_role_id: string | null | undefined,
  id?: string,
): Promise<Hanging> {
  const above = parent_role_id === undefined || parent_role_id === null ? [] : await ancestry(context, client_id, parent_role_id)
  if (id !== undefined && above.some((role) => role.id === id))
    throw invalidInput(context.flow, [{ path: ['parent_role_id'], message: 'is the role itself or beneath it' }], { flow: context.flow })
  const { parents, levels } = id === undefined ? { parents: new Map<string, string>(), levels: 1 } : await rolesBeneath(context, id)
  if (above.length + levels > roleDepthMax) throw tooDeep(context)
  return { above, beneath: parents }
}

/** The hint of a role: null where it has nothing above it. */
export function hintOf(above: readonly RoleItem[]): string[] | null {
  return above.length === 0 ? null : above.map(({ id }) => id)
}

/** One transaction renews so many hints; beneath a role with more they stay as they were, which costs decisions one more round trip. */
const hintsAtOnceMax = 40

/** Renews the hints of the roles beneath one that comes to hang elsewhere. */
export async function hintSteps(
  { table }: AccountContext,
  client_id: string | undefined,
  id: string,
  { above, beneath }: Hanging,
): Promise<Steps> {
  if (beneath.size > hintsAtOnceMax) return {}
  const hints = new Map<string, readonly string[]>([[id, above.map((role) => role.id)]])
  for (const [child, parent] of beneath) hints.set(child, [parent, ...(hints.get(parent) ?? [])])
  const roles = await table.Role.getMany(
    [...beneath.keys()].map((child) => ({ client_id, id: child })),
    consistent,
  )
  const renewed = roles.flatMap((role) => {
    if (role === undefined || role.deleting !== undefined) return []
    const ancestor_ids = [...(hints.get(role.id) ?? [])]
    return [[`beneath ${role.id}`, updating(Role, { client_id, id: role.id }, { ancestor_ids }, { version: role.version })] as const]
  })
  return Object.fromEntries(renewed)
}

/**
 * Writes every role of a chain as it was read. Whoever hangs a role beneath another does, so that of two who do so at once in one hierarchy the
 * second sees what the first did: a check alone would let each pass what the other is about to write.
 */
export function touching(chain: readonly RoleItem[]): Steps {
  const touched = chain.map(({ client_id, id, version }) => [`ancestor ${id}`, updating(Role, { client_id, id }, {}, { version })] as const)
  return Object.fromEntries(touched)
}

/** What a role is linked to, whatever its form. */
export async function linkedPermissions({ table }: AccountContext, role_id: string): Promise<readonly PermissionPattern[]> {
  const linked: PermissionPattern[] = []
  for await (const { module, action, resource } of table.linksOfRole.all({ role_id }, consistent))
    if (module !== undefined && action !== undefined && resource !== undefined) linked.push({ module, action, resource })
  return linked
}

/** What a role grants by itself: its form decides what counts. */
export async function ownPermissions(context: AccountContext, role: RoleItem): Promise<readonly PermissionPattern[]> {
  return role.permission_form === 'embedded' ? role.permissions : linkedPermissions(context, role.id)
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
