/** What one sample tells of the event loop. */
export interface LoopSample {
  /** By how much a timer was late, in milliseconds. */
  readonly delay_ms: number
  /** The part of the time, since the sample before, in which the loop had something to do. */
  readonly utilization: number
}

/** A limit that follows the event loop. */
export interface AdaptiveLimit {
  current(): number
  /** @param isWanted true if something waits, or was refused, for want of a place */
  observe(sample: LoopSample, isWanted: boolean): void
}

export interface AdaptiveLimitOptions {
  readonly min: number
  readonly max: number
  readonly delay_ms_max: number
}

/** Samples of one look. One long task, such as a collection of garbage, delays one of them. */
const samples = 5
/** A thread that does more than this has no time left. */
const busy = 0.95
/** More running requests than these are seldom of use: an idle server begins here. */
const beginning = 64

/**
 * Additive increase, multiplicative decrease. Of several samples the least delay counts, as in CoDel (RFC 8289): if it stays while the thread is busy,
 * the thread has more to do than it can, and more requests at once would only make each of them slower. While the thread is idle now and then, requests
 * wait for the table, and more of them at once are of use; a delay then comes of other programs on the machine.
 */
export function adaptiveLimit({ min, max, delay_ms_max }: AdaptiveLimitOptions): AdaptiveLimit {
  const least = Math.min(min, max)
  let limit = Math.max(least, Math.min(beginning, max))
  let seen = 0
  let least_ms = Number.POSITIVE_INFINITY
  let utilized = 0
  let wasWanted = false
  return {
    current: () => limit,
    observe: ({ delay_ms, utilization }, isWanted) => {
      least_ms = Math.min(least_ms, delay_ms)
      utilized += utilization
      wasWanted ||= isWanted
      if (++seen < samples) return
      const isBusy = utilized / samples > busy
      if (isBusy && least_ms > delay_ms_max) limit = Math.max(least, Math.floor(limit * 0.8))
      else if (wasWanted && !isBusy) limit = Math.min(max, limit + Math.ceil(limit / 4))
      else if (wasWanted && least_ms < delay_ms_max / 2) limit = Math.min(max, limit + Math.ceil(limit / 16))
      seen = 0
      least_ms = Number.POSITIVE_INFINITY
      utilized = 0
      wasWanted = false
    },
  }
}
