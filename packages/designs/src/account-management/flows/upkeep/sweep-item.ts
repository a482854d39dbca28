import { changeItem, idOfItem } from '@freehold/frame/flow'
import { type Change, type Entity, type Id, type Item, isFreeholdError, type Malformed } from '@freehold/table'
import { isExpired, removeExpired, type Stored, viewItem } from '@freehold/table/runtime'
import { ServiceSubscription, User } from '../../design.ts'
import type { AccountContext } from '../account-host.ts'
import { isOverdue, type Subscription } from '../subscriptions/subscription-status.ts'
import { sweptInvitation } from '../users/invitation.ts'

/** The counters of a sweep. */
export const nothingSwept = { subscriptions_expired: 0, invitations_ended: 0, items_removed: 0 }
export type Swept = Readonly<typeof nothingSwept>

/** Changes an item as it is by now. True if that alters something. */
async function isChanged<E extends Entity>(context: AccountContext, entity: E, id: Id<E>, changeOf: (before: Item<E>) => Change<E>) {
  let isNew = false
  await changeItem(context, entity, id, (before) => {
    const change = changeOf(before)
    isNew = Object.keys(change).length > 0
    return change
  })
  return isNew
}

/** An item as it lies in the table, and what it is. */
interface Found {
  readonly entity: Entity
  readonly item: Stored
}

async function sweepOne(context: AccountContext, { entity, item }: Found, client_id?: string): Promise<keyof Swept | undefined> {
  const { runtime } = context.table
  const now = runtime.now()
  if (isExpired(entity, item, now)) return (await removeExpired(runtime, entity, item)) ? 'items_removed' : undefined
  if (item.deleting !== undefined || item.client_id !== client_id) return undefined
  if (entity === ServiceSubscription) {
    // viewItem has checked each attribute against the entity.
    const subscription = viewItem(entity, item) as unknown as Subscription
    if (!isOverdue(subscription, now.toISOString())) return undefined
    const id = idOfItem(ServiceSubscription, subscription)
    const change = (before: Subscription) => (isOverdue(before, now.toISOString()) ? { status: 'expired' as const } : {})
    return (await isChanged(context, ServiceSubscription, id, change)) ? 'subscriptions_expired' : undefined
  }
  if (entity !== User || typeof item.invitation_expires_at !== 'string') return undefined
  const isEnded = await isChanged(context, User, { id: String(item.id) }, (before) => sweptInvitation(before, now.toISOString()))
  return isEnded ? 'invitations_ended' : undefined
}

/** The counter of what a sweep did to an item, if it did something; `malformed`: an item that does not fit its entity, which is left alone. */
export interface SweptItem {
  readonly swept?: keyof Swept | undefined
  readonly malformed?: Malformed
}

/** Sweeps one item of a client, or of none. What went meanwhile is left alone. */
export async function sweepItem(context: AccountContext, found: Found, client_id: string | undefined): Promise<SweptItem> {
  try {
    return { swept: await sweepOne(context, found, client_id) }
  } catch (error) {
    if (isFreeholdError(error, 'NotFound') || isFreeholdError(error, 'BeingDeleted')) return {}
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    const { PK, SK } = found.item
    return { malformed: { key: { PK: String(PK), SK: String(SK) }, reason: error.message } }
  }
}
