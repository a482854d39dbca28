/** Why a token is refused, for operators. It says nothing that the token holds, and goes to no client. */
const sentences = {
  TokenMalformed: 'The token is not a signed JWT, has several readings, or needs what is not supported.',
  TokenTypeWrong: 'The type of the token is not accepted.',
  AlgorithmNotAllowed: 'The algorithm of the token is not allowed.',
  IssuerWrong: 'The claim iss of the token is not accepted.',
  KeyUnknown: 'The key set has no key for this token, or several.',
  KeysUnavailable: 'The keys of the issuer are not available: no token of it is accepted.',
  SignatureInvalid: 'The signature of the token is wrong.',
  ClaimMissing: 'The token lacks a claim.',
  ClaimMalformed: 'A claim of the token is malformed.',
  TokenExpired: 'The token has expired.',
  TokenNotYetValid: 'The token is not valid yet.',
  TokenUseWrong: 'The claim token_use of the token is not accepted.',
  AudienceWrong: 'The claim aud of the token is not accepted.',
  ClientWrong: 'The application of the token, azp or client_id, is not accepted.',
  TenantWrong: 'The tenant of the token is not accepted.',
} as const

export type TokenCode = keyof typeof sentences
export const tokenCodes: readonly string[] = Object.keys(sentences)

/** Ends the verification of a token. */
export class TokenRefusal extends Error {
  readonly code: TokenCode

  constructor(code: TokenCode, message: string = sentences[code], options?: ErrorOptions) {
    super(message, options)
    this.name = 'TokenRefusal'
    this.code = code
  }
}

export const missing = (claim: string) => new TokenRefusal('ClaimMissing', `The token lacks the claim ${claim}.`)
export const malformed = (claim: string, why = 'is malformed') =>
  new TokenRefusal('ClaimMalformed', `The claim ${claim} of the token ${why}.`)
