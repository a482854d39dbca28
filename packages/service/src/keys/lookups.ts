import { boundedWork, type WorkBounds } from '@freehold/table/runtime'

/** The limits of looking up keys. */
export type LookupLimits = Omit<WorkBounds, 'busy'>

/** Bounds the lookups of keys and of texts that look like keys, so that a real key among many made-up ones is found, too. */
export function limitedLookups<T, A = string>(look: (asked: A) => Promise<T>, limits: LookupLimits): (asked: A) => Promise<T> {
  const within = boundedWork({ ...limits, busy: 'Too many keys are being looked up. Try again.' })
  return (asked) => within(() => look(asked))
}
