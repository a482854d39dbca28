import type { NeededPermission } from '@freehold/frame/flow'

const module = 'account-management'
/** `scope`: whichever of these the input names; of a user, its client. */
type At = 'client' | 'project' | 'building' | 'scope'

/**
 * A permission of this design's own module, at the scope that a flow is about. It holds for everything beneath that scope. Only operators change
 * internal users, system roles and the catalogue (spec rule 23).
 */
export const at = (scope: At, action: string, resource: string): NeededPermission => Object.freeze({ module, action, resource, at: scope })
/** The same, where a user needs none for its own. */
export const ownOr = (scope: At, action: string, resource: string): NeededPermission =>
  Object.freeze({ ...at(scope, action, resource), own: true })

/** Permissions that several flows, or a flow and its durable job, ask for. */
export const enableUser = at('client', 'enable', 'user')
export const lockSetting = at('scope', 'lock', 'setting')
export const deleteDevice = at('building', 'delete', 'device')
export const updateSubscription = at('scope', 'update', 'subscription')
export const createRole = at('client', 'create', 'role')
export const updateRole = at('client', 'update', 'role')
export const deleteRole = at('client', 'delete', 'role')
export const assignRole = at('scope', 'assign', 'role')
export const revokeRole = at('scope', 'revoke', 'role')
export const revokeAllRoles = at('client', 'revoke', 'role')
