import type { Awaitable } from '../awaitable.ts'

/** The code of an attempt that ended before anything was sent. */
export const notSentCode = 'FREEHOLD_NOT_SENT'

/** The failure of a request that was not sent. */
export function notSent(why: string): Error {
  return Object.assign(new Error(`Nothing was sent: ${why}.`), { code: notSentCode })
}

/**
 * One attempt at a request. Its limit covers every wait: for credentials, a free connection, the head of the answer and its body. The
 * attempt knows whether anything was sent: if not, it cannot have been applied.
 */
export class Attempt {
  #isEnded = false
  #isSent = false
  #stop: (() => void) | undefined

  /** True once the limit has passed. Nothing more may be sent. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** True once the first byte was sent, false while the attempt waits for a connection, undefined before. */
  get isSent(): boolean | undefined {
    return this.#isSent || (this.#stop === undefined ? undefined : false)
  }

  /** Records that the first byte is about to be sent. */
  sent(): void {
    this.#isSent = true
  }

  /** Registers the function that stops the request at the limit. */
  onEnd(stop: () => void): void {
    this.#stop = stop
  }

  /**
   * Does the work of the attempt. Rejects at the limit, in milliseconds, with an error that `failureOf` understands.
   * @param failed gives the error for one of the work
   */
  within<T>(limit_ms: number, work: () => Awaitable<T>, failed: (cause: unknown) => unknown = (cause) => cause): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isEnded = true
        reject(this.#timeout(limit_ms))
        this.#stop?.()
      }, limit_ms)
      const end = (value: T) => {
        clearTimeout(timer)
        resolve(value)
      }
      const fail = (cause: unknown) => {
        clearTimeout(timer)
        reject(failed(cause))
      }
      try {
        const piece = work()
        if (piece instanceof Promise) piece.then(end, fail)
        else end(piece)
      } catch (cause) {
        fail(cause)
      }
    })
  }

  #timeout(limit_ms: number): Error {
    if (this.#isSent) return Object.assign(new Error(`No complete answer within ${limit_ms} ms.`), { name: 'TimeoutError' })
    return notSent(`no connection was free within ${limit_ms} ms`)
  }
}
