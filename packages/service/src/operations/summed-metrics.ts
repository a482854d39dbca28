import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsText } from './serve-metrics.ts'

/** What one process has counted, as `registry.getMetricsAsJSON()` gives it and a channel carries it. */
export type CountedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The sums of what several processes have counted. @param others asked each time that the metrics are read */
export function summedMetrics(own: Registry, others: () => Promise<readonly CountedMetrics[]>): MetricsText {
  return {
    contentType: own.contentType,
    // prom-client's type wants objects, and its code the arrays that a registry gives.
    metrics: async () => AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...(await others())] as unknown as object[]).metrics(),
  }
}
