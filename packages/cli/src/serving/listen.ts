import {
  type Bound,
  type Refusals,
  type Serveable,
  type ServerLog,
  type ServiceMetrics,
  type Serving,
  serveOnNode,
} from '@freehold/service'
import type { Settings } from '../config/settings.ts'

/** The most requests that wait for a place: eight for each that runs. If one takes a second, the last of them begins within the ten that it may wait. */
export const waitingMax = ({ runningMax }: Settings): number => 8 * runningMax

/**
 * Serves by the settings; logs and counts what is refused.
 * @param bound where another process listens instead
 */
export async function listen(
  service: Serveable,
  settings: Settings,
  log: ServerLog,
  metrics?: ServiceMetrics,
  bound?: Bound,
): Promise<Serving> {
  const { host, port, graceMs: grace_ms, runningMax, bodyBytesMax } = settings
  const told = (refusals: Refusals) => log.line('warn', { source: 'admission', ...refusals })
  const limits = { running_max: runningMax, waiting_max: waitingMax(settings), body_bytes_max: bodyBytesMax }
  const serving = await serveOnNode(service, { host, port, bound, grace_ms, limits, told })
  metrics?.watchLoad(serving.load)
  return serving
}
