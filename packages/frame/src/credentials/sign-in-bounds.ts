export const minute_ms = 60_000
const day_ms = 24 * 60 * minute_ms

/** How long each thing is good for. A session ends when it is not used, and after a day's work. */
export const signInBounds = {
  idle_ms: 60 * minute_ms,
  session_ms: 12 * 60 * minute_ms,
  code_ms: 10 * minute_ms,
  reset_ms: 15 * minute_ms,
  invitation_ms: 7 * day_ms,
  device_ms: 400 * day_ms,
} as const
