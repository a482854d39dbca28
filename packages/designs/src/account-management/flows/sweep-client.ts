import { type Change, type Id, isFreeholdError, isOver, type Runtime, removeOver, viewItem } from '@freehold/table'
import { ServiceSubscription, User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { changeAudited } from './change-audited.ts'
import type { Subscription } from './subscriptions.ts'
import type { Walked } from './walk-client.ts'

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

/** Past its end, and it does not renew itself, while its status says otherwise. */
function isOverdue({ status, end_date, auto_renew }: Pick<Subscription, 'status' | 'end_date' | 'auto_renew'>, now: string): boolean {
  return status !== 'expired' && !auto_renew && end_date !== undefined && end_date <= now
}

async function sweepSubscription(context: AccountContext, now: string, id: Id<typeof ServiceSubscription>): Promise<boolean> {
  let isNew = false
  await changeAudited(context, ServiceSubscription, id, (before): Change<typeof ServiceSubscription> => {
    isNew = isOverdue(before, now)
    return isNew ? { status: 'expired' } : {}
  })
  return isNew
}

/** An invitation that nobody accepted is closed: its user is disabled, and stays so until somebody enables it. */
async function sweepInvitation(context: AccountContext, invitedBefore: string, id: string): Promise<boolean> {
  let isNew = false
  await changeAudited(context, User, { id }, ({ invited_at, invitation_expires_at }): Change<typeof User> => {
    isNew = invitation_expires_at !== undefined && invited_at !== undefined && invited_at < invitedBefore
    return isNew ? { status: 'disabled', invitation_expires_at: null } : {}
  })
  return isNew
}

interface Bounds {
  /** The client whose item it must be. */
  readonly client_id: string
  readonly invitedBefore: string
}

async function sweepOne(context: AccountContext, runtime: Runtime, { entity, item }: Walked, bounds: Bounds): Promise<Swept> {
  const now = runtime.now()
  if (isOver(entity, item, now)) return (await removeOver(runtime, entity, item)) ? one('items_removed') : nothingSwept
  if (item.deleting !== undefined || item.client_id !== bounds.client_id) return nothingSwept
  if (entity === ServiceSubscription) {
    // viewItem has checked each attribute against the entity.
    const subscription = viewItem(entity, item) as unknown as Subscription
    const { scope_type, scope_id, module_id } = subscription
    if (!isOverdue(subscription, now.toISOString())) return nothingSwept
    return (await sweepSubscription(context, now.toISOString(), { scope_type, scope_id, module_id }))
      ? one('subscriptions_expired')
      : nothingSwept
  }
  if (entity === User && typeof item.invitation_expires_at === 'string') {
    return (await sweepInvitation(context, bounds.invitedBefore, String(item.id))) ? one('invitations_ended') : nothingSwept
  }
  return nothingSwept
}

/** Sweeps one item of a client. What is malformed, or went meanwhile, is left alone. */
export async function sweepItem(context: AccountContext, walked: Walked, bounds: Bounds): Promise<Swept> {
  try {
    return await sweepOne(context, context.table.runtime, walked, bounds)
  } catch (error) {
    if (isFreeholdError(error, 'MalformedItem') || isFreeholdError(error, 'NotFound') || isFreeholdError(error, 'BeingDeleted'))
      return nothingSwept
    throw error
  }
}
