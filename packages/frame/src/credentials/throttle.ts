// Guesses are counted before they are judged: of many that come at once beyond the free ones, one is judged and the others are told to wait.

/** Guesses of one kind: about an account, from a source, or by a device that the account knows. */
export interface Guessed {
  /** The name of the count: opaque text without `#`. */
  readonly of: string
  /** How many guesses are judged at once, before delays begin. */
  readonly free: number
  /** How many there are in a day at most, from the first one on. Unless given, delays alone slow them. */
  readonly most?: number
  /** True of a source: many people may share it. */
  readonly isShared?: boolean
}

/** Counts guesses. No delay is longer than a minute, so that nobody is locked out for good; only what has a most in a day waits for the next one. */
export interface Throttle {
  /** Counts a guess of each kind. The milliseconds to wait where one of them comes too soon. */
  take(guessed: readonly Guessed[]): Promise<number>
  /** After a right one: forgets the guesses about an account, and gives back this one of a source, which others share. */
  right(guessed: readonly Guessed[]): Promise<void>
}
