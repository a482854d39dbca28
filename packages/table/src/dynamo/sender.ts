import type { Inputs, Operation, Outputs } from './operation.ts'

export interface SendOptions {
  /** On abort the call rejects with the signal's reason. The request may have been applied. */
  readonly signal?: AbortSignal
  /** Milliseconds for this attempt. */
  readonly timeoutMs?: number
  /** Headers that a sender adds to its HTTP request, if it makes one itself: those by which a trace goes on. They are not signed. */
  readonly headers?: Readonly<Record<string, string>>
  /** Counts the attempts of one call, from 1, for those who watch them. */
  readonly attempt?: number
}

/**
 * The port to DynamoDB, which all other code uses.
 *
 * It promises: one call is one request, sent once. The answer is DynamoDB's own, in the shapes of its JSON protocol. A call rejects with an
 * error that `failureOf` understands. It does not promise to retry, to split batches, to resend unprocessed keys, or to tell whether a
 * failed request was applied. Metering, caching and faults are wrapped around it.
 */
export interface Sender {
  send<O extends Operation>(operation: O, input: Inputs[O], options?: SendOptions): Promise<Outputs[O]>
  /** True if the database always remembers a transaction's token for ten minutes, as DynamoDB does. Undefined if that is not known, or not yet. */
  readonly keepsTokens?: boolean | undefined
  /** True if it may send one request several times without telling, as the AWS SDK's client does. */
  readonly mayResend?: boolean | undefined
  /** Ends the sender's own connections. It does not close a caller's client. */
  close(): void
}
