import type { Inputs, Operation, Outputs } from './operation.ts'

export interface SendOptions {
  /** Rejects with the signal's reason; what was under way may have been applied. */
  readonly signal?: AbortSignal
  /** Milliseconds for this attempt. */
  readonly timeoutMs?: number
}

/**
 * The port through which all else reaches DynamoDB.
 *
 * It promises: one call is one request, sent once; the answer is DynamoDB's own, in the shapes of its JSON protocol. A call rejects with what
 * `failureOf` understands. It does not promise to retry, to split batches, to send what was not processed, or to tell whether a request that
 * failed on its way was applied. Metering, caching and faults are wrapped around it.
 */
export interface Sender {
  send<O extends Operation>(operation: O, input: Inputs[O], options?: SendOptions): Promise<Outputs[O]>
  /** True where what answers remembers a transaction's token for ten minutes whatever happens, as DynamoDB does; not known where absent. */
  readonly keepsTokens?: boolean
  /** Ends the connections that the sender made itself; those of a caller's own client are the caller's. */
  close(): void
}
