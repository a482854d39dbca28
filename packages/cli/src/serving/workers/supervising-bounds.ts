import type { Settings } from '../../config/settings.ts'
import type { SupervisingBounds } from './supervise.ts'

/** How workers are supervised, as it is set. */
export function supervisingBounds(settings: Settings): SupervisingBounds {
  return { end_ms: settings.graceMs + 2_000, steady_ms: 10_000, pause_ms_max: 10_000, deaths_max: 8, count_ms: 2_000 }
}
