import type { NeededPermission, Needs } from '../../flow/flow.ts'

const module = 'account-management'
/** A permission of this design's own module, at the place that a flow is about. */
const at = (place: 'client' | 'project' | 'building', action: string, resource: string): NeededPermission =>
  Object.freeze({ module, action, resource, at: place })
/** The same, where a user needs none for what is its own. */
const ownOr = (place: 'client' | 'project' | 'building', action: string, resource: string): NeededPermission =>
  Object.freeze({ ...at(place, action, resource), own: true })

/**
 * Which permission a user needs for which flow, and where it must hold: at the client as a whole, or at the project or building that the flow
 * is about (a permission at a place holds for all beneath it). Operators need none. Where a flow is for an internal user, a system role or
 * the catalogue, only operators may, whatever stands here (spec rule 23).
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

  setSetting: ownOr('building', 'write', 'setting'),
  lockSetting: at('building', 'lock', 'setting'),
  unlockSetting: at('building', 'lock', 'setting'),
  unsetSetting: ownOr('building', 'write', 'setting'),
  resolveSetting: ownOr('building', 'read', 'setting'),
  resolveSettings: ownOr('building', 'read', 'setting'),

  assignRole: at('building', 'assign', 'role'),
  extendAssignment: at('building', 'assign', 'role'),
  revokeRole: at('building', 'revoke', 'role'),
  revokeAllRoles: at('client', 'revoke', 'role'),

  startTrial: at('building', 'start', 'subscription'),
  activateSubscription: at('building', 'activate', 'subscription'),
  expireSubscription: at('building', 'cancel', 'subscription'),
  renewSubscription: at('building', 'renew', 'subscription'),
  cancelSubscription: at('building', 'cancel', 'subscription'),
  changeSubscriptionTier: at('building', 'update', 'subscription'),
  consumeQuota: at('building', 'consume', 'subscription'),
  activeSubscriptions: at('building', 'read', 'subscription'),

  createSession: 'operator',
  listSessions: ownOr('client', 'read', 'session'),
  endSession: ownOr('client', 'revoke', 'session'),
  revokeSession: ownOr('client', 'revoke', 'session'),
  revokeSessions: ownOr('client', 'revoke', 'session'),

  createToken: ownOr('client', 'create', 'token'),
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
