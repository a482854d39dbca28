import type { Handle, SentAnswer } from '../http/service-request.ts'
import { type Serving, type ServingOptions, serveOnNode } from '../serve-on-node.ts'

/** Metrics in the text format of Prometheus: those of a registry, or the sums of several. */
export interface MetricsText {
  readonly contentType: string
  metrics(): Promise<string>
}

/**
 * Serves `GET /metrics`, and nothing else. It has a port of its own, since it needs no key: who may reach the port may read what is counted.
 * @throws FreeholdError `Unavailable` if the port is in use or not allowed
 */
export function serveMetrics(source: MetricsText, options: ServingOptions): Promise<Serving> {
  const handle: Handle = async ({ path, method }) => {
    const answer = (status: number, text: string, headers: Record<string, string> = {}): SentAnswer => ({
      status,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
      text: method === 'HEAD' ? undefined : text,
    })
    if (path !== '/metrics') return answer(404, 'Metrics are at /metrics.\n')
    if (method !== 'GET' && method !== 'HEAD') return answer(405, 'Metrics are read with GET.\n', { Allow: 'GET, HEAD' })
    try {
      return answer(200, await source.metrics(), { 'Content-Type': source.contentType })
    } catch {
      return answer(500, 'Metrics could not be read.\n')
    }
  }
  return serveOnNode({ handle }, options)
}
