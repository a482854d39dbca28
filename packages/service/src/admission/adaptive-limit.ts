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
/** A thread that does more than this has enough to do. More requests at once would fill the rest, but at up to twice the CPU for each. */
const busy = 0.85
/** More running requests than these are seldom of use: an idle server begins here. */
const beginning = 64

/**
 * Follows the thread, in both directions. While the thread is often idle, running requests wait for the table, and more of them at once are of
 * use. While it is busy, more of them only wait for each other, and each costs more: what they hold outlives young garbage, and a `can` beside
 * 256 others takes half as much CPU again as beside 16. So the limit comes to the least that keeps the thread busy. It falls faster if timers are late,
 * too: the least delay of several counts, as in CoDel (RFC 8289), since one long task delays one of them.
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
      else if (isBusy && wasWanted) limit = Math.max(least, limit - Math.ceil(limit / 16))
      else if (wasWanted) limit = Math.min(max, limit + Math.ceil(limit / 4))
      seen = 0
      least_ms = Number.POSITIVE_INFINITY
      utilized = 0
      wasWanted = false
    },
  }
}
