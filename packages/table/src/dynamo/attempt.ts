/** The code of an attempt that ended before any of it was sent. */
export const notSentCode = 'FREEHOLD_NOT_SENT'

/**
 * One attempt at a request, which ends at its limit whatever it waits for: credentials, a free connection, the answer's head or the rest of it. It
 * knows whether anything was sent: an attempt that was not cannot have been applied.
 */
export class Attempt {
  #isOver = false
  #isSent = false
  #stop: (() => void) | undefined

  /** True once the limit has passed: nothing more of it may be sent. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Its first byte is about to leave. */
  sent(): void {
    this.#isSent = true
  }

  /** What stops it on its way. */
  onEnd(stop: () => void): void {
    this.#stop = stop
  }

  /** Does the work of the attempt. Rejects at the limit, in milliseconds, with what `failureOf` understands. */
  within<T>(limit_ms: number, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isOver = true
        reject(this.#timeout(limit_ms))
        this.#stop?.()
      }, limit_ms)
      work()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }

  #timeout(limit_ms: number): Error {
    if (this.#isSent) return Object.assign(new Error(`No whole answer within ${limit_ms} ms.`), { name: 'TimeoutError' })
    return Object.assign(new Error(`Nothing was sent within ${limit_ms} ms: no connection was free.`), { code: notSentCode })
  }
}
