import { count, creating, FreeholdError, flag, type Item, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { changedView } from '../../../flow/recorded-changes.ts'
import { User } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow, permittedToo } from '../account-flow.ts'
import { checkHeldBy, grantedToUser, patternsOf } from '../assignments/granted-to-user.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited, checkNamedVersion, removeAudited, standingItem } from '../change-audited.ts'
import { clientNamed, clientPlace, type Place, userPlace } from '../place.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { withFreeEmail } from './email-taken.ts'
import {
  acceptedInvitation,
  checkAccepted,
  checkInvited,
  checkOpen,
  isWithdrawn,
  openInvitation,
  overtakenInvitation,
  withdrawnInvitation,
} from './invitation.ts'
import { newPassword } from './new-password.ts'

type UserItem = Item<typeof User>

const named = { id: uuid(), version: count().optional() }
const described = ['first_name', 'last_name', 'phone', 'title', 'department'] as const

/** An internal user is of no client, and every other one of one. Throws `InvalidInput`. */
function checkType(flow: string, user_type: string | undefined, isInternal: boolean): void {
  if (user_type === undefined || (user_type === 'internal') === isInternal) return
  const message = isInternal ? 'is of a client, and this user is of none' : 'is internal, and this user is of a client'
  throw invalidInput(flow, [{ path: ['user_type'], message }], { flow })
}

/**
 * An id is chosen by operators, who import. What is known elsewhere by the id of somebody who was deleted, as the audit, is not to become another's.
 * Throws `Denied`.
 */
function checkChosenId({ user, flow }: AccountContext, id: string | undefined): void {
  if (user === undefined || id === undefined) return
  const message = 'Only operators choose the id of a user: leave it out, and it is made.'
  throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly', attribute: 'id' })
}

/** All that a user has, which is what a caller that is a user has, too: the user will act again (spec rule 23). Throws `Denied`. */
async function grantedToHeld(context: AccountContext, id: string, place: Place | 'system') {
  const there = await grantedToUser(context, id)
  // Nobody but operators is let through to the system's.
  if (place !== 'system') await checkHeldBy(context, place.client_id, there)
  return patternsOf(there)
}

/** The same for a caller who may act as the user. An operator may anyway, and nothing is read for it. Throws `Denied`. */
async function checkBecoming(context: AccountContext, id: string, place: Place | 'system'): Promise<void> {
  if (context.user !== undefined) await grantedToHeld(context, id, place)
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
    checkChosenId(context, input.id)
    const client_id = place === 'system' ? undefined : place.client_id
    const after = madeItem(context.table.runtime, User, { ...input, client_id, ...openInvitation(context), status: 'disabled' })
    const entry = { entity: User, id: String(after.id), client_id, after }
    const { user } = await withFreeEmail(() => writeAudited(context, { user: creating(User, after) }, entry))
    return givenBack(User, user)
  },
})

export const renewInvitation = accountFlow({
  name: 'renewInvitation',
  summary:
    'Gives an invitation that was not accepted, also one that has ended, another seven days. One that disableUser has withdrawn takes what enableUser takes, too.',
  input: { ...named, ...confirming },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, confirm_dangerous }, place): Promise<UserItem> =>
    decideAnew(context.table.runtime, async () => {
      const before = await standingItem(context, User, { id })
      checkNamedVersion(User, before.version, version)
      checkInvited(before)
      const isEnabling = isWithdrawn(before)
      if (isEnabling) await permittedToo(context, 'enableUser', place)
      else await checkBecoming(context, id, place)
      const confirmed = isEnabling ? await confirmedGrant(context, await grantedToHeld(context, id, place), confirm_dangerous) : {}
      const change = openInvitation(context)
      // Whoever disables the user meanwhile withdraws another version of it.
      const steps = { user: updating(User, { id }, change, { version: before.version }) }
      const entry = { entity: User, id, client_id: before.client_id, before, after: changedView(before, change), ...confirmed }
      return givenBack(User, (await writeAudited(context, steps, entry)).user)
    }),
})

export const acceptInvitation = accountFlow({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation for the user, who has proven to be the one invited: the user is active from then on.',
  input: { ...named, ...changing(User, ...described), password_hash: newPassword.optional() },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, password_hash, ...change }): Promise<UserItem> => {
    const isNewPassword = typeof password_hash === 'string'
    const password = isNewPassword ? { password_hash, password_last_changed_at: context.table.runtime.now().toISOString() } : {}
    const accepted = { ...change, ...password, ...acceptedInvitation, status: 'active' as const }
    return changeAudited(context, User, { id }, accepted, { version, check: (user) => checkOpen(context, user) })
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
  summary:
    'Gives a user another e-mail address, which no other user has. An open invitation went to the old one, and ends. A caller needs itself all that another user has.',
  input: { ...named, ...given(User, 'email') },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, email }, place): Promise<UserItem> => {
    // Whoever reads the mail can have the password reset. Its own address makes nobody another.
    if (context.user?.id !== id) await checkBecoming(context, id, place)
    const change = (user: UserItem) => (user.email === email ? {} : { email, ...overtakenInvitation(context, user) })
    return withFreeEmail(() => changeAudited(context, User, { id }, change, { version }))
  },
})

export const disableUser = accountFlow({
  name: 'disableUser',
  summary: 'Disables a user: from then on every decision about it denies. An invitation that was not accepted is withdrawn.',
  input: named,
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version }): Promise<UserItem> =>
    changeAudited(context, User, { id }, (user) => ({ status: 'disabled' as const, ...withdrawnInvitation(context, user) }), { version }),
})

export const enableUser = accountFlow({
  name: 'enableUser',
  summary: 'Makes a disabled user active again, with all roles that it has. A caller needs itself all that the user has.',
  input: { ...named, ...confirming },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, confirm_dangerous }, place): Promise<UserItem> => {
    const entry = await confirmedGrant(context, await grantedToHeld(context, id, place), confirm_dangerous)
    return changeAudited(context, User, { id }, { status: 'active' }, { version, entry, check: checkAccepted })
  },
})

export const deleteUser = accountFlow({
  name: 'deleteUser',
  summary: 'Deletes a user with its assignments, settings, sessions and tokens, by a durable job; refused while it owns a project.',
  input: { ...named, wait: flag().optional() },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, version, wait }): Promise<void> => removeAudited(context, User, { id }, { version, wait }),
})
