import { checkChosenId, type Flow, given, guardTaken, liveItem, permit, shownPerson, waiting } from '@freehold/frame/flow'
import { passwordHash } from '@freehold/frame/secrets'
import { type Attributes, type Item, isFreeholdError } from '@freehold/table'
import { checkAdopted, invalidInput } from '@freehold/table/runtime'
import { User, UserEmail } from '../../design.ts'
import { type AccountContext, type AccountScope, itemFlows } from '../account-host.ts'
import { checkHeldBy, grantedToUser, patternsOf } from '../assignments/granted-to-user.ts'
import { signingOut } from '../credentials/signing-out.ts'
import * as needs from '../needs.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { askedClient, clientNamed, clientScope, userScope } from '../scope.ts'
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
import { signingParts } from './signing-parts.ts'

const described = ['first_name', 'last_name', 'phone', 'title', 'department'] as const
const user = itemFlows(User, { scope: async (context, { id }) => userScope(context, id) })

const emailTaken = guardTaken(User, UserEmail, 'This e-mail address is taken.')
/** The same words for every user that has the address: it may be one of another client. */
const invitedBefore = guardTaken(
  User,
  UserEmail,
  'This e-mail address is taken. If its user was invited and the invitation has ended, renewInvitation opens it again.',
)

/** An internal user is of no client, and every other one of one. Throws `InvalidInput`. */
function checkType(flow: string, user_type: string | undefined, isInternal: boolean): void {
  if (user_type === undefined || (user_type === 'internal') === isInternal) return
  const message = isInternal ? 'is of a client, and this user is of none' : 'is internal, and this user is of a client'
  throw invalidInput(flow, [{ path: ['user_type'], message }], { flow })
}

/** Everything that a user's roles grant. A caller that is a user needs all of it, since the user will act again (spec rule 23). Throws `Denied`. */
async function grantedToHeld(context: AccountContext, id: string, scope: AccountScope | 'system') {
  const there = await grantedToUser(context, id)
  // Only operators get as far as a user of the system.
  if (scope !== 'system') await checkHeldBy(context, scope.client_id, there)
  return patternsOf(there)
}

/** Holds a caller that could then act as the user to the same. An operator may anyway, and nothing is read for it. Throws `Denied`. */
export async function checkBecoming(context: AccountContext, id: string, scope: AccountScope | 'system'): Promise<void> {
  if (context.user !== undefined) await grantedToHeld(context, id, scope)
}

type Named<N, I extends Attributes, R> = Flow<AccountContext, I, R> & { readonly name: N }

/** The same flow, which tells the sender of invitations once the user is written. */
const telling = <const N extends string, I extends Attributes, R extends { readonly id: string }>(
  written: Named<N, I, R>,
): Named<N, I, R> => ({
  ...written,
  run: async (context, input) => {
    const invited = await written.run(context, input)
    await context.host.mailing?.invited?.(invited.id)
    return invited
  },
})

const inviteUser = telling(
  user.create({
    name: 'inviteUser',
    summary: 'Invites a user to a client: disabled until the invitation is accepted, within seven days. An internal user is of no client.',
    input: { client_id: askedClient },
    given: ['id', 'email', 'user_type', ...described],
    needs: needs.at('client', 'invite', 'user'),
    scope: async (context, { client_id, user_type }): Promise<AccountScope | 'system'> => {
      if (user_type === 'internal') checkType(context.flow, user_type, client_id === undefined || client_id === null)
      return user_type === 'internal' ? 'system' : clientScope(context, clientNamed(context, client_id))
    },
    // The audit names users who were deleted by their ids: these must not become another user's.
    check: ({ context, input }) => checkChosenId(context, 'user', input.id),
    values: ({ context, scope }) => ({
      client_id: scope === 'system' ? undefined : scope.client_id,
      ...openInvitation(context),
      status: 'disabled',
    }),
    refusal: invitedBefore,
  }),
)

const renewInvitation = telling(
  user.update({
    name: 'renewInvitation',
    summary:
      'Gives an invitation that was not accepted, also one that has ended, another seven days. One that disableUser has withdrawn takes what enableUser takes, too.',
    input: confirming,
    needs: needs.at('client', 'invite', 'user'),
    errors: ['CheckFailed'],
    check: (_call, before) => checkInvited(before),
    // A process that disables the user meanwhile withdraws another version of it.
    change: ({ context }) => openInvitation(context),
    alongside: async ({ context, input, scope }, before) => {
      if (isWithdrawn(before)) {
        await permit(context, needs.enableUser, scope)
        return { entry: await confirmedGrant(context, await grantedToHeld(context, before.id, scope), input.confirm_dangerous) }
      }
      await checkBecoming(context, before.id, scope)
      return {}
    },
  }),
)

async function checkAccepting(context: AccountContext, before: Item<typeof User>): Promise<void> {
  // A person learns nothing of another one's invitation.
  await shownPerson(signingParts, context, before, before.email)
  checkOpen(context, before)
}

const acceptInvitation = user.update({
  name: 'acceptInvitation',
  summary: 'Accepts an invitation for the user, who has proven to be the one invited: the user is active from then on.',
  input: { password_hash: passwordHash().optional() },
  may: described,
  needs: 'person',
  errors: ['CheckFailed'],
  check: ({ context }, before) => checkAccepting(context, before),
  alongside: async ({ context }, before) => shownPerson(signingParts, context, before, before.email),
  // The person was linked meanwhile: what that left decides.
  refusal: async (error, { context, input: { id } }) => {
    if (isFreeholdError(error, 'AlreadyExists')) await checkAccepting(context, await liveItem(context, User, { id }))
    return error
  },
  change: ({ context, input: { password_hash } }) => {
    const isNewPassword = typeof password_hash === 'string'
    const password = isNewPassword ? { password_hash, password_last_changed_at: context.table.runtime.now().toISOString() } : {}
    return { ...password, ...acceptedInvitation, status: 'active' }
  },
})

const updateUser = user.update({
  name: 'updateUser',
  summary: 'Changes the name, phone, title, department or type of a user.',
  may: ['user_type', ...described],
  needs: needs.at('client', 'update', 'user'),
  check: ({ context, input }, { client_id }) => checkType(context.flow, input.user_type, client_id === undefined),
})

const changeUserEmail = user.update({
  name: 'changeUserEmail',
  summary:
    'Gives a user another e-mail address, which no other user has. An open invitation went to the old one, and ends. Its sessions and tokens are revoked. A caller needs itself all that another user has.',
  input: given(User, 'email'),
  needs: needs.at('client', 'change-email', 'user'),
  errors: ['AlreadyExists'],
  // The reader of the mail can have the password reset. A user's own address lets nobody act as another.
  check: async ({ context, scope }, { id }) => {
    // Its sessions are ended before the address is written.
    await checkAdopted(context.table.runtime, 'UserEmail says what is taken')
    if (context.user?.id !== id) await checkBecoming(context, id, scope)
  },
  change: ({ context, input: { email } }, before) => (before.email === email ? {} : { email, ...overtakenInvitation(context, before) }),
  around: ({ context }, { id }, write) => signingOut(context, id, write),
  refusal: emailTaken,
})

const disableUser = user.update({
  name: 'disableUser',
  summary:
    'Disables a user and revokes its sessions and tokens: from then on every decision about it denies. An invitation that was not accepted is withdrawn.',
  needs: needs.at('client', 'disable', 'user'),
  change: ({ context }, before) => ({ status: 'disabled', ...withdrawnInvitation(context, before) }),
  around: ({ context }, { id }, write) => signingOut(context, id, write),
})

const enableUser = user.update({
  name: 'enableUser',
  summary: 'Makes a disabled user active again, with all roles that it has. A caller needs itself all that the user has.',
  input: confirming,
  needs: needs.enableUser,
  errors: ['CheckFailed'],
  check: (_call, before) => checkAccepted(before),
  change: () => ({ status: 'active' }),
  alongside: async ({ context, input, scope }, { id }) => ({
    entry: await confirmedGrant(context, await grantedToHeld(context, id, scope), input.confirm_dangerous),
  }),
})

const deleteUser = user.remove({
  name: 'deleteUser',
  summary: 'Deletes a user with its assignments, settings, sessions and tokens, by a durable job; refused while it owns a project.',
  input: waiting,
  needs: needs.at('client', 'delete', 'user'),
})

export const userFlows = {
  inviteUser,
  renewInvitation,
  acceptInvitation,
  updateUser,
  changeUserEmail: { ...changeUserEmail, changesSignIn: 'id' },
  disableUser,
  enableUser,
  deleteUser,
} as const
