import { actorNamedBy, type FlowFunctions, type OfferedFlows, offerFlows } from '@freehold/frame/flow'
import { leaving } from '@freehold/frame/leaving'
import { uuid } from '@freehold/table'
import { accountManagement, User, UserEmail } from '../design.ts'
import { type AccountContext, accountHost } from './account-host.ts'
import { assignmentFlows, revokingAllRoles } from './assignments/assignments.ts'
import { revokingAllSessions, sessionFlows } from './credentials/sessions.ts'
import { signingOutClient } from './credentials/signing-out.ts'
import { type TokenLives, tokenLivesOf } from './credentials/token-life.ts'
import { revokingAllTokens, tokenFlows } from './credentials/tokens.ts'
import { assignableRoles } from './roles/assignable-roles.ts'
import { changingRoleLinks } from './roles/change-links.ts'
import { changeRoleForm, changingRoleForm } from './roles/change-role-form.ts'
import { createRole, creatingLinkedRole } from './roles/create-role.ts'
import { deleteRole } from './roles/delete-role.ts'
import { permissionFlows } from './roles/permissions.ts'
import { reassigningRole } from './roles/reassign-role.ts'
import { roleFlows } from './roles/roles.ts'
import { buildingFlows } from './scopes/buildings.ts'
import { clientFlows } from './scopes/clients.ts'
import { deviceFlows } from './scopes/devices.ts'
import { projectFlows } from './scopes/projects.ts'
import { zoneFlows } from './scopes/zones.ts'
import { settingQuestions } from './settings/resolve-settings.ts'
import { settingFlows } from './settings/settings.ts'
import { subscriptionFlows } from './subscriptions/subscriptions.ts'
import { exportClient } from './upkeep/export-client.ts'
import { sweep } from './upkeep/sweep.ts'
import { credentialFlows } from './users/credentials.ts'
import { identityFlows, signing } from './users/identities.ts'
import { moveUser, movingUser } from './users/move-user.ts'
import { userFlows } from './users/users.ts'

const { flows: leavingFlows, job: erasingUser } = leaving<AccountContext, typeof User>(accountHost, User)

/** The flows of account-management, by name. */
export const accountFlows = {
  ...clientFlows,
  exportClient,
  ...projectFlows,
  ...buildingFlows,
  ...userFlows,
  ...credentialFlows,
  ...identityFlows,
  moveUser,
  ...leavingFlows,
  createRole,
  ...roleFlows,
  changeRoleForm,
  deleteRole,
  assignableRoles,
  ...permissionFlows,
  ...settingFlows,
  ...settingQuestions,
  ...assignmentFlows,
  ...subscriptionFlows,
  ...sessionFlows,
  ...tokenFlows,
  ...zoneFlows,
  ...deviceFlows,
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
      erasingUser,
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
    ...actorNamedBy({ id: uuid(), idWords: 'UUID', address: UserEmail, user: 'id' }),
    identities: signing.identities,
  })
}

export const offeredAccountFlows = offerAccountFlows()
