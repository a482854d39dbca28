import type { NeededPermission, Needs } from '../../flow/flow.ts'

const module = 'account-management'
/** `scope`: whichever of these the input names; of a user, its client. */
type At = 'client' | 'project' | 'building' | 'scope'

/** A permission of this design's own module, at the place that a flow is about. */
const at = (place: At, action: string, resource: string): NeededPermission => Object.freeze({ module, action, resource, at: place })
/** The same, where a user needs none for what is its own. */
const ownOr = (place: At, action: string, resource: string): NeededPermission =>
  Object.freeze({ ...at(place, action, resource), own: true })

/**
 * Which permission a user needs for which flow, and where it must hold: at the client as a whole, or at the project, building or scope that the
 * flow is about (a permission at a place holds for all beneath it). Operators need none. `own`: a user for itself, and nobody else but operators.
 * Where a flow is for an internal user, a system role or the catalogue, only operators may, whatever stands here (spec rule 23). A role that an
 * internal user has may be taken from it, or end earlier, by whoever may do that to others. What a flow is asked for and is another's to do, it holds
 * its caller to besides, by `permittedToo`.
 */
export const requiredPermissions = {
  createClient: 'operator',
  updateClient: at('client', 'update', 'client'),
  suspendClient: 'operator',
  reactivateClient: 'operator',
  deleteClient: 'operator',
  exportClient: at('client', 'export', 'client'),

  createProject: at('client', 'create', 'project'),
  updateProject: at('project', 'update', 'project'),
  deleteProject: at('client', 'delete', 'project'),

  createBuilding: at('project', 'create', 'building'),
  updateBuilding: at('building', 'update', 'building'),
  moveBuilding: at('client', 'move', 'building'),
  deleteBuilding: at('project', 'delete', 'building'),

  inviteUser: at('client', 'invite', 'user'),
  renewInvitation: at('client', 'invite', 'user'),
  acceptInvitation: 'operator',
  updateUser: at('client', 'update', 'user'),
  changeUserEmail: at('client', 'change-email', 'user'),
  disableUser: at('client', 'disable', 'user'),
  enableUser: at('client', 'enable', 'user'),
  setPassword: 'own',
  setMfa: 'own',
  unsetMfa: 'own',
  moveUser: 'operator',
  deleteUser: at('client', 'delete', 'user'),

  createRole: at('client', 'create', 'role'),
  updateRole: at('client', 'update', 'role'),
  setParentRole: at('client', 'update', 'role'),
  changeRolePermissions: at('client', 'update', 'role'),
  changeRoleForm: at('client', 'update', 'role'),
  deleteRole: at('client', 'delete', 'role'),
  assignableRoles: at('client', 'read', 'role'),

  createPermission: 'operator',
  updatePermission: 'operator',
  deletePermission: 'operator',

  setSetting: ownOr('scope', 'write', 'setting'),
  lockSetting: at('scope', 'lock', 'setting'),
  unlockSetting: at('scope', 'lock', 'setting'),
  unsetSetting: ownOr('scope', 'write', 'setting'),
  resolveSetting: ownOr('scope', 'read', 'setting'),
  resolveSettings: ownOr('scope', 'read', 'setting'),

  assignRole: at('scope', 'assign', 'role'),
  extendAssignment: at('scope', 'assign', 'role'),
  revokeRole: at('scope', 'revoke', 'role'),
  revokeAllRoles: at('client', 'revoke', 'role'),

  startTrial: at('scope', 'start', 'subscription'),
  activateSubscription: at('scope', 'activate', 'subscription'),
  expireSubscription: at('scope', 'cancel', 'subscription'),
  renewSubscription: at('scope', 'renew', 'subscription'),
  cancelSubscription: at('scope', 'cancel', 'subscription'),
  changeSubscriptionTier: at('scope', 'update', 'subscription'),
  consumeQuota: at('scope', 'consume', 'subscription'),
  activeSubscriptions: at('scope', 'read', 'subscription'),

  createSession: 'operator',
  listSessions: ownOr('client', 'read', 'session'),
  endSession: ownOr('client', 'revoke', 'session'),
  revokeSession: ownOr('client', 'revoke', 'session'),
  revokeSessions: ownOr('client', 'revoke', 'session'),

  // Whoever has another's token acts as that other: no permission is enough for it (spec rule 23).
  createToken: 'own',
  verifyToken: 'operator',
  listTokens: ownOr('client', 'read', 'token'),
  revokeToken: ownOr('client', 'revoke', 'token'),
  revokeTokens: ownOr('client', 'revoke', 'token'),

  createZone: at('building', 'create', 'zone'),
  updateZone: at('building', 'update', 'zone'),
  moveZone: at('building', 'update', 'zone'),
  zoneTree: at('building', 'read', 'zone'),
  deleteZone: at('building', 'delete', 'zone'),

  createDevice: at('building', 'create', 'device'),
  updateDevice: at('building', 'update', 'device'),
  assignDeviceZone: at('building', 'update', 'device'),
  deviceSeen: at('building', 'report', 'device'),
  deleteDevice: at('building', 'delete', 'device'),

  sweep: 'operator',
} as const satisfies Readonly<Record<string, Needs>>

export type AccountFlowName = keyof typeof requiredPermissions
