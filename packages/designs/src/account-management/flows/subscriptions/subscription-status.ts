import { FreeholdError, type Item } from '@freehold/table'
import { ServiceSubscription } from '../../design.ts'

export type Subscription = Item<typeof ServiceSubscription>
/** Without a status nobody is entitled. */
type Status = NonNullable<Subscription['status']>
type Lasting = Pick<Subscription, 'status' | 'end_date' | 'auto_renew'>

/** Past its end, and it does not renew itself, while its status says otherwise. */
export function isOverdue({ status, end_date, auto_renew }: Lasting, now: string): boolean {
  return status !== 'expired' && !auto_renew && end_date !== undefined && end_date <= now
}

/** The status that counts: an overdue subscription is expired at once, and not only when a sweep has written so (spec rule 15). */
export function statusAt(subscription: Lasting, now: string): Status {
  return isOverdue(subscription, now) ? 'expired' : (subscription.status ?? 'expired')
}

/** By the status of a subscription: the flows that go on from there. */
const instead: Readonly<Record<Status, string>> = {
  trial: 'activateSubscription makes it a subscription',
  active: 'changeSubscriptionTier gives it another tier, and renewSubscription a later end',
  expired: 'renewSubscription lets it run again',
}

/** A conflict with the state of the subscription, and not with another writer: the flow is not retried. */
export function refused(message: string, details: Readonly<Record<string, unknown>>): FreeholdError {
  return new FreeholdError('CheckFailed', message, { entity: ServiceSubscription.name, named: true, ...details })
}

/** Throws `CheckFailed` unless the subscription has one of these statuses now. */
export function statusIs(now: string, ...allowed: readonly Status[]): (before: Subscription) => void {
  return (before) => {
    const status = statusAt(before, now)
    if (allowed.includes(status)) return
    throw refused(`This subscription is of status ${status}, and must be ${allowed.join(' or ')}: ${instead[status]}.`, { status })
  }
}

/** The error for a subscription that is to begin and is there already. */
export function alreadySubscribed(there: Subscription, now: string): FreeholdError {
  const status = statusAt(there, now)
  const message = `This ${there.scope_type} has a subscription of this module already, of status ${status}: ${instead[status]}.`
  return new FreeholdError('AlreadyExists', message, { entity: ServiceSubscription.name, status })
}
