/** Why nobody is signed in, for operators. It says nothing that a request or an issuer says, and goes to no client. */
const sentences = {
  SignInNotBegun: 'This browser has begun no such sign-in at this issuer.',
  SignInForeign: 'Another site has begun the sign-in.',
  DesignUnknown: 'The issuer signs nobody in to such a design.',
  SignInTooLate: 'The sign-in began more than ten minutes ago.',
  SignInUsed: 'The sign-in was used before.',
  AddressUnknown: 'The service does not know its own address: set FREEHOLD_PUBLIC_URL.',
  AnswerMalformed: 'The answer of the issuer lacks a parameter, or has one twice.',
  StateWrong: 'The answer belongs to another sign-in.',
  IssuerMixedUp: 'The answer is of another issuer.',
  IssuerDenied: 'The issuer has signed nobody in.',
  IssuerUnavailable: 'The metadata or the tokens of the issuer cannot be fetched, or are none.',
  CodeRefused: 'The issuer does not take the code.',
  ClientRefused: 'The issuer does not take the client or its secret.',
  NonceWrong: 'The token was made for another sign-in.',
} as const

export type SignInCode = keyof typeof sentences
export const signInCodes: readonly string[] = Object.keys(sentences)

/** Ends a sign-in. */
export class SignInRefusal extends Error {
  readonly code: SignInCode

  constructor(code: SignInCode, options?: ErrorOptions) {
    super(sentences[code], options)
    this.name = 'SignInRefusal'
    this.code = code
  }
}
