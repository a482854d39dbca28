import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsText } from './serve-metrics.ts'

/** What one process has counted, as `registry.getMetricsAsJSON()` gives it and a channel carries it. */
export type CountedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

const growing: readonly string[] = ['counter', 'histogram']

/** The sum of what processes have counted that are no more: it holds counters and histograms, and no state of now. */
export async function keptMetrics(counted: readonly CountedMetrics[]): Promise<CountedMetrics> {
  // The values of a registry have the type as its name, though prom-client's type is an enumeration of numbers.
  const kept = counted.map((metrics) => metrics.filter(({ type }) => growing.includes(String(type))))
  // As below.
  return AggregatorRegistry.aggregate(kept as unknown as object[]).getMetricsAsJSON()
}

/** The sums of what several processes have counted. @param others asked each time that the metrics are read */
export function summedMetrics(own: Registry, others: () => Promise<readonly CountedMetrics[]>): MetricsText {
  return {
    contentType: own.contentType,
    // prom-client's type wants objects, and its code the arrays that a registry gives.
    metrics: async () => AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...(await others())] as unknown as object[]).metrics(),
  }
}
