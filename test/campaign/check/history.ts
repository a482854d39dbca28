import { type Entry, isRefused, isUncertain, type Touch } from '../record.ts'
import { latestOf } from './finding.ts'

/** All calls that touch one item, in the order in which they began. */
export interface History {
  readonly isAlone: boolean
  readonly calls: readonly Entry[]
}

export function historiesOf(entries: readonly Entry[]): ReadonlyMap<string, History> {
  const found = new Map<string, { isAlone: boolean; calls: Entry[] }>()
  for (const entry of entries) {
    for (const { place, isAlone } of entry.touches) {
      const history = found.get(place) ?? { isAlone: true, calls: [] }
      history.isAlone &&= isAlone === true
      history.calls.push(entry)
      found.set(place, history)
    }
  }
  for (const { calls } of found.values()) calls.sort((one, other) => one.start_ms - other.start_ms)
  return found
}

/** The effect of a call on one item, certain or possible, and its time. */
export interface Effect {
  readonly entry: Entry
  readonly verb: Touch['verb']
  readonly from: number
  readonly until: number
  /** False where it may have been applied, or not. */
  readonly isSure: boolean
  readonly isShared: boolean
}

/**
 * The effects that calls had on one item, or may have had. A removal that waited has ended with its call; one that did not wait, or left its job
 * pending, or whose end is not known, ends whenever its job does.
 */
export function effectsOn(place: string, calls: readonly Entry[]): readonly Effect[] {
  return calls.flatMap((entry) =>
    entry.touches.flatMap((touch): Effect[] => {
      if (touch.place !== place || isRefused(entry)) return []
      const { start_ms: from, end_ms, outcome, waits } = entry
      const { verb, isShared = false } = touch
      const isOpen = verb.endsWith('remove') && (isUncertain(entry) || !waits || outcome.pending.length > 0)
      const until = isOpen ? Number.POSITIVE_INFINITY : isUncertain(entry) ? latestOf(entry) : end_ms
      return [{ entry, verb, from, until, isSure: outcome.is === 'ok' && !verb.startsWith('may') && !isOpen, isShared }]
    }),
  )
}

export const creates = ({ verb }: Pick<Effect, 'verb'>): boolean => verb === 'create' || verb === 'ensure' || verb === 'may-create'
export const removes = ({ verb }: Pick<Effect, 'verb'>): boolean => verb === 'remove' || verb === 'may-remove'
