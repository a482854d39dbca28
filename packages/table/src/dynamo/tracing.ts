import { ProxyTracerProvider, propagation, trace } from '@opentelemetry/api'

/** What a provider has until an SDK takes its place. */
const none = new ProxyTracerProvider().getDelegate()

/**
 * False without an SDK of OpenTelemetry. Spans that are none would be made all the same, and take twenty times as long as this. It is asked each time, since
 * an SDK may be there later than this module.
 */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider()
  const isNone = provider instanceof ProxyTracerProvider && provider.getDelegate() === none
  // A program may pass on the traces of its callers and have no tracer.
  return !isNone || propagation.fields().length > 0
}
