import { FreeholdError } from '../errors.ts'

export interface WorkBounds {
  /** Works side by side. */
  readonly atOnce_max: number
  /** Others that wait. */
  readonly waiting_max: number
  /** Says what there is too much of. */
  readonly busy: string
}

/** Bounds work of one kind: some runs side by side, other work waits in order of arrival, and the rest is refused with `Busy` before it begins. */
export function boundedWork({ atOnce_max, waiting_max, busy }: WorkBounds): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = []
  let underWay = 0
  const place = (): Promise<void> | undefined => {
    if (underWay < atOnce_max) {
      underWay++
      return undefined
    }
    if (waiting.length >= waiting_max) throw new FreeholdError('Busy', busy)
    return new Promise((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    // The place passes to the next one that waits.
    if (next === undefined) underWay--
    else next()
  }
  return async (work) => {
    await place()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
