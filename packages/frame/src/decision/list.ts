import { FreeholdError, type Malformed, type Runtime } from '@freehold/table'
import { type CursorBinding, openCursor, sealCursor } from '@freehold/table/runtime'
import type { AnswerPage, QuestionName, Reason } from './decision.ts'
import { malformedRecord } from './fault.ts'
import type { HowListed } from './question.ts'
import { type LoadResult, malformedAmong } from './record.ts'

/**
 * Opens the cursor of a list question, which is good for the same question only (spec rule 14). Throws `InvalidCursor`.
 * @param isExpanded true if the list is to hold all scopes beneath those that grant
 */
export function listed(
  runtime: Runtime,
  name: QuestionName,
  question: Readonly<Record<string, string>>,
  { limit, cursor }: HowListed,
  isExpanded: boolean,
) {
  const binding: CursorBinding = { kind: 'question', name, parameters: question }
  const after = cursor === undefined ? undefined : openCursor(runtime, binding, cursor).after
  // Only this file seals cursors of questions, so this is a defect of ours and never an input.
  if (after !== undefined && typeof after !== 'string') throw new FreeholdError('InvalidCursor', 'This cursor holds no position.')
  // A page after others follows items, or a spent budget: malformed records are told beside that.
  const reasonOf = (malformed: readonly Malformed[], nothing: Reason | undefined) => {
    const reason = after === undefined && malformed.length > 0 ? malformedRecord : nothing
    return reason === undefined ? {} : { reason }
  }
  /**
   * A page. If it has no items and a record is malformed, its reason is a fault, before any other reason: the page must not say "none" (spec rule 19).
   * @param last where a further page begins; undefined if there is none
   * @param loaded the records that the page rests on
   * @param nothing why there are none, if the page has no items and no further one begins
   */
  const page = <T>(
    items: readonly T[],
    last: string | undefined,
    loaded: readonly LoadResult<unknown>[],
    nothing?: Reason,
  ): AnswerPage<T> => {
    const malformed = malformedAmong(loaded)
    return {
      items,
      ...(last === undefined ? {} : { cursor: sealCursor(runtime, binding, { after: last }) }),
      ...(malformed.length === 0 ? {} : { malformed }),
      ...(items.length > 0 || last !== undefined ? {} : reasonOf(malformed, nothing)),
    }
  }
  /** The first page of these items. If there are more, the next one begins after the last that it shows. */
  const pageOf = <T>(
    items: readonly T[],
    idOf: (item: T) => string,
    loaded: readonly LoadResult<unknown>[],
    last?: string,
    nothing?: Reason,
  ): AnswerPage<T> => {
    const end = items.length > limit ? items[limit - 1] : undefined
    return page(items.slice(0, limit), end === undefined ? last : idOf(end), loaded, nothing)
  }
  return { limit, isExpanded, /** Items up to this one were on the pages before. */ after, page, pageOf } as const
}

/** One list question as it is asked: where its page begins, and what it can hold. */
export type Listed = ReturnType<typeof listed>
