import type { Evidence } from '@freehold/frame/decision'
import type { BasisItem } from '@freehold/frame/flow'
import { checking, type Entity, type Item, type Step } from '@freehold/table'
import { systemOwner } from '../access.ts'
import { Building, Client, Project, Role, User, UserRoleAssignment } from '../design.ts'

/** A scope as decisions tell it. */
export type ScopeRead = { readonly [N in 'client_id' | 'project_id' | 'building_id']?: string | undefined }

type Values = Readonly<Record<string, unknown>>

/** Ids come from decisions, whose evidence is text: the check refuses an id that is none. */
function checkOf(entity: Entity, id: Values, how: { version?: number; where?: Values }): Step {
  return checking(entity, id as never, how as never)
}

/** The user is active, and of the client that it was of. */
export function userBasis({ id, client_id }: Pick<Item<typeof User>, 'id' | 'client_id'>): BasisItem {
  return { kind: 'user', name: `user ${id}`, check: checkOf(User, { id }, { where: { status: 'active', client_id: client_id ?? null } }) }
}

export function clientBasis(id: string): BasisItem {
  return { kind: 'tenant', name: `client ${id}`, check: checkOf(Client, { id }, { where: { status: 'active' } }) }
}

/** An assignment as decisions tell it. */
interface AssignmentRead {
  readonly id: Readonly<Record<'user_id' | 'scope_type' | 'scope_id' | 'role_id', string>>
  /** Its owner, start and end identify it. Its version does not: an assignment that was revoked and given again counts its versions from 1. */
  readonly as: Evidence['as']
}

export function assignmentBasis({ id, as = {} }: AssignmentRead): BasisItem {
  const { user_id, scope_type, scope_id, role_id } = id
  const { expires_at } = as
  return {
    kind: 'grant',
    name: `assignment ${user_id} ${scope_type} ${scope_id} ${role_id}`,
    check: checkOf(UserRoleAssignment, id, { where: as }),
    until: typeof expires_at === 'string' ? expires_at : undefined,
  }
}

/** Every change of a role's permissions counts as a write of the role, linked ones included, and so does a change of its parent. */
export function roleBasis(role_owner: string, id: string, version: number): BasisItem {
  const key = role_owner === systemOwner ? { id } : { client_id: role_owner, id }
  return { kind: 'definition', name: `role ${role_owner} ${id}`, check: checkOf(Role, key, { version }) }
}

/** Another decider than the design's own may name an assignment otherwise: then it tells nothing to check. */
function isWhole(id: Evidence['id']): id is AssignmentRead['id'] {
  return ['user_id', 'scope_type', 'scope_id', 'role_id'].every((attribute) => id[attribute] !== undefined)
}

/** A project or building of the scope chain. Its key names the scope above it: an item that was moved or removed is not there. */
const scopeItemBasis = (entity: Entity, id: Values): BasisItem => ({
  kind: 'scope',
  name: `${entity.name} ${Object.values(id).join(' ')}`,
  check: checkOf(entity, id, {}),
})

/** The items of a scope chain that lie below the scope of an assignment. */
export function scopeBasis({ client_id, project_id, building_id }: ScopeRead, assigned: string | undefined): readonly BasisItem[] {
  return [
    ...(assigned === 'client' && project_id !== undefined ? [scopeItemBasis(Project, { client_id, id: project_id })] : []),
    ...(assigned !== 'building' && building_id !== undefined ? [scopeItemBasis(Building, { project_id, id: building_id })] : []),
  ]
}

/** The assignment, a role, or a scope below the assignment, of a chain that allows. */
export function evidenceBasis({ entity, id, as, state }: Evidence, chain: readonly Evidence[]): BasisItem | undefined {
  if (state !== 'found') return undefined
  const assigned = chain.find((each) => each.entity === UserRoleAssignment.name)?.id.scope_type
  if (entity === Project.name) return assigned === 'client' ? scopeItemBasis(Project, id) : undefined
  if (entity === Building.name) return assigned === 'building' ? undefined : scopeItemBasis(Building, id)
  if (entity === UserRoleAssignment.name) return isWhole(id) && as !== undefined ? assignmentBasis({ id, as }) : undefined
  const { role_owner, id: role } = id
  const version = as?.version
  const isRole = entity === Role.name && role_owner !== undefined && role !== undefined
  return isRole && typeof version === 'number' ? roleBasis(role_owner, role, version) : undefined
}
