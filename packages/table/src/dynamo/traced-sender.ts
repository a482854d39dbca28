import { context, isSpanContextValid, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { failureOf } from './error.ts'
import type { Inputs, Operation, Outputs } from './operation.ts'
import type { Sender, SendOptions } from './sender.ts'
import { isTracing } from './tracing.ts'

const tracer = trace.getTracer('@freehold/table')

const tableIn = (part: unknown): readonly string[] => {
  if (typeof part !== 'object' || part === null) return []
  return 'TableName' in part && typeof part.TableName === 'string' ? [part.TableName] : Object.values(part).flatMap(tableIn)
}

/** The tables of a request. Nothing else of it is told: keys and values are data. */
function tablesOf(input: Inputs[Operation]): string[] {
  const named =
    'RequestItems' in input
      ? Object.keys(input.RequestItems)
      : 'TransactItems' in input
        ? input.TransactItems.flatMap(tableIn)
        : tableIn(input)
  return [...new Set(named)]
}

async function sendWithin<O extends Operation>(
  span: Span,
  sender: Sender,
  operation: O,
  input: Inputs[O],
  options: SendOptions,
): Promise<Outputs[O]> {
  const headers: Record<string, string> = {}
  const within = trace.setSpan(context.active(), span)
  propagation.inject(within, headers)
  if (span.isRecording()) span.setAttribute('aws.dynamodb.table_names', tablesOf(input))
  try {
    return await context.with(within, () => sender.send(operation, input, { ...options, headers }))
  } catch (error) {
    const { kind } = failureOf(error)
    span.setAttribute('error.type', kind)
    // The others are answers, which the caller interprets.
    if (kind !== 'condition' && kind !== 'cancelled') span.setStatus({ code: SpanStatusCode.ERROR, message: kind })
    throw error
  } finally {
    span.end()
  }
}

/** The same sender, with a span for each request. Without an SDK of OpenTelemetry there are no spans, and nothing is added to a request. */
export function tracedSender(sender: Sender): Sender {
  return {
    // Known once the endpoint is.
    get keepsTokens() {
      return sender.keepsTokens
    },
    mayResend: sender.mayResend,
    send: (operation, input, options = {}) => {
      if (!isTracing()) return sender.send(operation, input, options)
      const span = tracer.startSpan(operation, {
        kind: SpanKind.CLIENT,
        attributes: { 'db.system': 'dynamodb', 'db.operation': operation, 'rpc.attempt': options.attempt ?? 1 },
      })
      return isSpanContextValid(span.spanContext())
        ? sendWithin(span, sender, operation, input, options)
        : sender.send(operation, input, options)
    },
    close: () => sender.close(),
  }
}
