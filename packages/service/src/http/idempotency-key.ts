import { isReplayed } from '@freehold/frame/flow'
import { type FreeholdError, isFreeholdError } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { problemOf } from './problem.ts'
import type { Answer, Asked } from './route.ts'

/**
 * Refuses a key for a write that is not recorded under one: its caller would believe that it may send the request twice.
 * @param instead a sentence that says what such a caller does
 */
export function refuseIdempotencyKey({ idempotencyKey }: Pick<Asked, 'idempotencyKey'>, instead: string): void {
  if (idempotencyKey === undefined) return
  throw invalidInput('The request', [{ path: ['Idempotency-Key'], message: `is for flows and for creating items. ${instead}` }])
}

/**
 * Answers a request that may be a repeat, and says in a header if it is one.
 * @param refused the answer to an error that is no problem
 */
export async function answerOnce(
  run: () => Promise<unknown>,
  answer: (result: unknown) => Answer,
  refused: (error: FreeholdError) => Answer | undefined = () => undefined,
): Promise<Answer> {
  const asReplayed = ({ headers, ...rest }: Answer): Answer => ({ ...rest, headers: { ...headers, 'Idempotency-Replayed': 'true' } })
  try {
    const result = await run()
    if (!isReplayed(result)) return answer(result)
    // A replayed result is an object: the header says what its `replayed` says.
    const { replayed: _, ...told } = result as Readonly<Record<string, unknown>>
    return asReplayed(answer(told))
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const other = refused(error)
    if (isReplayed(error)) return asReplayed(other ?? problemOf(error))
    if (other === undefined) throw error
    return other
  }
}
