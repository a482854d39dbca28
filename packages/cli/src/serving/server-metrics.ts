import { type CountedMetrics, createMetrics, type ServiceMetrics, serveMetrics, summedMetrics } from '@freehold/service'
import type { Settings } from '../config/settings.ts'
import type { Closing } from './closing.ts'

/** What is counted, and where it is read. */
export interface ServerMetrics {
  readonly metrics: ServiceMetrics
  readonly address: string
}

/**
 * Serves metrics on a port of their own, if one is named: before anything else, so that a server whose metrics cannot be read does not start.
 * @param others what its workers have counted, whenever metrics are read
 */
export async function openMetrics(
  settings: Settings,
  opened: Closing,
  others: () => Promise<readonly CountedMetrics[]>,
): Promise<ServerMetrics | undefined> {
  const { metricsPort: port, metricsHost: host } = settings
  if (port === undefined) return undefined
  const metrics = createMetrics()
  const serving = await serveMetrics(summedMetrics(metrics.registry, others), { host, port, grace_ms: 1_000 })
  opened.add(() => serving.close())
  return { metrics, address: `${serving.address}/metrics` }
}
