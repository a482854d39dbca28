import type { Item, Table } from '@freehold/table'
import type { NeededPermission } from '../../flow/flow.ts'
import { denied, type FlowContext, type FlowHost, type Within } from '../../flow/flow-host.ts'
import { flowsFor } from '../../flow/flows-for.ts'
import { decideAccountManagement } from '../decide.ts'
import { accountManagement, type User } from '../design.ts'
import type { ScopeIds } from '../snapshot/access-data.ts'
import { clientBasis, evidenceBasis, userBasis } from './account-basis.ts'
import { auditSteps } from './audit.ts'

/** The account-management design, connected. Nothing is asked of a feature that was left out. */
export type AccountTable = Table<typeof accountManagement>
type UserItem = Item<typeof User>

/** A client, one of its projects, or one of that one's buildings. */
export type AccountScope = ScopeIds
/** Where a flow is at work. `system`: at no client. */
export type AccountWithin = Within<AccountScope>

/** What an account-management flow runs in. */
export interface AccountContext extends FlowContext<AccountTable, UserItem, AccountScope> {}

const consistent = { consistent: true }

/** A scope as far as a needed permission is asked about there: `scope` as far as it goes. */
function asked({ client_id, project_id, building_id }: AccountScope, at: string) {
  const project = at === 'client' ? undefined : project_id
  const building = at === 'client' || at === 'project' ? undefined : building_id
  return {
    scope: { client: client_id, ...(project === undefined ? {} : { project }), ...(building === undefined ? {} : { building }) },
    level: building !== undefined ? 'building' : project !== undefined ? 'project' : 'client',
  }
}

/** The calling user, as it is now. Throws `Denied` for one that is not there, or not active. */
async function actingUser(table: AccountTable, id: string): Promise<UserItem> {
  const user = await table.User.get({ id }, consistent)
  if (user === undefined) throw denied(undefined, 'UnknownUser', 'There is no such user here.')
  if (user.deleting !== undefined) throw denied(undefined, 'BeingDeleted', 'This user is being deleted.', user.client_id)
  if (user.status !== 'active') throw denied(undefined, 'UserNotActive', `This user is ${user.status}.`, user.client_id)
  return user
}

/** What the engine of flows needs to know of account-management. */
export const accountHost: FlowHost<AccountTable, UserItem, AccountScope> = Object.freeze({
  design: accountManagement,
  decide: decideAccountManagement,
  actingUser,
  questionOf: ({ id: user }: UserItem, { module, action, resource, at }: NeededPermission, within: AccountScope) => {
    const { scope, level } = asked(within, at)
    return { question: { user, ...scope, permission: { module, action, resource } }, level }
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
  recordDenied: auditSteps,
})

/** Each flow and durable job of account-management is written with these. */
export const { flow, itemFlows, job } = flowsFor<AccountContext>(accountHost)
