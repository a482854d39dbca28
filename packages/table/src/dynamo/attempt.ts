/** The code of an attempt that ended before any of it was sent. */
export const notSentCode = 'FREEHOLD_NOT_SENT'

/** The failure of a request of which nothing was sent. */
export function notSent(why: string): Error {
  return Object.assign(new Error(`Nothing was sent: ${why}.`), { code: notSentCode })
}

/**
 * One attempt at a request. Its limit covers everything it waits for: credentials, a free connection, the answer's head and the rest of it. It
 * knows whether anything was sent: an attempt that was not cannot have been applied.
 */
export class Attempt {
  #isEnded = false
  #isSent = false
  #stop: (() => void) | undefined

  /** True once the limit has passed: nothing more of it may be sent. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** True once its first byte has left, and false while it waits for a connection; undefined before that. */
  get isSent(): boolean | undefined {
    return this.#isSent || (this.#stop === undefined ? undefined : false)
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
        this.#isEnded = true
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
    return notSent(`no connection was free within ${limit_ms} ms`)
  }
}
