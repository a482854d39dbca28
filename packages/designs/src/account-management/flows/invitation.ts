import type { Change, Item } from '@freehold/table'
import { User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { stateConflict } from './state-conflict.ts'

type UserItem = Item<typeof User>

const day_ms = 86_400_000
const days = 7

const nowOf = ({ table }: AccountContext) => table.runtime.now().toISOString()

/** An invitation that begins now: until it is accepted, its user is disabled. */
export function openInvitation(context: AccountContext) {
  const now = context.table.runtime.now()
  return {
    invited_by: context.user?.id ?? null,
    invited_at: now.toISOString(),
    invitation_status: 'open' as const,
    invitation_expires_at: new Date(now.getTime() + days * day_ms).toISOString(),
  }
}

export const acceptedInvitation = { invitation_status: 'accepted', invitation_expires_at: null } as const

/** Invited, and never accepted: open, or over. What the sweep has written of it changes nothing. */
const isUnaccepted = ({ invitation_expires_at }: UserItem) => invitation_expires_at !== undefined

/** Throws `CheckFailed` where there is none, or it was accepted: `NoInvitation`. */
export function checkInvited(user: UserItem): void {
  if (!isUnaccepted(user)) throw stateConflict(User, 'NoInvitation', 'This user has no invitation that was not accepted yet.')
}

/** Throws `CheckFailed` unless there is an invitation that has not ended: `NoInvitation`, `InvitationExpired`. */
export function checkOpen(context: AccountContext, user: UserItem): void {
  checkInvited(user)
  const { invitation_expires_at: end = '' } = user
  if (end <= nowOf(context))
    throw stateConflict(User, 'InvitationExpired', `This invitation ended at ${end}: renewInvitation opens it again.`)
}

/** Throws `CheckFailed` for a user who was invited and never accepted: `InvitationNotAccepted`. */
export function checkAccepted(user: UserItem): void {
  if (!isUnaccepted(user)) return
  const message = 'This user has never accepted the invitation: acceptInvitation makes it active, after renewInvitation where it has ended.'
  throw stateConflict(User, 'InvitationNotAccepted', message)
}

/** An open invitation ends now: accepted later, it would make the user active. */
export function endedInvitation(context: AccountContext, user: UserItem): Change<typeof User> {
  const now = nowOf(context)
  const { invitation_expires_at: end } = user
  if (end === undefined) return {}
  return { invitation_status: 'expired', invitation_expires_at: end < now ? end : now }
}

/** What the sweep writes of an invitation that has ended; nothing where that was written already. */
export function sweptInvitation({ invitation_status, invitation_expires_at: end }: UserItem, now: string): Change<typeof User> {
  return end !== undefined && end <= now && invitation_status !== 'expired' ? { invitation_status: 'expired' } : {}
}
