import { count, creating, FreeholdError, flag, type Item, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { changeItem, removeItem } from '../../../flow/change-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { checkNamedVersion, liveItem } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { permittedToo } from '../../../flow/permitted.ts'
import { changedView } from '../../../flow/recorded-changes.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { User } from '../../design.ts'
import { type AccountContext, type AccountScope, flow } from '../account-host.ts'
import { checkHeldBy, grantedToUser, patternsOf } from '../assignments/granted-to-user.ts'
import * as needs from '../needs.ts'
import { at } from '../needs.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { clientNamed, clientScope, userScope } from '../scope.ts'
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
async function grantedToHeld(context: AccountContext, id: string, scope: AccountScope | 'system') {
  const there = await grantedToUser(context, id)
  // Nobody but operators is let through to the system's.
  if (scope !== 'system') await checkHeldBy(context, scope.client_id, there)
  return patternsOf(there)
}

/** The same for a caller who may act as the user. An operator may anyway, and nothing is read for it. Throws `Denied`. */
async function checkBecoming(context: AccountContext, id: string, scope: AccountScope | 'system'): Promise<void> {
  if (context.user !== undefined) await grantedToHeld(context, id, scope)
}

export const inviteUser = flow({
  name: 'inviteUser',
  summary: 'Invites a user to a client: disabled until the invitation is accepted, within seven days. An internal user is of no client.',
  input: { client_id: uuid().optional(), ...given(User, 'id', 'email', 'user_type', ...described) },
  needs: at('client', 'invite', 'user'),
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { client_id, user_type }): Promise<AccountScope | 'system'> => {
    if (user_type === 'internal') checkType(context.flow, user_type, client_id === undefined || client_id === null)
    return user_type === 'internal' ? 'system' : clientScope(context, clientNamed(context, client_id))
  },
  run: async (context, input, scope) => {
    checkChosenId(context, input.id)
    const client_id = scope === 'system' ? undefined : scope.client_id
    const after = newItem(context.table.runtime, User, { ...input, client_id, ...openInvitation(context), status: 'disabled' })
    const entry = { entity: User, id: String(after.id), tenant: client_id, after }
    const { user } = await withFreeEmail(() => writeRecorded(context, { user: creating(User, after) }, entry))
    return returnedItem(User, user)
  },
})

export const renewInvitation = flow({
  name: 'renewInvitation',
  summary:
    'Gives an invitation that was not accepted, also one that has ended, another seven days. One that disableUser has withdrawn takes what enableUser takes, too.',
  input: { ...named, ...confirming },
  needs: at('client', 'invite', 'user'),
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version, confirm_dangerous }, scope) =>
    retryOnConflict(context.table.runtime, async () => {
      const before = await liveItem(context, User, { id })
      checkNamedVersion(User, before.version, version)
      checkInvited(before)
      const isEnabling = isWithdrawn(before)
      if (isEnabling) await permittedToo(context, needs.enableUser, scope)
      else await checkBecoming(context, id, scope)
      const confirmed = isEnabling ? await confirmedGrant(context, await grantedToHeld(context, id, scope), confirm_dangerous) : {}
      const change = openInvitation(context)
      // Whoever disables the user meanwhile withdraws another version of it.
      const steps = { user: updating(User, { id }, change, { version: before.version }) }
      const entry = { entity: User, id, tenant: before.client_id, before, after: changedView(before, change), ...confirmed }
      return returnedItem(User, (await writeRecorded(context, steps, entry)).user)
    }),
})

export const acceptInvitation = flow({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation for the user, who has proven to be the one invited: the user is active from then on.',
  input: { ...named, ...changing(User, ...described), password_hash: newPassword.optional() },
  needs: 'operator',
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version, password_hash, ...change }) => {
    const isNewPassword = typeof password_hash === 'string'
    const password = isNewPassword ? { password_hash, password_last_changed_at: context.table.runtime.now().toISOString() } : {}
    const accepted = { ...change, ...password, ...acceptedInvitation, status: 'active' as const }
    return changeItem(context, User, { id }, accepted, { version, check: (user) => checkOpen(context, user) })
  },
})

export const updateUser = flow({
  name: 'updateUser',
  summary: 'Changes what is said of a user: name, phone, title, department, type.',
  input: { ...named, ...changing(User, 'user_type', ...described) },
  needs: at('client', 'update', 'user'),
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version, ...change }) =>
    changeItem(context, User, { id }, change, {
      version,
      check: ({ client_id }) => checkType(context.flow, change.user_type, client_id === undefined),
    }),
})

export const changeUserEmail = flow({
  name: 'changeUserEmail',
  summary:
    'Gives a user another e-mail address, which no other user has. An open invitation went to the old one, and ends. A caller needs itself all that another user has.',
  input: { ...named, ...given(User, 'email') },
  needs: at('client', 'change-email', 'user'),
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version, email }, scope) => {
    // Whoever reads the mail can have the password reset. Its own address makes nobody another.
    if (context.user?.id !== id) await checkBecoming(context, id, scope)
    const change = (user: UserItem) => (user.email === email ? {} : { email, ...overtakenInvitation(context, user) })
    return withFreeEmail(() => changeItem(context, User, { id }, change, { version }))
  },
})

export const disableUser = flow({
  name: 'disableUser',
  summary: 'Disables a user: from then on every decision about it denies. An invitation that was not accepted is withdrawn.',
  input: named,
  needs: at('client', 'disable', 'user'),
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version }) =>
    changeItem(context, User, { id }, (user) => ({ status: 'disabled' as const, ...withdrawnInvitation(context, user) }), { version }),
})

export const enableUser = flow({
  name: 'enableUser',
  summary: 'Makes a disabled user active again, with all roles that it has. A caller needs itself all that the user has.',
  input: { ...named, ...confirming },
  needs: needs.enableUser,
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version, confirm_dangerous }, scope) => {
    const entry = await confirmedGrant(context, await grantedToHeld(context, id, scope), confirm_dangerous)
    return changeItem(context, User, { id }, { status: 'active' }, { version, entry, check: checkAccepted })
  },
})

export const deleteUser = flow({
  name: 'deleteUser',
  summary: 'Deletes a user with its assignments, settings, sessions and tokens, by a durable job; refused while it owns a project.',
  input: { ...named, wait: flag().optional() },
  needs: at('client', 'delete', 'user'),
  effect: 'write',
  returns: nothing,
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, version, wait }) => removeItem(context, User, { id }, { version, wait }),
})
