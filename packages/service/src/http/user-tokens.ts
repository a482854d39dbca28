import { type Issuer, type TokenCode, type TokenOptions, TokenRefusal, tokenVerifier, type VerifiedToken } from '@freehold/frame/issuers'
import { FreeholdError } from '@freehold/table'
import { type LookupLimits, limitedLookups } from '../keys/lookups.ts'

/** Verifies the token of a user. What is wrong with one is for the log, and for no client. Throws `Unavailable` if the keys of its issuer are not available. */
export type UserTokens = (text: string) => Promise<VerifiedToken | { readonly refused: TokenCode }>

/** Tokens that wait for the keys of their issuers. A waiting client has only sent its headers. */
const atOnce: LookupLimits = { atOnce_max: 64, waiting_max: 1_000 }

/** True for text with the parts of a token, valid or not. An API key has no dot. */
export const isToken = (text: string): boolean => text.split('.', 3).length === 3

/** @throws InvalidInput for issuers that are wrong */
export function userTokens(issuers: readonly Issuer[], options: TokenOptions): UserTokens {
  const verify = limitedLookups(tokenVerifier(issuers, options), atOnce)
  return async (text) => {
    try {
      return await verify(text)
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      const { code, message, cause = error } = error
      if (code === 'KeysUnavailable') throw new FreeholdError('Unavailable', message, {}, { cause })
      return { refused: code }
    }
  }
}
