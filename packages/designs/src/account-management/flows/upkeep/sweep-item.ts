import { type Change, type Entity, type Id, isFreeholdError, type Malformed, type Runtime } from '@freehold/table'
import { isExpired, removeExpired, type Stored, viewItem } from '@freehold/table/runtime'
import { changeItem } from '../../../flow/change-item.ts'
import { ServiceSubscription, User } from '../../design.ts'
import type { AccountContext } from '../account-host.ts'
import { isOverdue, type Subscription } from '../subscriptions/subscription-status.ts'
import { sweptInvitation } from '../users/invitation.ts'

/** What a sweep has changed. */
export interface Swept {
  readonly subscriptions_expired: number
  readonly invitations_ended: number
  readonly items_removed: number
}
export const nothingSwept: Swept = { subscriptions_expired: 0, invitations_ended: 0, items_removed: 0 }
const one = (what: keyof Swept): Swept => ({ ...nothingSwept, [what]: 1 })

export function addSwept(first: Swept, second: Swept): Swept {
  return {
    subscriptions_expired: first.subscriptions_expired + second.subscriptions_expired,
    invitations_ended: first.invitations_ended + second.invitations_ended,
    items_removed: first.items_removed + second.items_removed,
  }
}

async function sweepSubscription(context: AccountContext, now: string, id: Id<typeof ServiceSubscription>): Promise<boolean> {
  let isNew = false
  await changeItem(context, ServiceSubscription, id, (before): Change<typeof ServiceSubscription> => {
    isNew = isOverdue(before, now)
    return isNew ? { status: 'expired' } : {}
  })
  return isNew
}

/** An invitation that has ended says so. It can be renewed as before: what flows answer depends on when it ends alone. */
async function sweepInvitation(context: AccountContext, now: string, id: string): Promise<boolean> {
  let isNew = false
  await changeItem(context, User, { id }, (before): Change<typeof User> => {
    const change = sweptInvitation(before, now)
    isNew = change.invitation_status !== undefined
    return change
  })
  return isNew
}

/** An item as it lies in the table, and what it is. */
interface Found {
  readonly entity: Entity
  readonly item: Stored
}

async function sweepOne(context: AccountContext, runtime: Runtime, { entity, item }: Found, client_id?: string): Promise<Swept> {
  const now = runtime.now()
  if (isExpired(entity, item, now)) return (await removeExpired(runtime, entity, item)) ? one('items_removed') : nothingSwept
  if (item.deleting !== undefined || item.client_id !== client_id) return nothingSwept
  if (entity === ServiceSubscription) {
    // viewItem has checked each attribute against the entity.
    const subscription = viewItem(entity, item) as unknown as Subscription
    const { scope_type, scope_id, module_id } = subscription
    if (!isOverdue(subscription, now.toISOString())) return nothingSwept
    const id = { scope_type, scope_id, module_id }
    return (await sweepSubscription(context, now.toISOString(), id)) ? one('subscriptions_expired') : nothingSwept
  }
  if (entity === User && typeof item.invitation_expires_at === 'string')
    return (await sweepInvitation(context, now.toISOString(), String(item.id))) ? one('invitations_ended') : nothingSwept
  return nothingSwept
}

export interface SweptItem extends Swept {
  /** An item that does not fit its entity, which is left alone. */
  readonly malformed?: Malformed
}

/** Sweeps one item of a client, or of none. What went meanwhile is left alone. */
export async function sweepItem(context: AccountContext, found: Found, client_id: string | undefined): Promise<SweptItem> {
  try {
    return await sweepOne(context, context.table.runtime, found, client_id)
  } catch (error) {
    if (isFreeholdError(error, 'NotFound') || isFreeholdError(error, 'BeingDeleted')) return nothingSwept
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    const { PK, SK } = found.item
    return { ...nothingSwept, malformed: { key: { PK: String(PK), SK: String(SK) }, reason: error.message } }
  }
}
