import type { ConnectOptions } from '@freehold/table'

/**
 * Pauses between attempts take no time, and yet use up the patience of a call: it ends by its attempts, however busy the machine is.
 * @param from what else makes the clock go on; by default nothing
 */
export function pausingClock(from: () => number = () => 0): Required<Pick<ConnectOptions, 'sleep' | 'monotonic_ms'>> {
  let paused_ms = 0
  return {
    monotonic_ms: () => from() + paused_ms,
    sleep: async (ms) => {
      paused_ms += ms
    },
  }
}
