import { count, FreeholdError, flag, type Item, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { changeItem, removeItem } from '../../../flow/change-item.ts'
import { createItem } from '../../../flow/create-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { permittedToo } from '../../../flow/permitted.ts'
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

const scope = async (context: AccountContext, { id }: { readonly id: string }) => userScope(context, id)
/** The flows that change one user. */
const ofUser = { effect: 'write', returns: itemOf(User), scope } as const

/** An internal user is of no client, and every other one of one. Throws `InvalidInput`. */
function checkType(flow: string, user_type: string | undefined, isInternal: boolean): void {
  if (user_type === undefined || (user_type === 'internal') === isInternal) return
  const message = isInternal ? 'is of a client, and this user is of none' : 'is internal, and this user is of a client'
  throw invalidInput(flow, [{ path: ['user_type'], message }], { flow })
}

/**
 * Only operators choose an id, as they import. The audit names users who were deleted by their ids: these must not become another user's. Throws
 * `Denied`.
 */
function checkChosenId({ user, flow }: AccountContext, id: string | undefined): void {
  if (user === undefined || id === undefined) return
  const message = 'Only operators choose the id of a user: leave it out, and it is made.'
  throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly', attribute: 'id' })
}

/** Everything that a user's roles grant. A caller that is a user needs all of it, since the user will act again (spec rule 23). Throws `Denied`. */
async function grantedToHeld(context: AccountContext, id: string, scope: AccountScope | 'system') {
  const there = await grantedToUser(context, id)
  // Only operators get as far as a user of the system.
  if (scope !== 'system') await checkHeldBy(context, scope.client_id, there)
  return patternsOf(there)
}

/** Holds a caller that could then act as the user to the same. An operator may anyway, and nothing is read for it. Throws `Denied`. */
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
    const made = { ...input, client_id, ...openInvitation(context), status: 'disabled' } as const
    return withFreeEmail(() => createItem(context, User, made))
  },
})

export const renewInvitation = flow({
  name: 'renewInvitation',
  summary:
    'Gives an invitation that was not accepted, also one that has ended, another seven days. One that disableUser has withdrawn takes what enableUser takes, too.',
  input: { ...named, ...confirming },
  needs: at('client', 'invite', 'user'),
  ...ofUser,
  run: async (context, { id, version, confirm_dangerous }, scope) =>
    // A process that disables the user meanwhile withdraws another version of it.
    changeItem(context, User, { id }, () => openInvitation(context), {
      version,
      check: checkInvited,
      alongside: async (before) => {
        if (!isWithdrawn(before)) {
          await checkBecoming(context, id, scope)
          return {}
        }
        await permittedToo(context, needs.enableUser, scope)
        return { entry: await confirmedGrant(context, await grantedToHeld(context, id, scope), confirm_dangerous) }
      },
    }),
})

export const acceptInvitation = flow({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation for the user, who has proven to be the one invited: the user is active from then on.',
  input: { ...named, ...changing(User, ...described), password_hash: newPassword.optional() },
  needs: 'operator',
  ...ofUser,
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
  ...ofUser,
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
  ...ofUser,
  run: async (context, { id, version, email }, scope) => {
    // The reader of the mail can have the password reset. A user's own address lets nobody act as another.
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
  ...ofUser,
  run: async (context, { id, version }) =>
    changeItem(context, User, { id }, (user) => ({ status: 'disabled' as const, ...withdrawnInvitation(context, user) }), { version }),
})

export const enableUser = flow({
  name: 'enableUser',
  summary: 'Makes a disabled user active again, with all roles that it has. A caller needs itself all that the user has.',
  input: { ...named, ...confirming },
  needs: needs.enableUser,
  ...ofUser,
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
  scope,
  run: async (context, { id, version, wait }) => removeItem(context, User, { id }, { version, wait }),
})
