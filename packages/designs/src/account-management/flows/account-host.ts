import { type FlowContext, type FlowHost, type Foreseen, flowsFor, type Within } from '@freehold/frame/flow'
import type { Item, Table } from '@freehold/table'
import { access } from '../access.ts'
import { type accountManagement, BuildingPlace, Client, ProjectPlace, User } from '../design.ts'
import type { ScopeIds } from '../snapshot/access-data.ts'
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

const ofAccess = access.host<AccountTable, AccountScope, UserItem>()

/** The items of a chain that allows, but for user and client. */
export const { basisOf } = ofAccess

export const accountHost: AccountHost = Object.freeze({
  ...ofAccess,
  reads: readsOfInput,
  record: auditSteps,
  records: auditForm,
  recordEvent: auditSteps,
  recordsImports: true,
  tokenLives: tokenLivesDefault,
})

/** Each flow and durable job of account-management is written with these. */
export const { flow, itemFlows, job, listFlow } = flowsFor<AccountContext>(accountHost)
