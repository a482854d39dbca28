/** An unused budget is kept for one second, and may then be spent at once. */
const burst_ms = 1000

/** The write units a second that all durable jobs of one connection share: a token bucket without a timer. */
export interface WriteBudget {
  readonly units_per_s: number
  /**
   * Reserves the likely cost of some work. Returns the instant of the monotonic clock from which it may begin. First come, first served.
   */
  reserve(units: number): number
  /** Returns a reservation, once answers have shown the real cost. */
  release(units: number): void
  /** Spends the units of an answer. */
  readonly pay: (units: number) => void
  /** The instant from which the budget is not overdrawn. */
  paid_ms(): number
}

/** Creates a budget. `monotonic_ms` is the runtime's clock. */
export function writeBudget(units_per_s: number, monotonic_ms: () => number): WriteBudget {
  /** The instant at which all spent units are earned. If it is in the past, units are left. */
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
