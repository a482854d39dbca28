import type { HttpResponse } from './http-handler.ts'

/** The codes of a refusal that a wrong clock may cause, as the AWS SDK lists them. */
const clockCodes: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'AuthFailure',
  'InvalidSignatureException',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
])

/** A signature is valid for five minutes before and after its time. Like the AWS SDK, we correct a difference from four minutes on. */
const differenceMin_ms = 240_000

/** Thrown for a request that DynamoDB refused for its time. It was not applied, and the next one is signed by the corrected clock. */
export class ClockCorrected extends Error {
  override readonly name = 'ClockCorrected'
}

/** The clock that requests are signed by. It follows DynamoDB's clock as soon as DynamoDB refuses a signature for its time. */
export class SigningClock {
  #ahead_ms: number

  /** @param ahead_ms how far DynamoDB's clock is ahead of this machine's, as far as that is known */
  constructor(ahead_ms = 0) {
    this.#ahead_ms = ahead_ms
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead_ms)
  }

  /**
   * True if the header `date` of a refusal tells that the request was signed at a wrong time. An answer with an `age` comes from a cache:
   * its date is not now.
   */
  isWrong({ headers }: HttpResponse, code: string, signedAt: Date): boolean {
    if (!clockCodes.has(code) || headers.age !== undefined) return false
    return Math.abs(Date.parse(headers.date ?? '') - signedAt.getTime()) >= differenceMin_ms
  }

  /** Sets the clock by the header `date` of an answer that has just arrived. */
  follow({ headers }: HttpResponse): void {
    this.#ahead_ms = Date.parse(headers.date ?? '') - Date.now()
  }
}
