/** What was told, and when it was asked for. */
export interface Held<T> {
  readonly at_ms: number
  readonly told: T
}

export interface HoldingBounds {
  /** What is held is not older. */
  readonly age_ms_max: number
  /** How long an issuer that is down is not asked again, 2,000 by default. */
  readonly retryAfter_ms: number
}

/** Holds what an issuer tells: it is asked by one request at a time, and after a failure not again at once. */
export function holding<T>(
  ask: () => Promise<T>,
  now: () => Date,
  { age_ms_max, retryAfter_ms }: HoldingBounds,
  unavailable: (cause?: unknown) => Error,
) {
  let held: Held<T> | undefined
  let failed_ms = Number.NEGATIVE_INFINITY
  let underWay: Promise<Held<T>> | undefined

  const again = (): Promise<Held<T>> => {
    const at_ms = now().getTime()
    if (at_ms >= failed_ms && at_ms - failed_ms < retryAfter_ms) return Promise.reject(unavailable())
    underWay ??= ask()
      .then(
        (told) => {
          held = { at_ms, told }
          return held
        },
        (error: unknown) => {
          failed_ms = at_ms
          throw unavailable(error)
        },
      )
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  /** A clock that was set back says nothing of the age. */
  const isWithin = ({ at_ms }: Held<T>, ms: number) => {
    const age_ms = now().getTime() - at_ms
    return age_ms >= 0 && age_ms < ms
  }
  const current = async () => (held !== undefined && isWithin(held, age_ms_max) ? held : again())
  return { current, again, isWithin }
}
