import { createItem, given, itemOf, naming, waiting } from '@freehold/frame/flow'
import { creating, email } from '@freehold/table'
import { EmailIdentity, SignInIdentity, User } from '../design.ts'
import { flow, inSystem, itemFlows } from './rebac-host.ts'

const users = itemFlows(User, { scope: inSystem })
const emails = itemFlows(EmailIdentity, { scope: inSystem })

/** The flows of users and of how they sign in: for operators, since a user may be at many locations. */
export const userFlows = {
  createUser: flow({
    name: 'createUser',
    summary: 'Creates a user, perhaps with an e-mail address, which the first sign-in with it claims.',
    input: { ...given(User, 'userId', 'displayName', 'userType'), email: email().optional() },
    needs: 'operator',
    effect: 'write',
    returns: itemOf(User),
    writes: { create: User },
    errors: ['AlreadyExists', 'BeingDeleted'],
    scope: inSystem,
    run: (context, { email: address, ...user }) => {
      const { userId = context.table.runtime.making().ulid() } = user
      if (address === undefined || address === null) return createItem(context, User, { ...user, userId })
      const steps = { email: creating(EmailIdentity, { email: address, userId, provider: 'import' }) }
      return createItem(context, User, { ...user, userId }, { steps, entry: { related: { email: address } } })
    },
  }),
  updateUser: users.update({
    name: 'updateUser',
    summary: 'Changes the name or the type of a user, also where others show it.',
    may: ['displayName', 'userType'],
    needs: 'operator',
  }),
  setAdmin: users.update({
    name: 'setAdmin',
    summary: 'Makes a user an administrator, or no longer one. No decision asks for that.',
    input: naming(User, 'isAdmin'),
    needs: 'operator',
    change: ({ input: { isAdmin } }) => ({ isAdmin }),
  }),
  deleteUser: users.remove({
    name: 'deleteUser',
    summary: 'Deletes a user with its memberships, addresses and accounts. From the start the user may do nothing.',
    input: waiting,
    needs: 'operator',
  }),
  addEmail: flow({
    name: 'addEmail',
    summary: 'Gives a user another e-mail address. The first sign-in with it claims it.',
    input: naming(EmailIdentity, 'email', 'userId'),
    needs: 'operator',
    effect: 'write',
    returns: itemOf(EmailIdentity),
    writes: { create: EmailIdentity },
    errors: ['AlreadyExists', 'BeingDeleted', 'MissingEnd'],
    scope: inSystem,
    run: (context, input) => createItem(context, EmailIdentity, { ...input, provider: 'import' }),
  }),
  removeEmail: emails.remove({ name: 'removeEmail', summary: 'Takes an e-mail address from its user.', needs: 'operator' }),
  unlinkAccount: itemFlows(SignInIdentity, { scope: inSystem }).remove({
    name: 'unlinkAccount',
    summary: 'Takes an account at a provider from its user: nobody signs in with it as that user any more.',
    needs: 'operator',
  }),
}
