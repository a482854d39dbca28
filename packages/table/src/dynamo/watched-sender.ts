import { type FailureKind, failureOf } from './error.ts'
import type { Operation } from './operation.ts'
import type { Sender } from './sender.ts'
import { isWrite, unitsOf } from './units.ts'

/** A request that was sent to DynamoDB, once. */
export interface SentRequest {
  readonly operation: Operation
  readonly isWrite: boolean
  /** How it ended. Some kinds are answers: `condition` and `cancelled`. */
  readonly outcome: 'ok' | FailureKind
  /** Counts the attempts of one call, from 1. A later one is a retry. */
  readonly attempt: number
  /** Request units, as far as the answer tells them. */
  readonly units: number
  readonly ms: number
}

/** The same sender, which tells each request when it has ended. `tell` must not throw. */
export function watchedSender(sender: Sender, tell: (sent: SentRequest) => void): Sender {
  return {
    // Known once the endpoint is.
    get keepsTokens() {
      return sender.keepsTokens
    },
    mayResend: sender.mayResend,
    send: async (operation, input, options) => {
      const start_ms = performance.now()
      const ended = (outcome: SentRequest['outcome'], units: number) => {
        tell({ operation, isWrite: isWrite(operation), outcome, attempt: options?.attempt ?? 1, units, ms: performance.now() - start_ms })
      }
      try {
        const output = await sender.send(operation, input, options)
        ended('ok', unitsOf(output))
        return output
      } catch (error) {
        ended(failureOf(error).kind, 0)
        throw error
      }
    },
    close: () => sender.close(),
  }
}
