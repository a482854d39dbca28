import { list, text } from '@freehold/table'
import { uniqueName } from './stamps.ts'

const name = text({ max: 64, pattern: /[a-z][a-z0-9-]*/, saying: 'is not the name of a provider: small letters, digits and hyphens' })

/** What an identity is named by: the short name of its issuer, as the settings have it, and a subject there. */
export const identityNames = {
  provider: name.describe('The short name of the identity provider.'),
  subject: uniqueName.describe('What the provider calls the person, for good.'),
}

/** Of a tenant: the providers by which people become its users when they are first seen. Without it nobody does. */
export const identityProviders = list(name, { max: 20 })
  .optional()
  .addition('the providers whose people become users at first sight')
  .describe('The providers whose people become users at first sight.')

/** Of a user: the providers from which it was unlinked. Its address links it to none of them again. */
export const unlinkedProviders = list(name, { max: 20 })
  .optional()
  .addition('who was unlinked is linked again by an administrator, and not by the next sign-in')
  .describe('The providers from which the user was unlinked: only linkIdentity links it to them.')

/** Why a design has the two items of an identity, for `additions`. */
export const signInReasons = {
  SignInIdentity: 'a person of an issuer signs in as the user, whatever the address is by then',
  UserSignInEdge: 'a user has one subject at each provider, and a deleted user leaves none behind',
} as const
