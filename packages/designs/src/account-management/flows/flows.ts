import type { ConnectedTable, JobHandlers } from '@freehold/table'
import type { Caller } from '../../flow/actor.ts'
import type { FlowFunctions } from '../../flow/flow.ts'
import { checkOffered, offerFlows } from '../../flow/offered-flows.ts'
import { type AccountContext, type AccountOptions, beginAccountFlow } from './account-context.ts'
import { actorNamed } from './actor-named.ts'
import { assignableRoles } from './assignable-roles.ts'
import { assignRole, extendAssignment, revokeAllRoles, revokeAllRolesJob, revokeRole } from './assignments.ts'
import { createBuilding, deleteBuilding, moveBuilding, updateBuilding } from './buildings.ts'
import { changeRoleLinksJob } from './change-links.ts'
import { changeRoleForm, changeRoleFormJob } from './change-role-form.ts'
import { createClient, deleteClient, reactivateClient, suspendClient, updateClient } from './clients.ts'
import { createLinkedRoleJob, createRole } from './create-role.ts'
import { setMfa, setPassword, unsetMfa } from './credentials.ts'
import { deleteRole } from './delete-role.ts'
import { assignDeviceZone, createDevice, deleteDevice, deviceSeen, updateDevice } from './devices.ts'
import { exportClient } from './export-client.ts'
import { moveUser, moveUserJob } from './move-user.ts'
import { createPermission, deletePermission, updatePermission } from './permissions.ts'
import { createProject, deleteProject, updateProject } from './projects.ts'
import { reassignRoleJob } from './reassign-role.ts'
import { resolveSetting, resolveSettings } from './resolve-settings.ts'
import { changeRolePermissions, setParentRole, updateRole } from './roles.ts'
import { createSession, endSession, listSessions, revokeSession, revokeSessions, revokeSessionsJob } from './sessions.ts'
import { lockSetting, setSetting, unlockSetting, unsetSetting } from './settings.ts'
import {
  activateSubscription,
  activeSubscriptions,
  cancelSubscription,
  changeSubscriptionTier,
  consumeQuota,
  expireSubscription,
  renewSubscription,
  startTrial,
} from './subscriptions.ts'
import { sweep } from './sweep.ts'
import { createToken, listTokens, revokeToken, revokeTokens, revokeTokensJob, verifyToken } from './tokens.ts'
import { acceptInvitation, changeUserEmail, deleteUser, disableUser, enableUser, inviteUser, renewInvitation, updateUser } from './users.ts'
import { createZone, deleteZone, moveZone, updateZone, zoneTree } from './zones.ts'

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
