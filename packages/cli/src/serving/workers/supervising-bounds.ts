import type { Settings } from '../../config/settings.ts'
import type { SupervisingBounds } from './supervise.ts'

/** How workers are supervised, as it is set. */
export function supervisingBounds(settings: Settings): SupervisingBounds {
  const { graceMs, workerEndMs, workerSteadyMs, workerPauseMs, workerDeathsMax, metricsWaitMs } = settings
  return {
    end_ms: graceMs + workerEndMs,
    steady_ms: workerSteadyMs,
    pause_ms_max: workerPauseMs,
    deaths_max: workerDeathsMax,
    count_ms: metricsWaitMs,
  }
}
