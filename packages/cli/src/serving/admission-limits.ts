import type { AdmissionLimits } from '@freehold/service'
import type { Settings } from '../config/settings.ts'

/** While the queue does not become empty, a request waits for this part of its patience. */
const standing = 1 / 4

/** The limits of admission, as they are set. */
export function admissionLimits(settings: Settings): Partial<AdmissionLimits> {
  const { runningMax, waitingMax, waitingMs, bodiesBytesMax, connectionsMax, headersMs, idleMs, bodyBytesMax } = settings
  return {
    running_max: runningMax,
    waiting_max: waitingMax,
    waiting_ms_max: waitingMs,
    standing_ms_max: waitingMs * standing,
    body_bytes_max: bodyBytesMax,
    bodies_bytes_max: bodiesBytesMax,
    connections_max: connectionsMax,
    headers_ms_max: headersMs,
    idle_ms_max: idleMs,
  }
}
