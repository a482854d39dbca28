import type { Stored } from '@freehold/table/runtime'

// Who was given what where and for how long at a client, as the documents' own items say: read a second time, without the code under test.

/** A pattern that somebody was given: from `start` up to but not including `end`, each an instant, or what sorts before or after all of them. */
export interface Given {
  readonly pattern: string
  readonly start: string
  readonly end: string
}
const always = ''
const never = '~'

export interface Grants {
  readonly now: string
  /** The patterns that each role of the client grants, with its `id`. */
  readonly roles: ReadonlyMap<string, readonly string[]>
  /** `scope_type scope_id` of each place that stands, with those that it lies in, itself first. */
  readonly places: ReadonlyMap<string, readonly string[]>
  /** `user scope_type scope_id`, and what the user was given right there, whether it has begun or is over. */
  readonly given: ReadonlyMap<string, readonly Given[]>
  /** Users who may do anything at all, those of no client among them. */
  readonly standing: ReadonlySet<string>
}

type Parts = Readonly<Record<'module' | 'action' | 'resource', unknown>>
export const patternText = ({ module, action, resource }: Parts) => `${module}:${action}:${resource}`

const isGoing = ({ deleting }: Stored) => deleting !== undefined && deleting !== null

/** The permissions that roles grant with all above them. A role that is being deleted grants nothing, and nothing is granted through it. */
function rolesOf(items: readonly Stored[], shared: readonly Stored[]): ReadonlyMap<string, readonly string[]> {
  const roles = items.filter((item) => item.Type === 'Role' && Array.isArray(item.permissions) && !isGoing(item))
  const entries = shared.filter((item) => item.Type === 'Permission' && !isGoing(item))
  // An entry of the catalogue has its parts as a permission has.
  const catalogue = new Map(entries.map((entry) => [entry.id, patternText(entry as unknown as Parts)]))
  const byId = new Map(roles.map((role) => [role.id, role]))
  const linksOfRoles = new Map<unknown, Stored[]>()
  for (const item of items) {
    if (item.Type !== 'RolePermissionLink' || isGoing(item)) continue
    linksOfRoles.set(item.role_id, [...(linksOfRoles.get(item.role_id) ?? []), item])
  }
  const own = (role: Stored): readonly string[] => {
    // Filtered for lists above.
    if (role.permission_form === 'embedded') return (role.permissions as readonly Parts[]).map(patternText)
    return (linksOfRoles.get(role.id) ?? []).flatMap(({ permission_id }) => catalogue.get(permission_id) ?? [])
  }
  const all = (role: Stored, seen: readonly unknown[]): readonly string[] => {
    const parent = byId.get(role.parent_role_id)
    return [...own(role), ...(parent === undefined || seen.includes(parent.id) ? [] : all(parent, [...seen, role.id]))]
  }
  return new Map(roles.map((role) => [String(role.id), [...new Set(all(role, []))]]))
}

/** Places by the items of the places themselves: where a building is, its project's partition says. */
function placesOf(own: readonly Stored[], client: string): Grants['places'] {
  const places = new Map<string, readonly string[]>([[`client ${client}`, [`client ${client}`]]])
  const standing = (type: string) => own.filter((item) => item.Type === type && !isGoing(item))
  for (const { id } of standing('Project')) places.set(`project ${id}`, [`project ${id}`, `client ${client}`])
  for (const { PK, id } of standing('Building')) {
    const project = `project ${String(PK).slice('PROJECT#'.length)}`
    if (places.has(project)) places.set(`building ${id}`, [`building ${id}`, project, `client ${client}`])
  }
  return places
}

/** @param system the items of no client: system roles, the catalogue, internal users */
export function grantsOf(own: readonly Stored[], system: readonly Stored[], client: string, now: string): Grants {
  const roles = rolesOf(own, system)
  const owners = new Map([
    ['SYSTEM', rolesOf(system, system)],
    [client, roles],
  ])
  const given = new Map<string, Given[]>()
  for (const item of own) {
    const { Type, user_id, role_id, role_owner, scope_type, scope_id, start_at, expires_at } = item
    if (Type !== 'UserRoleAssignment' || isGoing(item)) continue
    const at = `${user_id} ${scope_type} ${scope_id}`
    const patterns = owners.get(String(role_owner))?.get(String(role_id)) ?? []
    const [start, end] = [typeof start_at === 'string' ? start_at : always, typeof expires_at === 'string' ? expires_at : never]
    given.set(at, [...(given.get(at) ?? []), ...patterns.map((pattern) => ({ pattern, start, end }))])
  }
  const users = [...own, ...system].filter((item) => item.Type === 'User' && item.status === 'active' && !isGoing(item))
  return { now, roles, places: placesOf(own, client), given, standing: new Set(users.map(({ id }) => String(id))) }
}

/** The assignments of a user at a scope and at those above it; none at a scope that is not there. */
export function givenAt({ places, given }: Grants, user: string, place: string): readonly Given[] {
  return (places.get(place) ?? []).flatMap((scope) => given.get(`${user} ${scope}`) ?? [])
}

/** The same as it counts now: from its start until just before its end. */
export function heldAt(grants: Grants, user: string, place: string): readonly Given[] {
  const { now, standing } = grants
  return standing.has(user) ? givenAt(grants, user, place).filter(({ start, end }) => start <= now && now < end) : []
}

/** True where a pattern covers another one, or what is asked for. */
export function covers(pattern: string, wanted: string): boolean {
  const parts = wanted.split(':')
  return pattern.split(':').every((part, index) => part === '*' || part === parts[index])
}

export const usersOf = ({ given }: Grants): readonly string[] => [...new Set([...given.keys()].map((at) => at.split(' ')[0] ?? ''))]
