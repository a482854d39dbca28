import { errorOf } from '../dynamo/error.ts'
import type { Inputs, Operation, Outputs } from '../dynamo/operation.ts'
import { type Answer, type RetryOptions, sendWithRetry } from '../dynamo/retry.ts'
import { left_ms } from './deadline.ts'
import { metered } from './meter.ts'
import type { Runtime } from './runtime.ts'

const writes: ReadonlySet<Operation> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'])

interface Capacity {
  readonly CapacityUnits?: unknown
}

/** The units of a capacity. A value that is not a number counts as none: a malformed answer must not stop the counting. */
function unitsIn(capacity: unknown): number {
  const { CapacityUnits: units } = (capacity ?? {}) as Capacity
  return typeof units === 'number' && Number.isFinite(units) ? units : 0
}

/** The request units of an answer. */
function unitsOf<O extends Operation>(answer: Answer<O>): number {
  if (!answer.ok) return 0
  const { ConsumedCapacity: capacity } = answer.output as { readonly ConsumedCapacity?: unknown }
  return Array.isArray(capacity) ? capacity.reduce((sum: number, each: unknown) => sum + unitsIn(each), 0) : unitsIn(capacity)
}

/**
 * Sends one request, retries it if that is safe, and meters it. `isUncertain` tells the caller that a refusal may come from an earlier
 * attempt of its own. So a request is sent again even after a lost answer (spec rule 13), unless `mayRepeat` refuses. Throws `Busy`,
 * `Unavailable` or
 * `InvalidInput`.
 */
export function trySend<O extends Operation>(
  runtime: Runtime,
  operation: O,
  input: Inputs[O],
  mayRepeat?: RetryOptions['mayRepeat'],
): Promise<Answer<O>> {
  const { sender, monotonic_ms, sleep, random, attempt_ms } = runtime
  const options = { monotonic_ms, sleep, random, deadlineMs: left_ms(runtime), attemptMs: attempt_ms, repeatable: true, mayRepeat }
  return metered(writes.has(operation), () => sendWithRetry(sender, operation, input, options), unitsOf)
}

/** Sends one request without a condition, and returns its output. */
export async function send<O extends Operation>(runtime: Runtime, operation: O, input: Inputs[O]): Promise<Outputs[O]> {
  const answer = await trySend(runtime, operation, input)
  if (!answer.ok) throw errorOf(answer.refusal, answer.isUncertain)
  return answer.output
}
