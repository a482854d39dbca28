import { isSpanContextValid, type SpanContext, trace } from '@opentelemetry/api'
import type { RequestHeaders } from '../http/service-request.ts'

/** The members by which OpenTelemetry joins a line of a log to its trace. They are hexadecimal digits, so that a stranger writes nothing else into a log. */
export interface TraceIds {
  readonly trace_id?: string | undefined
  readonly span_id?: string | undefined
  readonly trace_flags?: string | undefined
}

/** W3C Trace Context, section 3.2: later versions may have more behind the flags, version 00 has not, and ff is none. */
const form = /^(?:00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}|(?!00|ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?)$/

function told({ traceId, spanId, traceFlags }: SpanContext): TraceIds | undefined {
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return undefined
  return { trace_id: traceId, span_id: spanId, trace_flags: traceFlags.toString(16).padStart(2, '0') }
}

/** The ids of the span that is active. Undefined without one. */
export function activeTrace(): TraceIds | undefined {
  const span = trace.getActiveSpan()
  return span && told(span.spanContext())
}

/** The ids of a request: those of its own span, or without an SDK those of its caller's, which `traceparent` names. */
export function traceOf(headers: RequestHeaders): TraceIds | undefined {
  const active = activeTrace()
  if (active !== undefined) return active
  const text = headers.get('traceparent')
  if (text === null || text === undefined || !form.test(text)) return undefined
  const [, traceId = '', spanId = '', flags = ''] = text.split('-')
  return told({ traceId, spanId, traceFlags: Number.parseInt(flags, 16) })
}
