import { type Awaitable, isTracing } from '@freehold/table/runtime'
import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import { loggedMethods } from '../http/access-log.ts'
import type { Answer, Route } from '../http/route.ts'
import type { Handle, RequestHeaders } from '../http/service-request.ts'

const tracer = trace.getTracer('@freehold/service')

const ofHeaders: TextMapGetter<RequestHeaders> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  // Propagators ask for the headers that they know.
  keys: () => [],
}

/** Does work within a span, and ends that. An error is told by its name: its message may quote data. */
async function withinSpan<T>(span: Span, parent: Context, work: () => Awaitable<T>, tell: (done: T) => void): Promise<T> {
  try {
    const done = await context.with(trace.setSpan(parent, span), work)
    tell(done)
    return done
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : typeof error })
    throw error
  } finally {
    span.end()
  }
}

/** True for the span of a server. The API does not tell the kind of a span, and that of the SDK does. */
const isServers = (span: Span): boolean => 'kind' in span && span.kind === SpanKind.SERVER

/**
 * The same service, with a span for each request, below that of the caller if it sends `traceparent`. Where automatic tracing has made one already, as of Node's server,
 * that is named, and there is no other. Without an SDK of OpenTelemetry nothing is done.
 * @param isPath true for a path of the service: others are the text of a client
 */
export function tracedHandle(handle: Handle, isPath: (path: string) => boolean): Handle {
  return (request) => {
    if (!isTracing()) return handle(request)
    const { method, path, headers } = request
    // Nobody is authenticated yet: the baggage of anybody would go on to DynamoDB and to mails.
    const route = isPath(path) ? path : 'unknown'
    const isTold = loggedMethods.has(method)
    const name = `${isTold ? method : 'HTTP'} ${route}`
    const automatic = trace.getActiveSpan()
    if (automatic !== undefined && isServers(automatic)) {
      automatic.updateName(name).setAttribute('http.route', route)
      return context.with(propagation.deleteBaggage(context.active()), () => handle(request))
    }
    const parent = propagation.deleteBaggage(propagation.extract(context.active(), headers, ofHeaders))
    const span = tracer.startSpan(
      name,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': isTold ? method : '_OTHER', 'http.route': route } },
      parent,
    )
    if (!isSpanContextValid(span.spanContext())) return handle(request)
    return withinSpan(
      span,
      parent,
      () => handle(request),
      ({ status }) => {
        span.setAttribute('http.response.status_code', status)
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      },
    )
  }
}

const told: Readonly<Partial<Record<Route['kind'], string>>> = { decision: 'question', evaluation: 'question', flow: 'flow' }

/** Does the work of a route within a span, if it is a question or a flow. The span has its name and whether it was allowed, and nothing of what was asked. */
export function tracedRoute({ kind, design, path }: Route, work: () => Awaitable<Answer>): Awaitable<Answer> {
  const what = told[kind]
  if (what === undefined || !isTracing()) return work()
  const name = path.slice(path.lastIndexOf('/') + 1)
  const span = tracer.startSpan(`${what} ${name}`, { attributes: { 'freehold.design': design ?? '', [`freehold.${what}`]: name } })
  if (!isSpanContextValid(span.spanContext())) return work()
  return withinSpan(span, context.active(), work, ({ body, code }) => {
    if (typeof body === 'object' && body !== null && 'allowed' in body) span.setAttribute('freehold.allowed', body.allowed === true)
    if (code !== undefined) span.setAttribute('error.type', code)
  })
}
