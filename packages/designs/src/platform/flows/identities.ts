import { liveItem, type SigningParts, signingIn, unlinking } from '@freehold/frame/flow'
import { Account, SignInIdentity, User, UserEmail, UserSignInEdge } from '../design.ts'
import { on } from './flow-menus.ts'
import { checkHeldOfUser } from './grant-ceiling.ts'
import { atAccount, atUser, itemFlows, type PlatformContext } from './platform-host.ts'

const parts: SigningParts<PlatformContext, typeof User> = {
  user: User,
  identity: SignInIdentity,
  ofUser: UserSignInEdge,
  holder: 'userId',
  tenant: Account,
  allowed: 'identityProviders',
  unlinked: 'unlinkedProviders',
  address: UserEmail,
  made: ({ id, email: address, tenant, first, last }) => ({
    user: { id, accountId: tenant, email: address, firstName: first, lastName: last },
  }),
}

export const signing = signingIn(
  parts,
  'Signs in whom an identity provider names. At first sight the person becomes a user if the account lets people of the provider do so.',
  'identities',
)

const identities = itemFlows(SignInIdentity, {
  scope: async (context, of) => atUser(context, (await liveItem(context, SignInIdentity, of)).userId),
})

/** The flows by which people of an issuer are users. */
export const identityFlows = {
  signIn: signing.signIn,
  linkIdentity: {
    ...identities.create({
      name: 'linkIdentity',
      summary: 'Links a subject of a provider to a user. A caller needs itself all that the user may do.',
      given: ['provider', 'subject', 'userId'],
      needs: on('users', 'edit'),
      reads: ({ userId }) => [[User, { id: userId }]],
      scope: (context, { userId }) => atUser(context, userId),
      check: ({ context, input: { userId } }) => checkHeldOfUser(context, userId),
    }),
    changesSignIn: 'userId',
  },
  unlinkIdentity: identities.remove({
    name: 'unlinkIdentity',
    summary: 'Takes a subject of a provider from its user. Only linkIdentity links the user to the provider again.',
    alongside: ({ context }, before) => unlinking(parts, context, before),
    needs: on('users', 'edit'),
  }),
  setIdentityProviders: itemFlows(Account, { scope: (context, { id }) => atAccount(context, { accountId: id }) }).update({
    name: 'setIdentityProviders',
    summary: 'Says which providers make people users of the account at first sight. Who is linked stays so.',
    may: ['identityProviders'],
    needs: 'operator',
  }),
}
