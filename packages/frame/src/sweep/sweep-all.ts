import type { Malformed, Page } from '@freehold/table'

/** The counts of a sweep, added up. */
export interface SweepReport {
  readonly counts: Readonly<Record<string, number>>
  /** False if there was no time for the rest: the next sweep does that. */
  readonly isWhole: boolean
  /** Items that do not fit their entity, which were left alone. */
  readonly malformed: readonly Malformed[]
}

/** A flow that sweeps a page of a table at a time, and counts. */
type SweepFlow = (input: Readonly<Record<string, unknown>>) => Promise<Page<unknown>>

/**
 * Sweeps page after page.
 * @param hasTime asked before each further page
 */
export async function sweepAll(
  sweep: SweepFlow,
  input: Readonly<Record<string, unknown>> = {},
  hasTime: () => boolean = () => true,
): Promise<SweepReport> {
  const counts: Record<string, number> = {}
  const malformed: Malformed[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    if (!isFirst && !hasTime()) return { counts, isWhole: false, malformed }
    const page = await sweep(cursor === undefined ? input : { ...input, cursor })
    for (const each of page.items)
      for (const [name, value] of Object.entries(each ?? {})) if (typeof value === 'number') counts[name] = (counts[name] ?? 0) + value
    malformed.push(...(page.malformed ?? []))
    cursor = page.cursor
  }
  return { counts, isWhole: true, malformed }
}

/** The part of a Lambda function's context that a handler needs. */
export interface Invocation {
  getRemainingTimeInMillis(): number
}

/** A page of a sweep takes less than this, in milliseconds. */
const pageTime_ms = 20_000

/**
 * A handler for a scheduled Lambda function, over an opened design that has a flow `sweep`. It ends in time; the next run goes on with what is left.
 * @example export const handler = scheduledSweep(open({ mailing }))
 */
export function scheduledSweep({
  flows,
}: {
  flows(caller: { readonly actor: { readonly kind: 'operator'; readonly name: string } }): {
    sweep: (input: never) => Promise<Page<unknown>>
  }
}) {
  const { sweep } = flows({ actor: { kind: 'operator', name: 'scheduled sweep' } })
  // Each such flow takes a limit and a cursor, and validates its input itself.
  return async (_event: unknown, { getRemainingTimeInMillis }: Invocation): Promise<SweepReport> =>
    sweepAll(
      (input) => sweep(input as never),
      { limit: 200 },
      () => getRemainingTimeInMillis() > pageTime_ms,
    )
}
