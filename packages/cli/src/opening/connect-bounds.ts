import type { ConnectOptions } from '@freehold/table'
import type { Shell } from '../shell.ts'

/** The bounds of each connection to a table: of its calls, and of the durable jobs of any process that it may finish. */
export function connectBounds({ settings }: Pick<Shell, 'settings'>) {
  const { patienceMs, attemptMs, jobRequestsMax, jobWriteUnits } = settings
  return {
    patience_ms: patienceMs,
    attempt_ms: attemptMs,
    jobRequests_max: jobRequestsMax,
    ...(jobWriteUnits === undefined ? {} : { jobWriteUnits_per_s: jobWriteUnits }),
  } satisfies ConnectOptions
}
