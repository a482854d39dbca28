import { type ConnectedTable, FreeholdError, type Item } from '@freehold/table'
import type { Decider } from '../../decision/decision.ts'
import { type Caller, checkActor } from '../../flow/actor.ts'
import type { User } from '../design.ts'
import { accountManagement } from '../design.ts'
import type { AccountTable } from './account-table.ts'
import { deciderOf } from './decider-of.ts'
import type { Grounds } from './grounds.ts'

/** What an account-management flow runs in. */
export interface AccountContext {
  /** What the flow reads and writes: behind the wall of the client that it is for, where the caller is a user. */
  readonly table: AccountTable
  /** The table as it was handed in: decisions are asked of it, and durable jobs started on it. */
  readonly whole: AccountTable
  readonly caller: Caller
  /** The caller, where it is a user. One without a client is internal: it acts at clients by the system roles that it was given. */
  readonly user?: Item<typeof User> | undefined
  /** What a calling user's permission rests on, as far as the flow has decided: checked with each write. */
  readonly grounds?: Grounds
  /** Asked about a caller that is a user. */
  decider(): Decider
  /** The flow's name: what the audit calls what was done. */
  readonly flow: string
}

export interface AccountOptions {
  /**
   * Instead of the design's own decisions, for what the caller's calls decide themselves. Durable jobs that a call starts ask the design's own as they
   * go on: whoever resumes one may be another process, which has no other decider, and what a job may do is not to depend on who happens to do it. So this
   * one decides whether a job starts, and what it alone would allow or deny is neither allowed nor denied to the job. One that tells by what it
   * allows, as `why` and `access` with evidence do, has that checked with the write; without, only that user and client are active.
   */
  readonly decider?: Decider | undefined
}

function denied(message: string, reason: string): FreeholdError {
  return new FreeholdError('Denied', message, { reason })
}

/** The calling user, as it is now. Throws `Denied` for one that is not there, or not active. */
export async function actingUser(table: AccountTable, id: string): Promise<Item<typeof User>> {
  const user = await table.User.get({ id }, { consistent: true })
  if (user === undefined) throw denied('There is no such user here.', 'UnknownUser')
  if (user.deleting !== undefined) throw denied('This user is being deleted.', 'BeingDeleted')
  if (user.status !== 'active') throw denied(`This user is ${user.status}.`, 'UserNotActive')
  return user
}

/** A user works behind the wall of its client from the start; an internal one behind that of the place, once it is known. */
export async function beginAccountFlow(
  table: ConnectedTable,
  caller: Caller,
  flow: string,
  { decider }: AccountOptions = {},
): Promise<AccountContext> {
  if (table.design.name !== accountManagement.name)
    throw new FreeholdError('UnknownName', `'${flow}' is a flow of ${accountManagement.name}, not of ${table.design.name}.`, { name: flow })
  // The name says so; features that were left out are asked for only after a look whether they are there.
  const whole = table as unknown as AccountTable
  const { actor } = caller
  checkActor(actor)
  const user = actor.kind === 'user' ? await actingUser(whole, actor.user_id) : undefined
  const scoped = user?.client_id === undefined ? whole : whole.forTenant(user.client_id)
  return { table: scoped, whole, caller, user, decider: () => decider ?? deciderOf(whole.runtime), flow }
}

/** The same, behind the wall of the client that an internal user's flow turned out to be for. */
export function inTenantScopeOf(context: AccountContext, client_id: string): AccountContext {
  return context.user === undefined ? context : { ...context, table: context.table.forTenant(client_id) }
}
