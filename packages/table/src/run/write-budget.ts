/** How far a budget that was not used reaches into what comes: one second's worth may be spent at once. */
const burst_ms = 1000

/** Write units a second that all durable jobs of one connection share: a token bucket that is refilled without a timer. */
export interface WriteBudget {
  readonly units_per_s: number
  /** Sets aside what a piece of work is likely to take; gives the instant, by the monotonic clock, from which it may begin. First come, first served. */
  reserve(units: number): number
  /** Gives back what was set aside, once answers have told what it took instead. */
  release(units: number): void
  /** Takes what an answer says that a write took. */
  readonly pay: (units: number) => void
  /** The instant from which nothing is owed. */
  paid_ms(): number
}

/** `monotonic_ms`: the runtime's clock. */
export function writeBudget(units_per_s: number, monotonic_ms: () => number): WriteBudget {
  /** When all that was taken will have been earned. In the past: that much is left. */
  let earned_ms = Number.NEGATIVE_INFINITY
  const take = (units: number) => {
    earned_ms += (units * 1000) / units_per_s
  }
  const refill = () => {
    earned_ms = Math.max(earned_ms, monotonic_ms() - burst_ms)
    return earned_ms
  }
  return {
    units_per_s,
    reserve: (units) => {
      const from_ms = refill()
      take(units)
      return from_ms
    },
    release: (units) => take(-units),
    pay: (units) => {
      refill()
      take(units)
    },
    paid_ms: refill,
  }
}
