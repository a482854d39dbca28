import { FreeholdError } from '@freehold/table'

/** What looking keys up may take. */
export interface LookupLimits {
  /** Reads under way at once. */
  readonly atOnce_max: number
  /** Lookups that wait for one of these to end. */
  readonly waiting_max: number
}

/**
 * Bounds what is looked up for whoever comes, with a key or with what looks like one: so many at once, the others in the order in which they came.
 * Each of these waits for no more than those before it, so that a key among many that are made up is found, too. What exceeds that is refused
 * with `Busy`, before anything is read.
 */
export function limitedLookups<T>(
  look: (keyId: string) => Promise<T>,
  { atOnce_max, waiting_max }: LookupLimits,
): (keyId: string) => Promise<T> {
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
    // Whoever is next has the place from now on.
    if (next === undefined) underWay--
    else next()
  }
  return async (keyId) => {
    await place()
    try {
      return await look(keyId)
    } finally {
      leave()
    }
  }
}
