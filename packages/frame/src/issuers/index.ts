/** Issuers of tokens, their settings, and the people whom their tokens name. All that take tokens verify them here. */
export type { Algorithm } from './algorithms.ts'
export { type ClaimNames, type Issuer, readIssuers, type UserOfToken } from './issuer.ts'
export type { KeySetBounds } from './key-set.ts'
export { secretOf, type TokenSecret } from './shared-secret.ts'
export { signedInBy } from './signed-in-by.ts'
export { type TokenCode, TokenRefusal } from './token-refusal.ts'
export { type TokenOptions, type TokenVerifier, tokenVerifier, type VerifierOptions } from './token-verifier.ts'
export { type FirstSight, firstSights, type VerifiedPerson, type VerifiedToken } from './verified-token.ts'
