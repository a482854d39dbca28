import { uuid } from '@freehold/table'
import { actorNamedBy } from '../../flow/actor-named.ts'
import type { FlowFunctions } from '../../flow/flow.ts'
import { type OfferedFlows, offerFlows } from '../../flow/offered-flows.ts'
import { accountManagement, UserEmail } from '../design.ts'
import { type AccountContext, accountHost } from './account-host.ts'
import { assignRole, extendAssignment, revokeAllRoles, revokeRole, revokingAllRoles } from './assignments/assignments.ts'
import {
  createSession,
  endSession,
  listSessions,
  revokeSession,
  revokeSessions,
  revokingAllSessions,
  verifySession,
} from './credentials/sessions.ts'
import { signingOutClient } from './credentials/signing-out.ts'
import { type TokenLives, tokenLivesOf } from './credentials/token-life.ts'
import { createToken, listTokens, revokeToken, revokeTokens, revokingAllTokens, verifyToken } from './credentials/tokens.ts'
import { assignableRoles } from './roles/assignable-roles.ts'
import { changingRoleLinks } from './roles/change-links.ts'
import { changeRoleForm, changingRoleForm } from './roles/change-role-form.ts'
import { createRole, creatingLinkedRole } from './roles/create-role.ts'
import { deleteRole } from './roles/delete-role.ts'
import { createPermission, deletePermission, updatePermission } from './roles/permissions.ts'
import { reassigningRole } from './roles/reassign-role.ts'
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
import { moveUser, movingUser } from './users/move-user.ts'
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
  createPermission,
  updatePermission,
  deletePermission,
  setSetting,
  lockSetting,
  unlockSetting,
  unsetSetting,
  resolveSetting,
  resolveSettings,
  assignRole,
  extendAssignment,
  revokeRole,
  revokeAllRoles,
  startTrial,
  activateSubscription,
  expireSubscription,
  renewSubscription,
  cancelSubscription,
  changeSubscriptionTier,
  consumeQuota,
  activeSubscriptions,
  createSession,
  listSessions,
  endSession,
  verifySession,
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

export interface AccountOptions {
  /** The longest life of a token of each type, in seconds. Unless given: of a JWT a day, of a refresh token 90, of an `api` token 365. */
  readonly tokenLifeMax_s?: Partial<TokenLives> | undefined
}

/** The flows and durable jobs of account-management, as a deployer sets them. Throws `InvalidInput` for an option that makes no sense. */
export const offerAccountFlows = ({ tokenLifeMax_s }: AccountOptions = {}): OfferedFlows<typeof accountFlows> => {
  const host = Object.freeze({ ...accountHost, tokenLives: tokenLivesOf(tokenLifeMax_s) })
  return offerFlows<AccountContext, typeof accountFlows>(host, accountFlows, {
    jobs: [
      movingUser,
      reassigningRole,
      creatingLinkedRole,
      changingRoleLinks,
      changingRoleForm,
      revokingAllRoles.job,
      revokingAllSessions.job,
      revokingAllTokens.job,
      signingOutClient,
    ],
    governed: Object.values(accountManagement.entities),
    actorNamed: actorNamedBy({ id: uuid(), idWords: 'UUID', address: UserEmail, user: 'id' }),
  })
}

export const offeredAccountFlows = offerAccountFlows()
