import { errorOf } from '../dynamo/error.ts'
import type { Inputs, Operation, Outputs } from '../dynamo/operation.ts'
import { type Answer, type RetryOptions, sendWithRetry } from '../dynamo/retry.ts'
import { isWrite, unitsOf } from '../dynamo/units.ts'
import { left_ms } from './deadline.ts'
import { metered } from './meter.ts'
import type { Runtime } from './runtime.ts'

const unitsOfAnswer = <O extends Operation>(answer: Answer<O>): number => (answer.ok ? unitsOf(answer.output) : 0)

/**
 * Sends one request, retries it if that is safe, and meters it. `isUncertain` tells the caller that a refusal may come from an earlier
 * attempt of its own. So a request is sent again even after a lost answer (spec rule 13), unless `mayRepeat` refuses. Throws `Busy` or
 * `Unavailable`.
 */
export function trySend<O extends Operation>(
  runtime: Runtime,
  operation: O,
  input: Inputs[O],
  mayRepeat?: RetryOptions['mayRepeat'],
): Promise<Answer<O>> {
  const { sender, table, monotonic_ms, sleep, random, attempt_ms } = runtime
  const options = { table, monotonic_ms, sleep, random, deadlineMs: left_ms(runtime), attemptMs: attempt_ms, repeatable: true, mayRepeat }
  if (isWrite(operation)) runtime.reads?.end()
  return metered(isWrite(operation), () => sendWithRetry(sender, operation, input, options), unitsOfAnswer)
}

/** Sends one request without a condition, and returns its output. */
export function send<O extends Operation>(runtime: Runtime, operation: O, input: Inputs[O]): Promise<Outputs[O]> {
  return trySend(runtime, operation, input).then(outputOf)
}

function outputOf<O extends Operation>(answer: Answer<O>): Outputs[O] {
  if (!answer.ok) throw errorOf(answer.refusal, answer.isUncertain)
  return answer.output
}
