import { actorText, stateConflict } from '@freehold/frame/flow'
import type { Change, Item } from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'
import { User } from '../../design.ts'
import type { AccountContext } from '../account-host.ts'

type UserItem = Item<typeof User>

const days = 7

const nowOf = ({ table }: AccountContext) => table.runtime.now().toISOString()

/** An invitation that begins now: until it is accepted, its user is disabled. */
export function openInvitation(context: AccountContext) {
  const now = context.table.runtime.now()
  return {
    invited_by: actorText(context.caller),
    invited_at: now.toISOString(),
    invitation_status: 'open' as const,
    invitation_expires_at: new Date(now.getTime() + days * day_ms).toISOString(),
  }
}

export const acceptedInvitation = { invitation_status: 'accepted', invitation_expires_at: null } as const

/** Invited, and never accepted: open, or expired. The sweep changes nothing of that. */
const isUnaccepted = ({ invitation_expires_at }: UserItem) => invitation_expires_at !== undefined

/** Ended by disabling its user. Only callers who may enable users open it again: more callers may invite than may undo that. */
export const isWithdrawn = (user: UserItem) => isUnaccepted(user) && user.invitation_status === 'withdrawn'

/** Throws `CheckFailed` if there is none, or it was accepted: `NoInvitation`. */
export function checkInvited(user: UserItem): void {
  if (!isUnaccepted(user)) throw stateConflict(User, 'NoInvitation', 'This user has no invitation that was not accepted yet.')
}

/** Throws `CheckFailed` unless there is an invitation that has not ended: `NoInvitation`, `InvitationExpired`. */
export function checkOpen(context: AccountContext, user: UserItem): void {
  checkInvited(user)
  const { invitation_expires_at: end = '' } = user
  // It has ended then, whatever the clock of another process says.
  if (isWithdrawn(user)) {
    const message = `This invitation was withdrawn when its user was disabled, at ${end}: who may enable users opens it again, by renewInvitation.`
    throw stateConflict(User, 'InvitationExpired', message)
  }
  if (end <= nowOf(context))
    throw stateConflict(User, 'InvitationExpired', `This invitation ended at ${end}: renewInvitation opens it again.`)
}

/** Throws `CheckFailed` for a user who was invited and never accepted: `InvitationNotAccepted`. */
export function checkAccepted(user: UserItem): void {
  if (!isUnaccepted(user)) return
  const message = 'This user has never accepted the invitation: acceptInvitation makes it active, after renewInvitation where it has ended.'
  throw stateConflict(User, 'InvitationNotAccepted', message)
}

/** An invitation that was not accepted is withdrawn, also an expired one: accepted later, or once renewed, it would make the user active. */
export function withdrawnInvitation(context: AccountContext, user: UserItem): Change<typeof User> {
  const now = nowOf(context)
  const { invitation_expires_at: end } = user
  if (end === undefined) return {}
  return { invitation_status: 'withdrawn', invitation_expires_at: end < now ? end : now }
}

/** An open invitation ends: it went to the old address of its user. Renewed, it goes to the new one. */
export function overtakenInvitation(context: AccountContext, user: UserItem): Change<typeof User> {
  const now = nowOf(context)
  const { invitation_expires_at: end } = user
  return end === undefined || end <= now || isWithdrawn(user) ? {} : { invitation_status: 'expired', invitation_expires_at: now }
}

/** The sweep's change of an invitation that has ended. An invitation that says so already does not change: a withdrawn one stays withdrawn. */
export function sweptInvitation(user: UserItem, now: string): Change<typeof User> {
  const { invitation_status, invitation_expires_at: end } = user
  return end !== undefined && end <= now && invitation_status !== 'expired' && !isWithdrawn(user) ? { invitation_status: 'expired' } : {}
}
