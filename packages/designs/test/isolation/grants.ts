import type { Stored } from '@freehold/table'
import { requiredPermissions } from '../../src/account-management/flows/required-permissions.ts'
import type { Needs } from '../../src/flow/flow.ts'
import { plantation } from './plant.ts'
import type { Step } from './step.ts'

// Who was given what at a client, as its items say: read a second time, without the code under test.

export interface Grants {
  /** What each role of the client grants: `id` and the permission. */
  readonly roles: ReadonlyMap<string, readonly string[]>
  /** `user scope_type scope_id`, and what the user was given there, perhaps for later. */
  readonly given: ReadonlyMap<string, ReadonlySet<string>>
  /** The same, without what has not begun. */
  readonly held: ReadonlyMap<string, ReadonlySet<string>>
}

const text = ({ module, action, resource }: { readonly module?: unknown; readonly action?: unknown; readonly resource?: unknown }) =>
  `${module}:${action}:${resource}`

function rolesOf(items: readonly Stored[], shared: readonly Stored[]): ReadonlyMap<string, readonly string[]> {
  const roles = items.filter(({ Type, permissions }) => Type === 'Role' && Array.isArray(permissions))
  const catalogue = new Map(shared.filter(({ Type }) => Type === 'Permission').map((entry) => [entry.id, text(entry)]))
  const byId = new Map(roles.map((role) => [role.id, role]))
  const own = (role: Stored): readonly string[] => {
    // Filtered for lists above.
    if (role.permission_form === 'embedded') return (role.permissions as readonly Stored[]).map(text)
    const links = items.filter(({ Type, role_id }) => Type === 'RolePermissionLink' && role_id === role.id)
    return links.flatMap(({ permission_id }) => catalogue.get(permission_id) ?? [])
  }
  const all = (role: Stored, seen: readonly unknown[]): readonly string[] => {
    const parent = byId.get(role.parent_role_id)
    return [...own(role), ...(parent === undefined || seen.includes(parent.id) ? [] : all(parent, [...seen, role.id]))]
  }
  return new Map(roles.map((role) => [String(role.id), [...new Set(all(role, []))]]))
}

/** Grants that are not over. Whether their user is active is left out: they are given already. */
export function grantsOf(own: readonly Stored[], system: readonly Stored[], now: string): Grants {
  const roles = rolesOf(own, system)
  const systemRoles = rolesOf(system, system)
  const given = new Map<string, Set<string>>()
  const held = new Map<string, Set<string>>()
  for (const { Type, user_id, role_id, role_owner, scope_type, scope_id, start_at, expires_at } of own) {
    if (Type !== 'UserRoleAssignment' || (typeof expires_at === 'string' && expires_at <= now)) continue
    const at = `${user_id} ${scope_type} ${scope_id}`
    const permissions = (role_owner === 'SYSTEM' ? systemRoles : roles).get(String(role_id)) ?? []
    given.set(at, new Set([...(given.get(at) ?? []), ...permissions]))
    if (typeof start_at !== 'string' || start_at <= now) held.set(at, new Set([...(held.get(at) ?? []), ...permissions]))
  }
  return { roles, given, held }
}

const covers = (pattern: string, wanted: string) => {
  const parts = wanted.split(':')
  return pattern.split(':').every((part, index) => part === '*' || part === parts[index])
}

/** The scopes that a scope lies in, itself first. */
function chainOf(own: readonly Stored[], scope_type: string, scope_id: string): readonly string[] {
  const place = own.find(({ Type, id }) => id === scope_id && (Type === 'BuildingPlace' || Type === 'ProjectPlace'))
  const above = scope_type === 'building' ? [`project ${place?.project_id}`] : []
  return [`${scope_type} ${scope_id}`, ...above, ...(scope_type === 'client' ? [] : [`client ${place?.client_id}`])]
}

/**
 * What is granted after a step and was not before, though its actor did not have it at that place (spec rule 23): by an assignment, or by a role,
 * for which the place is the client.
 */
export function granted(own: readonly Stored[], before: Grants, after: Grants, actor: string, client: string): readonly string[] {
  const has = (scope_type: string, scope_id: string, wanted: string) =>
    chainOf(own, scope_type, scope_id).some((scope) =>
      [...(before.held.get(`${actor} ${scope}`) ?? [])].some((each) => covers(each, wanted)),
    )
  const byRoles = [...after.roles].flatMap(([id, permissions]) =>
    permissions
      .filter((each) => before.roles.get(id)?.includes(each) !== true && !has('client', client, each))
      .map((each) => `role ${id}: ${each}`),
  )
  const byAssignments = [...after.given].flatMap(([at, permissions]) => {
    const [, scope_type = '', scope_id = ''] = at.split(' ')
    // What a role came to grant at once grants everywhere: it is told above.
    return [...permissions]
      .filter((each) => before.given.get(at)?.has(each) !== true && !has(scope_type, scope_id, each))
      .map((each) => `${at}: ${each}`)
  })
  return [...byRoles, ...byAssignments]
}

/** What a flow did for a user who nowhere has the permission that it needs, where what is the user's own is not meant. */
export function unpermitted({ subject, actor }: Step, before: Grants | undefined): readonly string[] {
  if (before === undefined || actor === undefined || plantation.internal.includes(actor)) return []
  // Only flows have grants before them, and each has an entry there.
  const needs: Needs = requiredPermissions[subject as keyof typeof requiredPermissions]
  if (needs === 'operator') return [`${subject} is for operators only`]
  if (typeof needs === 'string' || needs.own === true) return []
  const held = [...before.held].flatMap(([at, permissions]) => (at.startsWith(`${actor} `) ? [...permissions] : []))
  return held.some((each) => covers(each, text(needs))) ? [] : [`${subject} needs ${text(needs)}, which the actor has nowhere`]
}
