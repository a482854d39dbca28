import { TokenRefusal, type TokenVerifier, type VerifiedPerson } from '@freehold/frame/issuers'
import { Denial, tokenDenial } from '../denial.ts'
import { idText } from './id-text.ts'

/** A verified token, and the user whom it names. */
export interface TokenUser {
  /** The id of the user, as the design writes it. */
  readonly user: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** Finds the id of the user who has this identity. Undefined if there is none: an authorizer only reads. */
export type Identify = (person: VerifiedPerson) => Promise<string | undefined>

/**
 * The token of an Authorization header. Only this header is read.
 * @param values all values of the header
 */
export function bearerToken(values: readonly string[]): string {
  const [value, another] = values
  if (value === undefined || value === '') throw tokenDenial('TokenMissing', 'There is no Authorization header.')
  if (another !== undefined) throw tokenDenial('TokenAmbiguous', 'There are several Authorization headers.')
  const [, token] = /^Bearer +(\S+)$/i.exec(value) ?? []
  if (token === undefined) throw tokenDenial('TokenMalformed', 'The Authorization header holds no bearer token.')
  return token
}

function denialOf(error: unknown): unknown {
  if (!(error instanceof TokenRefusal)) return error
  const { code, message, cause } = error
  return new Denial(code === 'KeysUnavailable' ? 'fault' : 'token', code, message, { cause })
}

/** Verifies a token and finds its user. Names are no ids: a user may choose a name that is another's subject. */
export async function tokenUser(text: string, verify: TokenVerifier, identify: Identify): Promise<TokenUser> {
  const { user, claims } = await verify(text).catch((error: unknown) => {
    throw denialOf(error)
  })
  if (!('id' in user)) {
    const found = await identify(user)
    if (found === undefined) throw new Denial('unknown', 'IdentityUnknown', 'No user has the identity that the token names.')
    return { user: found, claims }
  }
  const id = idText(user.id)
  if (id === undefined) throw tokenDenial('ClaimMalformed', 'The claim of the token that names the user has no id of one.')
  return { user: id, claims }
}
