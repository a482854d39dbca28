import { type Evidence, evidence, policy, type Reason } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { Account, User, UserWorkstream } from '../design.ts'
import { isOf } from './definitions.ts'
import type { Facts } from './facts.ts'

export const refusalCodes = ['UserInactive', 'AccountSuspended', 'ForeignUser', 'NoMembership'] as const

/** Why nothing is allowed before any role is looked at. */
export interface Refusal {
  readonly code: (typeof refusalCodes)[number]
  readonly told: Evidence
}

export const refusalReason = ({ code, told: { message } }: Refusal): Reason => policy(code, message)

/** An account that is not active denies everything. */
export function accountRefusals({ id, status }: Item<typeof Account>): readonly Refusal[] {
  if (status === 'active') return []
  return [{ code: 'AccountSuspended', told: evidence('account', Account, { id }, 'inactive', `The account is ${status}.`) }]
}

/** A user who is inactive, past its end or of another account is allowed nothing. The end day counts whole, in UTC. */
export function userRefusals(account: string, { id, status, endDate, accountId }: Item<typeof User>, now: Date): readonly Refusal[] {
  const refused = (code: Refusal['code'], state: Evidence['state'], message: string): Refusal => {
    return { code, told: evidence('user', User, { id }, state, message) }
  }
  const today = now.toISOString().slice(0, 10)
  return [
    ...(status === 'active'
      ? []
      : [refused('UserInactive', 'inactive', `The user ${status === undefined ? 'has no status' : `is ${status}`}.`)]),
    ...(endDate === undefined || endDate >= today ? [] : [refused('UserInactive', 'expired', `The user's last day was ${endDate}.`)]),
    ...(accountId === account ? [] : [refused('ForeignUser', 'denies', 'The user is of another account.')]),
  ]
}

/** The membership must be of the account, since ids of workstreams are unique within an account only. */
function membershipRefusals(account: string, { userId, workstream, membership }: Facts): readonly Refusal[] {
  if (workstream?.state !== 'found' || (membership?.state === 'found' && isOf(account)(membership.item))) return []
  const id = { userId, workstreamId: workstream.item.id }
  const state = membership === undefined || membership.state === 'found' ? 'denies' : membership.state
  return [{ code: 'NoMembership', told: evidence('membership', UserWorkstream, id, state, 'The user is not a member of the workstream.') }]
}

/** The refusals of a user at an account or workstream that are there. */
export function refusalsOf(account: string, facts: Facts, now: Date): readonly Refusal[] {
  if (facts.user.state !== 'found' || facts.account?.state !== 'found') return []
  return [...userRefusals(account, facts.user.item, now), ...accountRefusals(facts.account.item), ...membershipRefusals(account, facts)]
}
