import { errorOf } from '../dynamo/error.ts'
import type { Inputs, Operation, Outputs } from '../dynamo/operation.ts'
import { type Answer, sendWithRetry } from '../dynamo/retry.ts'
import { metered } from './meter.ts'
import type { Runtime } from './runtime.ts'

const writes: ReadonlySet<Operation> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'])

interface Capacity {
  readonly CapacityUnits?: number
}

/** The request units that an answer says it took. */
function unitsOf<O extends Operation>(answer: Answer<O>): number {
  if (!answer.ok) return 0
  const { ConsumedCapacity: capacity } = answer.output as { ConsumedCapacity?: Capacity | readonly Capacity[] }
  if (capacity === undefined) return 0
  return 'CapacityUnits' in capacity
    ? (capacity.CapacityUnits ?? 0)
    : (capacity as readonly Capacity[]).reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
}

/**
 * Sends one request, again where that is safe, and meters it. The caller tells by `isUncertain` whether a refusal may be its own doing, so
 * even a lost answer may be asked for again (spec rule 13). Throws `Busy`, `Unavailable` or `InvalidInput`.
 */
export function trySend<O extends Operation>(runtime: Runtime, operation: O, input: Inputs[O]): Promise<Answer<O>> {
  const { sender, now, sleep, random, patience_ms } = runtime
  const options = { now, sleep, random, deadlineMs: patience_ms, repeatable: true }
  return metered(writes.has(operation), () => sendWithRetry(sender, operation, input, options), unitsOf)
}

/** Sends one request that has no condition, and gives its output. */
export async function send<O extends Operation>(runtime: Runtime, operation: O, input: Inputs[O]): Promise<Outputs[O]> {
  const answer = await trySend(runtime, operation, input)
  if (!answer.ok) throw errorOf(answer.refusal, answer.isUncertain)
  return answer.output
}
