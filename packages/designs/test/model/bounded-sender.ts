import type { Sender } from '@freehold/table/runtime'

/** More requests of one step are a loop without end. */
const requestsMax = 1000

/** Sends so many requests and no more, so that what never ends is a failure that shrinks, too. */
export class BoundedSender implements Sender {
  private readonly inner: Sender
  private left = requestsMax
  private stop: (error: Error) => void = () => {}

  constructor(inner: Sender) {
    this.inner = inner
  }

  /** Does work that may send so many requests again. Rejects where it sends more. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    this.left = requestsMax
    const tooMany = new Promise<never>((_, reject) => {
      this.stop = reject
    })
    return Promise.race([work(), tooMany])
  }

  readonly send: Sender['send'] = (operation, input, options) => {
    if (this.left-- > 0) return this.inner.send(operation, input, options)
    this.stop(new Error(`more than ${requestsMax} requests`))
    // Nothing more comes of it: whoever sends it has been given up.
    return new Promise(() => {})
  }

  close(): void {
    this.inner.close()
  }
}
