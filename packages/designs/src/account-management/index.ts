import { type Administration, type ApiName, type DecidingModule, openerOf, type Words } from '@freehold/frame'
import type { CredentialStore } from '@freehold/frame/credentials'
import type { ConnectedTable } from '@freehold/table'
import { access } from './access.ts'
import { accountCredentials } from './credential-store.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'
import { type AccountOptions, type accountFlows, offerAccountFlows, offeredAccountFlows } from './flows/flows.ts'
import { words } from './words.ts'

export type {
  AccountAccessQuestion,
  AccountSnapshotQuestion,
  AccountWhatQuestion,
  AccountWhereQuestion,
  AccountWhoQuestion,
  EntitledUser,
  GrantingScope,
  HeldPermission,
} from './decide.ts'
export { type AccountDecider, decideAccountManagement } from './decide.ts'
export * from './design.ts'
export type { AccountTable } from './flows/account-host.ts'
export type { TokenLives } from './flows/credentials/token-life.ts'
export { type AccountFlows, type AccountOptions, accountFlows, offeredAccountFlows } from './flows/flows.ts'
export { type AccountMatrixOptions, importAccountMatrix, importedPermission } from './importing/import-matrix.ts'
export type { Permission as PermissionParts } from './permission/permission.ts'
export type { AccessData, AccessGrant, GivingAssignment, ScopeIds } from './snapshot/access-data.ts'
export type { AccessSnapshot } from './snapshot/access-snapshot.ts'
export type { AskedScope } from './snapshot/known-scopes.ts'

type AccountManagementModule = DecidingModule<typeof accountManagement, AccountDecider, typeof accountFlows> & {
  readonly apiName: ApiName
  readonly words: Words
  credentials(table: ConnectedTable): CredentialStore
  readonly administration: Administration
}

export const accountManagementModule: AccountManagementModule = Object.freeze({
  design: accountManagement,
  summary: 'Clients, projects and buildings: scoped, time-bound roles, modules, settings, devices, audit, sign-ins.',
  words,
  access,
  apiName: { operations: 'accounts', schemas: 'Account' },
  decider: decideAccountManagement,
  flows: offeredAccountFlows,
  samples: async (table: ConnectedTable) => (await import('./flows/samples.ts')).samplesOn(table),
  authzen: access.authzen,
  credentials: accountCredentials,
  administration: {
    call: (client: string) => ({ flow: 'exportClient', input: { id: client } }),
    names: ['first_name', 'last_name'],
    address: 'email',
    isOwn: (holder: Readonly<Record<string, unknown>>) => holder.user_type !== 'internal',
  },
})

/** The module as a deployer sets it, for a program of its own. Throws `InvalidInput` for an option that makes no sense. */
export const accountManagementWith = (options: AccountOptions = {}): AccountManagementModule =>
  Object.freeze({ ...accountManagementModule, flows: offerAccountFlows(options) })

/** Opens account-management for a program. */
export const open = openerOf(accountManagementWith)
