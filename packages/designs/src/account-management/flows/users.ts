import { count, creating, FreeholdError, flag, type Item, uuid } from '@freehold/table'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, removeAudited } from './change-audited.ts'
import { clientNamed, clientPlace, type Place, userPlace } from './place.ts'

type UserItem = Item<typeof User>

const named = { id: uuid(), version: count().optional() }
const described = ['first_name', 'last_name', 'phone', 'title', 'department'] as const
const invitationDays = 7

function daysFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString()
}

/** An invitation that begins now: until it is accepted, its user is disabled. */
function invitation({ table, user }: AccountContext) {
  const now = table.runtime.now()
  return { invited_by: user?.id ?? null, invited_at: now.toISOString(), invitation_expires_at: daysFrom(now, invitationDays) }
}

/** An internal user is of no client, and every other one of one. Throws `InvalidInput`. */
function checkType(flow: string, user_type: string | undefined, isInternal: boolean): void {
  if (user_type === undefined || (user_type === 'internal') === isInternal) return
  const message = isInternal ? 'is of a client, and this user is of none' : 'is internal, and this user is of a client'
  throw new FreeholdError('InvalidInput', `${flow}: user_type ${message}.`, { flow, issues: [{ path: ['user_type'], message }] })
}

function denied(reason: string, message: string): FreeholdError {
  return new FreeholdError('Denied', message, { reason })
}

/** Throws `Denied`: `NoInvitation`, `InvitationExpired`. */
function checkInvited({ table }: AccountContext, { invitation_expires_at: end }: UserItem): void {
  if (end === undefined) throw denied('NoInvitation', 'This user has no open invitation.')
  if (end <= table.runtime.now().toISOString()) throw denied('InvitationExpired', `This invitation ended at ${end}.`)
}

export const inviteUser = accountFlow({
  name: 'inviteUser',
  summary: 'Invites a user to a client: disabled until the invitation is accepted, within seven days. An internal user is of no client.',
  input: { client_id: uuid().optional(), ...given(User, 'id', 'email', 'user_type', ...described) },
  place: async (context, { client_id, user_type }): Promise<Place | 'system'> => {
    if (user_type === 'internal') checkType(context.flow, user_type, client_id === undefined || client_id === null)
    return user_type === 'internal' ? 'system' : clientPlace(context, clientNamed(context, client_id))
  },
  run: async (context, input, place): Promise<UserItem> => {
    const client_id = place === 'system' ? undefined : place.client_id
    const after = madeItem(context.table.runtime, User, { ...input, client_id, ...invitation(context), status: 'disabled' })
    const { user } = await writeAudited(context, { user: creating(User, after) }, { entity: User, id: String(after.id), client_id, after })
    return givenBack(User, user)
  },
})

export const renewInvitation = accountFlow({
  name: 'renewInvitation',
  summary: 'Gives an invitation that was not accepted another seven days.',
  input: named,
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version }): Promise<UserItem> =>
    changeAudited(context, User, { id }, invitation(context), {
      version,
      check: ({ invitation_expires_at: end }) => {
        if (end === undefined) throw denied('NoInvitation', 'This user has no open invitation.')
      },
    }),
})

export const acceptInvitation = accountFlow({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation for the user, who has proven to be the one invited: the user is active from then on.',
  input: { ...named, ...changing(User, 'password_hash', ...described) },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, ...change }): Promise<UserItem> => {
    const isNewPassword = typeof change.password_hash === 'string'
    const changed = isNewPassword ? { password_last_changed_at: context.table.runtime.now().toISOString() } : {}
    const accepted = { ...change, ...changed, status: 'active' as const, invitation_expires_at: null }
    return changeAudited(context, User, { id }, accepted, { version, check: (user) => checkInvited(context, user) })
  },
})

export const updateUser = accountFlow({
  name: 'updateUser',
  summary: 'Changes what is said of a user: name, phone, title, department, type.',
  input: { ...named, ...changing(User, 'user_type', ...described) },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, ...change }): Promise<UserItem> =>
    changeAudited(context, User, { id }, change, {
      version,
      check: ({ client_id }) => checkType(context.flow, change.user_type, client_id === undefined),
    }),
})

export const changeUserEmail = accountFlow({
  name: 'changeUserEmail',
  summary: 'Gives a user another e-mail address, which no other user has.',
  input: { ...named, ...given(User, 'email') },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, email }): Promise<UserItem> => changeAudited(context, User, { id }, { email }, { version }),
})

export const disableUser = accountFlow({
  name: 'disableUser',
  summary: 'Disables a user: from then on every decision about it denies.',
  input: named,
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version }): Promise<UserItem> =>
    // An open invitation ends with it: accepted later, it would make the user active again.
    changeAudited(context, User, { id }, { status: 'disabled', invitation_expires_at: null }, { version }),
})

export const enableUser = accountFlow({
  name: 'enableUser',
  summary: 'Makes a disabled user active again; one who was invited accepts the invitation instead.',
  input: named,
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version }): Promise<UserItem> =>
    changeAudited(
      context,
      User,
      { id },
      { status: 'active' },
      {
        version,
        check: ({ invitation_expires_at: end }) => {
          if (end !== undefined) throw denied('InvitationOpen', 'This user has not accepted the invitation yet.')
        },
      },
    ),
})

export const deleteUser = accountFlow({
  name: 'deleteUser',
  summary: 'Deletes a user with its assignments, settings, sessions and tokens, by a durable job.',
  input: { ...named, wait: flag().optional() },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, wait }): Promise<void> => removeAudited(context, User, { id }, { version, wait }),
})
