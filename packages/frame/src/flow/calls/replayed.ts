import { isFreeholdError } from '@freehold/table'
import type { MadeItem, Pendable } from '@freehold/table/runtime'

/** The answer to a repeat of a call under an idempotency key: it had no second effect. */
export type Replayed = Pendable & {
  readonly replayed: true
  /** The items that the first call made or changed, where the result is no item. */
  readonly made?: readonly MadeItem[]
  /** The secrets of the first answer. They are not kept, and told only once. */
  readonly told_once?: readonly string[]
}

/** The result of a flow that was called under an idempotency key: an item is told again, as it is now. */
export type Replayable<R> =
  | (R & { readonly replayed?: never })
  | ((R extends { readonly Type: string; readonly version: number } ? R : unknown) & Replayed)

/** True for a result, or an error, that answers a repeat. */
export function isReplayed(answer: unknown): boolean {
  const told = isFreeholdError(answer) ? answer.details : answer
  return typeof told === 'object' && told !== null && Reflect.get(told, 'replayed') === true
}
