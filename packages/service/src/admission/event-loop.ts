import type { EventLoopUtilization } from 'node:perf_hooks'
import type { LoopSample } from './adaptive-limit.ts'

/** How often the loop is looked at, in milliseconds. */
const interval_ms = 20

/** Looks at the event loop while it is told to, so that an idle process sleeps. */
export interface LoopWatch {
  /** Begins to look, unless it does. */
  begin(): void
  end(): void
}

/**
 * @param tick called every 20 ms, or as soon as the loop is free. False ends the looks
 * @param now_ms a monotonic clock
 */
export function watchLoop(tick: (sample: LoopSample) => boolean, now_ms: () => number): LoopWatch {
  let timer: NodeJS.Timeout | undefined
  let last_ms = 0
  let last: EventLoopUtilization | undefined
  const end = () => {
    clearInterval(timer)
    timer = undefined
  }
  const look = () => {
    const at_ms = now_ms()
    const delay_ms = Math.max(0, at_ms - last_ms - interval_ms)
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last_ms = at_ms
    last = now
    if (!tick({ delay_ms, utilization })) end()
  }
  return {
    begin: () => {
      if (timer !== undefined) return
      last_ms = now_ms()
      last = performance.eventLoopUtilization()
      timer = setInterval(look, interval_ms).unref()
    },
    end,
  }
}
