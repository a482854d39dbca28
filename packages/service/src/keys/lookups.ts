import { FreeholdError } from '@freehold/table'

/** The limits of looking up keys. */
export interface LookupLimits {
  /** Parallel reads. */
  readonly atOnce_max: number
  /** Waiting lookups. */
  readonly waiting_max: number
}

/**
 * Bounds the lookups of keys and of texts that look like keys. Some run in parallel, others wait in order of arrival, so a real key among
 * many made-up ones is found, too. Further lookups are refused with `Busy` before anything is read.
 */
export function limitedLookups<T, A = string>(
  look: (asked: A) => Promise<T>,
  { atOnce_max, waiting_max }: LookupLimits,
): (asked: A) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  const place = (): Promise<void> | undefined => {
    if (underWay < atOnce_max) {
      underWay++
      return undefined
    }
    if (waiting.length >= waiting_max) throw new FreeholdError('Busy', 'Too many keys are being looked up. Try again.')
    return new Promise((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    // The place passes to the next waiting lookup.
    if (next === undefined) underWay--
    else next()
  }
  return async (asked) => {
    await place()
    try {
      return await look(asked)
    } finally {
      leave()
    }
  }
}
