import type { Metadata } from '@freehold/frame/issuers'
import type { KeptSignIn } from './kept-sign-in.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/** The answer of an issuer, and what it is held against. */
export interface IssuerAnswer {
  readonly parameters: URLSearchParams
  readonly kept: KeptSignIn
  readonly metadata: Metadata
  readonly now_ms: number
}

/** One condition of an answer. It throws `SignInRefusal`, and holds no other guard's part. */
export type AnswerGuard = (answer: IssuerAnswer) => void

/** OWASP ASVS 5.0, 10.4.3, has a code end after ten minutes. */
export const signIn_ms = 10 * 60_000

/** Parameters that an issuer sends. Each stands once, so that all readers read the same. */
const ofAnswer = ['state', 'code', 'error', 'iss'] as const
/** Parameters of other flows: their answers bring tokens past us. */
const ofOthers = ['response', 'id_token', 'token', 'access_token'] as const

/** The conditions of an answer, in this order, before its code is used. */
export const answerGuards = {
  time({ kept: { at_ms }, now_ms }) {
    // The seal tells when: it is later than now only by the clock of another process.
    if (now_ms - at_ms >= signIn_ms) throw new SignInRefusal('SignInTooLate')
  },
  form({ parameters }) {
    const isOne = ofAnswer.every((name) => parameters.getAll(name).length <= 1) && !ofOthers.some((name) => parameters.has(name))
    if (!isOne || parameters.has('code') === parameters.has('error')) throw new SignInRefusal('AnswerMalformed')
  },
  /** RFC 9700, section 4.7: nobody is signed in by the answer to a sign-in that another browser began. */
  state({ parameters, kept: { state } }) {
    if (parameters.get('state') !== state) throw new SignInRefusal('StateWrong')
  },
  /** RFC 9207, section 2.4: an issuer never gets the code of another one. */
  sender({ parameters, metadata: { issuer, authorization_response_iss_parameter_supported: isPromised } }) {
    const iss = parameters.get('iss')
    if (iss === null ? isPromised === true : iss !== issuer) throw new SignInRefusal('IssuerMixedUp')
  },
  outcome({ parameters }) {
    if (parameters.has('error')) throw new SignInRefusal('IssuerDenied')
  },
} satisfies Readonly<Record<string, AnswerGuard>>
