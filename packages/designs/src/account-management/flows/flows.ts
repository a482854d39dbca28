import type { ConnectedTable, JobHandlers } from '@freehold/table'
import type { Caller } from '../../flow/actor.ts'
import type { FlowFunctions } from '../../flow/flow.ts'
import { checkOffered, offerFlows } from '../../flow/offered-flows.ts'
import { type AccountContext, type AccountOptions, beginAccountFlow } from './account-context.ts'
import { actorNamed } from './actor-named.ts'
import { assignRole, extendAssignment, revokeAllRoles, revokeAllRolesJob, revokeRole } from './assignments/assignments.ts'
import { createSession, endSession, listSessions, revokeSession, revokeSessions, revokeSessionsJob } from './credentials/sessions.ts'
import { createToken, listTokens, revokeToken, revokeTokens, revokeTokensJob, verifyToken } from './credentials/tokens.ts'
import { assignableRoles } from './roles/assignable-roles.ts'
import { changeRoleLinksJob } from './roles/change-links.ts'
import { changeRoleForm, changeRoleFormJob } from './roles/change-role-form.ts'
import { createLinkedRoleJob, createRole } from './roles/create-role.ts'
import { deleteRole } from './roles/delete-role.ts'
import { createPermission, deletePermission, updatePermission } from './roles/permissions.ts'
import { reassignRoleJob } from './roles/reassign-role.ts'
import { changeRolePermissions, setParentRole, updateRole } from './roles/roles.ts'
import { createBuilding, deleteBuilding, moveBuilding, updateBuilding } from './scopes/buildings.ts'
import { createClient, deleteClient, reactivateClient, suspendClient, updateClient } from './scopes/clients.ts'
import { assignDeviceZone, createDevice, deleteDevice, deviceSeen, updateDevice } from './scopes/devices.ts'
import { createProject, deleteProject, updateProject } from './scopes/projects.ts'
import { createZone, deleteZone, moveZone, updateZone, zoneTree } from './scopes/zones.ts'
import { resolveSetting, resolveSettings } from './settings/resolve-settings.ts'
import { lockSetting, setSetting, unlockSetting, unsetSetting } from './settings/settings.ts'
import {
  activateSubscription,
  activeSubscriptions,
  cancelSubscription,
  changeSubscriptionTier,
  consumeQuota,
  expireSubscription,
  renewSubscription,
  startTrial,
} from './subscriptions/subscriptions.ts'
import { exportClient } from './upkeep/export-client.ts'
import { sweep } from './upkeep/sweep.ts'
import { setMfa, setPassword, unsetMfa } from './users/credentials.ts'
import { moveUser, moveUserJob } from './users/move-user.ts'
import {
  acceptInvitation,
  changeUserEmail,
  deleteUser,
  disableUser,
  enableUser,
  inviteUser,
  renewInvitation,
  updateUser,
} from './users/users.ts'

/** The flows of account-management, by name. */
export const accountFlows = {
  createClient,
  updateClient,
  suspendClient,
  reactivateClient,
  deleteClient,
  exportClient,
  createProject,
  updateProject,
  deleteProject,
  createBuilding,
  updateBuilding,
  moveBuilding,
  deleteBuilding,
  inviteUser,
  renewInvitation,
  acceptInvitation,
  updateUser,
  changeUserEmail,
  disableUser,
  enableUser,
  setPassword,
  setMfa,
  unsetMfa,
  moveUser,
  deleteUser,
  createRole,
  updateRole,
  setParentRole,
  changeRolePermissions,
  changeRoleForm,
  deleteRole,
  assignableRoles,
  assignRole,
  extendAssignment,
  revokeRole,
  revokeAllRoles,
  createPermission,
  updatePermission,
  deletePermission,
  setSetting,
  lockSetting,
  unlockSetting,
  unsetSetting,
  resolveSetting,
  resolveSettings,
  startTrial,
  activateSubscription,
  renewSubscription,
  expireSubscription,
  cancelSubscription,
  changeSubscriptionTier,
  consumeQuota,
  activeSubscriptions,
  createSession,
  listSessions,
  endSession,
  revokeSession,
  revokeSessions,
  createToken,
  verifyToken,
  listTokens,
  revokeToken,
  revokeTokens,
  createZone,
  updateZone,
  moveZone,
  zoneTree,
  deleteZone,
  createDevice,
  updateDevice,
  assignDeviceZone,
  deviceSeen,
  deleteDevice,
  sweep,
} as const

export type AccountFlows = FlowFunctions<typeof accountFlows>

/** What does the durable jobs of these flows: `connect` is given it by whoever runs flows or resumes jobs. */
export const accountJobHandlers: JobHandlers = {
  moveUser: moveUserJob,
  reassignRole: reassignRoleJob,
  createLinkedRole: createLinkedRoleJob,
  changeRoleLinks: changeRoleLinksJob,
  changeRoleForm: changeRoleFormJob,
  revokeAllRoles: revokeAllRolesJob,
  revokeSessions: revokeSessionsJob,
  revokeTokens: revokeTokensJob,
}

/** The untyped face, for the command and for HTTP. */
export const offeredAccountFlows = offerFlows<AccountContext>(accountFlows, beginAccountFlow, actorNamed, accountJobHandlers)

/**
 * The flows for one caller of a table, typed. A caller who is nobody is refused by the first call: `Denied`. Those of a feature that the deployer
 * left out answer `UnknownName`.
 */
export function flowsOf(table: ConnectedTable, caller: Caller, options: AccountOptions = {}): AccountFlows {
  const bound = Object.entries(accountFlows).map(([name, flow]) => [
    name,
    async (input: unknown) => {
      checkOffered(table.design, flow)
      // Each flow validates its input itself.
      return flow.run(await beginAccountFlow(table, caller, name, options), input as never)
    },
  ])
  // Each function is of its flow, from which FlowFunctions takes its type.
  return Object.freeze(Object.fromEntries(bound)) as unknown as AccountFlows
}
