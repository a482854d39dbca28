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

/** What is no number is not counted: an answer that was garbled on its way is no reason for a budget to stop counting. */
function unitsIn(capacity: unknown): number {
  const { CapacityUnits: units } = (capacity ?? {}) as Capacity
  return typeof units === 'number' && Number.isFinite(units) ? units : 0
}

/** The request units that an answer says it took. */
function unitsOf<O extends Operation>(answer: Answer<O>): number {
  if (!answer.ok) return 0
  const { ConsumedCapacity: capacity } = answer.output as { readonly ConsumedCapacity?: unknown }
  return Array.isArray(capacity) ? capacity.reduce((sum: number, each: unknown) => sum + unitsIn(each), 0) : unitsIn(capacity)
}

/**
 * Sends one request, again where that is safe, and meters it. The caller tells by `isUncertain` whether a refusal may be its own doing, so
 * even a lost answer may be asked for again (spec rule 13), unless `mayRepeat` says otherwise. Throws `Busy`, `Unavailable` or `InvalidInput`.
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

/** Sends one request that has no condition, and gives its output. */
export async function send<O extends Operation>(runtime: Runtime, operation: O, input: Inputs[O]): Promise<Outputs[O]> {
  const answer = await trySend(runtime, operation, input)
  if (!answer.ok) throw errorOf(answer.refusal, answer.isUncertain)
  return answer.output
}
