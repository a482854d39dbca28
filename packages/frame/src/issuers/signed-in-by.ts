import type { Issuer } from './issuer.ts'
import { type TokenOptions, tokenVerifier } from './token-verifier.ts'
import type { VerifiedToken } from './verified-token.ts'

/** Tells who signed in, by a token of these issuers: `user` of `protect`, over a design that the program has opened. Throws `TokenRefusal` and `Denied`. */
export function signedInBy<U>(
  design: { userOf(token: VerifiedToken): Promise<U> },
  issuers: readonly Issuer[],
  options: TokenOptions = {},
) {
  const verify = tokenVerifier(issuers, options)
  return async (token: string | undefined): Promise<U | undefined> => (token === undefined ? undefined : design.userOf(await verify(token)))
}
