import type { AdmissionLimits } from '@freehold/service'
import type { Settings } from '../config/settings.ts'

/** The limits of admission, as they are set. */
export function admissionLimits(settings: Settings): AdmissionLimits {
  const { runningMax, runningMin, waitingMax, waitingMs, standingAfterMs, standingMs, refusalRestMs, delayMs } = settings
  const { bodyBytesMax, bodiesBytesMax, bodyRateMin, bodyGraceMs, healthsMax, knownMax, knownMs, connectionsMax, headersMs, idleMs } =
    settings
  return {
    running_max: runningMax,
    running_min: runningMin,
    waiting_max: waitingMax,
    waiting_ms_max: waitingMs,
    standing_after_ms: standingAfterMs,
    standing_ms_max: Math.min(standingMs, waitingMs),
    rest_ms: refusalRestMs,
    delay_ms_max: delayMs,
    body_bytes_max: bodyBytesMax,
    bodies_bytes_max: bodiesBytesMax,
    body_rate_min: bodyRateMin,
    body_grace_ms: bodyGraceMs,
    healths_max: healthsMax,
    known_max: knownMax,
    known_ms: knownMs,
    connections_max: connectionsMax,
    headers_ms_max: headersMs,
    idle_ms_max: idleMs,
  }
}
