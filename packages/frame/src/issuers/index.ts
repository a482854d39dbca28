/** Issuers of tokens, and the people whom their tokens name. */
export { type FirstSight, firstSights, type VerifiedPerson, type VerifiedToken } from './verified-token.ts'
