import type { AnswerPage } from './decision.ts'
import type { Listed } from './list.ts'
import type { Candidate, Candidates } from './merged-ranges.ts'
import type { LoadResult } from './record.ts'

/** Ids in their order, of which a page shows those that are confirmed. */
export type ListedIds<T = unknown> = Pick<Candidates<T>, 'unusable' | 'isExhausted' | 'read' | 'take'>

/** Round trips that one page may take beyond the definitions (spec rule 14). */
export const stepsMax = 10
/** Records that one of them reads: a hundred batches. */
const itemsAtOnceMax = 10_000

/**
 * One page of the candidates that the design's own items confirm: those that `can` decides by.
 * @param stepsBefore round trips that the first candidates took
 * @param confirm gives those that count, in their order: one round trip
 * @param flawsOf gives all records that were loaded
 */
export async function confirmedPage<T, R>(
  list: Listed,
  candidates: ListedIds<T>,
  stepsBefore: number,
  confirm: (batch: readonly Candidate<T>[]) => Promise<readonly R[]>,
  idOf: (item: R) => string,
  flawsOf: () => readonly LoadResult<unknown>[],
): Promise<AnswerPage<R>> {
  const { limit } = list
  const items: R[] = []
  /** All candidates up to this one have been decided. */
  let decided = list.after
  for (let steps = stepsBefore; ; ) {
    // One more than the page holds says whether another follows.
    const missing = limit + 1 - items.length
    const batch = candidates.take(missing, itemsAtOnceMax)
    if (batch.length > 0) {
      items.push(...(await confirm(batch)))
      decided = batch.at(-1)?.[0]
      steps++
    }
    if (items.length > limit || candidates.isExhausted || steps >= stepsMax) {
      const last = candidates.isExhausted ? undefined : decided
      return list.pageOf(items, idOf, [...flawsOf(), ...candidates.unusable], last)
    }
    steps += await candidates.read(missing, stepsMax - steps)
  }
}
