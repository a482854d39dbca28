import type { Entity, Item } from '@freehold/table'
import type { Evidence, Reason } from '../../decision/decision.ts'
import { policy } from '../../decision/fault.ts'
import { Account, User, UserWorkstream } from '../design.ts'
import { isOf } from './definitions.ts'
import type { Facts } from './facts.ts'

export const refusalCodes = ['UserInactive', 'AccountSuspended', 'ForeignUser', 'NoMembership'] as const

/** Why nothing is allowed, whatever the roles say. */
export interface Refusal {
  readonly code: (typeof refusalCodes)[number]
  readonly step: string
  readonly entity: Entity
  readonly id: Readonly<Record<string, string>>
  readonly state: Evidence['state']
  readonly message: string
}

export const refusalReason = ({ code, message }: Refusal): Reason => policy(code, message)

/** An account that is not active denies everything. */
export function accountRefusals({ id, status }: Item<typeof Account>): readonly Refusal[] {
  if (status === 'active') return []
  return [
    { code: 'AccountSuspended', step: 'account', entity: Account, id: { id }, state: 'inactive', message: `The account is ${status}.` },
  ]
}

/**
 * A user who is inactive, past its end or of another account is allowed nothing. The end day counts whole.
 * @param today the day in UTC, as days are stored
 */
export function userRefusals(account: string, { id, status, endDate, accountId }: Item<typeof User>, today: string): readonly Refusal[] {
  const refused = (code: Refusal['code'], state: Refusal['state'], message: string): Refusal => {
    return { code, step: 'user', entity: User, id: { id }, state, message }
  }
  return [
    ...(status === 'active' ? [] : [refused('UserInactive', 'inactive', `The user is ${status}.`)]),
    ...(endDate === undefined || endDate >= today ? [] : [refused('UserInactive', 'expired', `The user's last day was ${endDate}.`)]),
    ...(accountId === account ? [] : [refused('ForeignUser', 'denies', 'The user is of another account.')]),
  ]
}

/** The membership must be of the account, since ids of workstreams are unique within an account only. */
function membershipRefusals(account: string, { userId, workstream, membership }: Facts): readonly Refusal[] {
  if (workstream?.state !== 'found' || (membership?.state === 'found' && isOf(account)(membership.item))) return []
  const id = { userId, workstreamId: workstream.item.id }
  const state = membership === undefined || membership.state === 'found' ? 'denies' : membership.state
  const message = 'The user is not a member of the workstream.'
  return [{ code: 'NoMembership', step: 'membership', entity: UserWorkstream, id, state, message }]
}

/** The refusals of a user at an account or workstream that are there. */
export function refusalsOf(account: string, facts: Facts, today: string): readonly Refusal[] {
  if (facts.user.state !== 'found' || facts.account.state !== 'found') return []
  return [...userRefusals(account, facts.user.item, today), ...accountRefusals(facts.account.item), ...membershipRefusals(account, facts)]
}
