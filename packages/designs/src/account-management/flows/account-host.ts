import { denied, type FlowContext, type FlowHost, type Foreseen, flowsFor, type NeededPermission, type Within } from '@freehold/frame/flow'
import type { Item, Table } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import { decideAccountManagement } from '../decide.ts'
import { accountManagement, BuildingPlace, Client, ProjectPlace, User } from '../design.ts'
import type { ScopeIds } from '../snapshot/access-data.ts'
import { clientBasis, evidenceBasis, userBasis } from './account-basis.ts'
import { auditForm, auditSteps } from './audit.ts'
import { type TokenLives, tokenLivesDefault } from './credentials/token-life.ts'

/** The account-management design, connected. Nothing is asked of a feature that was left out. */
export type AccountTable = Table<typeof accountManagement>
type UserItem = Item<typeof User>

/** A client, one of its projects, or one of that one's buildings. */
export type AccountScope = ScopeIds
/** The scope of a flow. `system`: no client's. */
export type AccountWithin = Within<AccountScope>

/** Account-management, as the engine of flows needs to know it, and what its deployer has set. */
export interface AccountHost extends FlowHost<AccountTable, UserItem, AccountScope> {
  readonly tokenLives: TokenLives
}

/** The context of an account-management flow. */
export interface AccountContext extends FlowContext<AccountTable, UserItem, AccountScope> {
  readonly host: AccountHost
}

/** The calling user, as it is now. Throws `Denied` for one that is not there, or not active. */
async function actingUser(table: AccountTable, id: string): Promise<UserItem> {
  const user = await table.User.get({ id }, consistent)
  if (user === undefined) throw denied(undefined, 'UnknownUser', 'There is no such user here.')
  if (user.deleting !== undefined) throw denied(undefined, 'BeingDeleted', 'This user is being deleted.', user.client_id)
  if (user.status !== 'active')
    throw denied(undefined, 'UserNotActive', `This user is ${user.status ?? 'not known to be active'}.`, user.client_id)
  return user
}

/** A scope that an input names is read by each flow, and so is the user that a flow is about. */
function readsOfInput({ client_id, project_id, building_id, user_id, scope_type, scope_id }: Readonly<Record<string, unknown>>): Foreseen {
  const of = (type: string, id: unknown) => (scope_type === type ? scope_id : id)
  return [
    [Client, { id: of('client', client_id) }],
    [ProjectPlace, { id: of('project', project_id) }],
    [BuildingPlace, { id: of('building', building_id) }],
    [User, { id: of('user', user_id) }],
  ]
}

export const accountHost: AccountHost = Object.freeze({
  design: accountManagement,
  decide: decideAccountManagement,
  reads: readsOfInput,
  actingUser,
  // A permission is asked about at its level, or above that if the flow is: `scope` goes as far as the flow's.
  questionOf: ({ id: user }: UserItem, { module, action, resource, at }: NeededPermission, { client_id, ...within }: AccountScope) => {
    const project = at === 'client' ? undefined : within.project_id
    const building = at === 'client' || at === 'project' ? undefined : within.building_id
    const level = building !== undefined ? 'building' : project !== undefined ? 'project' : 'client'
    return { question: { user, client: client_id, project, building, permission: { module, action, resource } }, level }
  },
  basisOfUser: userBasis,
  tenants: {
    ofUser: ({ client_id }: UserItem) => client_id,
    of: ({ client_id }: AccountScope) => client_id,
    scope: (client_id: string) => ({ client_id }),
    basis: clientBasis,
    check: async ({ table, flow }: AccountContext, id: string) => {
      const client = await table.Client.get({ id }, consistent)
      if (client?.status !== 'active' || client.deleting !== undefined) throw denied(flow, 'ClientNotActive', 'Your client is not active.')
    },
  },
  basisOf: evidenceBasis,
  record: auditSteps,
  records: auditForm,
  recordEvent: auditSteps,
  recordsImports: true,
  tokenLives: tokenLivesDefault,
})

/** Each flow and durable job of account-management is written with these. */
export const { flow, itemFlows, job, listFlow } = flowsFor<AccountContext>(accountHost)
