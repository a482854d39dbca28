import { liveItem, signingIn, unlinking } from '@freehold/frame/flow'
import { Client, SignInIdentity } from '../../design.ts'
import { type AccountContext, itemFlows } from '../account-host.ts'
import * as needs from '../needs.ts'
import { clientScope, userScope } from '../scope.ts'
import { signingParts } from './signing-parts.ts'
import { checkBecoming } from './users.ts'

export const signing = signingIn(
  signingParts,
  'Signs in whom an identity provider names. At first sight the person becomes a user if the client lets people of the provider do so.',
  'identities',
)

const identities = itemFlows(SignInIdentity, {
  scope: async (context, of) => userScope(context, await holderOf(context, of)),
})

/** Throws `NotFound`. */
async function holderOf(context: AccountContext, of: { readonly provider: string; readonly subject: string }): Promise<string> {
  return (await liveItem(context, SignInIdentity, of)).user_id
}

const linkIdentity = identities.create({
  name: 'linkIdentity',
  summary: 'Links a subject of a provider to a user. A caller needs itself all that the user has.',
  given: ['provider', 'subject', 'user_id'],
  needs: needs.at('client', 'link', 'identity'),
  errors: ['NotFound'],
  scope: async (context, { user_id }) => userScope(context, user_id),
  check: ({ context, input: { user_id }, scope }) => checkBecoming(context, user_id, scope),
})

const unlinkIdentity = identities.remove({
  name: 'unlinkIdentity',
  summary: 'Takes a subject of a provider from its user. Only linkIdentity links the user to the provider again.',
  alongside: ({ context }, before) => unlinking(signingParts, context, before),
  needs: needs.at('client', 'unlink', 'identity'),
})

const setIdentityProviders = itemFlows(Client, { scope: async (context, { id }) => clientScope(context, id) }).update({
  name: 'setIdentityProviders',
  summary: 'Says which providers make people users of the client at first sight. Who is linked stays so.',
  may: ['identity_providers'],
  needs: 'operator',
})

export const identityFlows = {
  signIn: signing.signIn,
  linkIdentity: { ...linkIdentity, changesSignIn: 'user_id' },
  unlinkIdentity,
  setIdentityProviders,
} as const
