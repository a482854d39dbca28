/** Signing in to the console at an issuer. It brings `openid-client`, which a service without such issuers does not load. */
export { type RelyingPartyOptions, relyingParty } from './relying-party.ts'
