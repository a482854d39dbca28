import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { designModules } from '@freehold/designs'
import { rebac as rebacDesign } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { senderOf } from '@freehold/table/runtime'
import {
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startService } from '../../test/serving.ts'
import type { ServiceRequest } from '../http/service-request.ts'
import { transportMailer } from '../mail/transport-mailer.ts'
import { openLog } from './log.ts'
import { tracedHandle } from './traced.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const rebac = designModules.get('rebac')
/** The lines of changes, as a server logs them, and those of its decision log. */
const others: Readonly<Record<string, unknown>>[] = []
const log = openLog({ hold_ms: 0, write: (line) => void others.push(JSON.parse(line)) })
const flows = rebac?.flows?.loggedBy((line) => log.line('info', line))
const service = await startService({
  module: { ...rebac, ...(flows && { flows }) },
  decisionLog: { write: (line) => void others.push({ ...line }) },
})
let before = 0
const lines = (): readonly Readonly<Record<string, unknown>>[] => [...others, ...service.lines.slice(before).map((line) => ({ ...line }))]
const asked = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`
const mail = { id: 'm', to: { address: 'a@b.example' }, subject: 's', text: 't', html: 'h' }

afterAll(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})
beforeEach(() => {
  exporter.reset()
  others.length = 0
  before = service.lines.length
})

/** What a server of DynamoDB receives of one request. */
async function received(send: (endpoint: string) => Promise<unknown>) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const request = once(server, 'request').then(([{ headers }]) => headers)
  await send(`http://127.0.0.1:${port}`)
  server.close()
  return request
}

const get = async (endpoint: string) => {
  const sender = senderOf({ endpoint })
  await sender.send('GetItem', { TableName: 't', Key: { PK: { S: 'a' } } })
  sender.close()
}

/** The headers of a mail that is sent now. */
async function mailed() {
  const sent: unknown[] = []
  const transport = { sendMail: async ({ headers }: { headers?: unknown }) => ({ messageId: String(sent.push(headers)) }) }
  // The mailer uses this one method of a transport.
  await transportMailer({ address: 'a@b.example' }, transport as never).send(mail)
  return sent[0]
}

test('without an SDK nothing is added to a request or a mail', async () => {
  expect(await service.call('POST', '/v1/rebac/can', asked, { traceparent })).toMatchObject({ status: 200 })
  expect(await received(get)).not.toHaveProperty('traceparent')
  expect(await mailed()).toEqual({})
  expect(exporter.getFinishedSpans()).toEqual([])
})

const ids = { trace_id: traceId, span_id: parentId, trace_flags: '01' }
const zeros = '0'.repeat(32)

test.each<[string | undefined, object | undefined]>([
  [traceparent, ids],
  [`00-${traceId}-${parentId}-00`, { ...ids, trace_flags: '00' }],
  [`cc-${traceId}-${parentId}-01-what-comes-one-day`, ids],
  [undefined, undefined],
  ['', undefined],
  [`${traceparent}-more`, undefined],
  [`${traceparent}, ${traceparent}`, undefined],
  [`ff-${traceId}-${parentId}-01`, undefined],
  [`00-${zeros}-${parentId}-01`, undefined],
  [`00-${traceId}-${zeros.slice(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-${parentId}-01`, undefined],
  [`00-${traceId}-${parentId}-1`, undefined],
  ['00-ada@example.org', undefined],
])('the lines of a request with the traceparent %s have its ids, or none', async (text, expected) => {
  await service.call('POST', '/v1/rebac/can', asked, text === undefined ? {} : { traceparent: text })
  expect(lines()).toHaveLength(2)
  for (const { trace_id, span_id, trace_flags } of lines())
    expect({ trace_id, span_id, trace_flags }).toEqual(expected ?? { trace_id: undefined, span_id: undefined, trace_flags: undefined })
})

/** As that of an SDK, which would bring a tracer, too. */
function contextManager(): ContextManager {
  const active = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (given, work, self, ...rest) => active.run(given, () => work.call(self, ...rest)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

/** Passes on what it reads. */
const passingOn: TextMapPropagator = {
  extract: (within, carrier, { get }) =>
    get(carrier, 'traceparent') === undefined ? within : trace.setSpanContext(within, { traceId, spanId: parentId, traceFlags: 1 }),
  inject: (within, carrier, { set }) => {
    const { traceId, spanId } = trace.getSpanContext(within) ?? {}
    set(carrier, 'traceparent', `00-${traceId}-${spanId}-01`)
  },
  fields: () => ['traceparent'],
}

test('a program without a tracer passes the trace of its caller on, if it has a propagator', async () => {
  context.setGlobalContextManager(contextManager())
  propagation.setGlobalPropagator(passingOn)
  try {
    const inner: unknown[] = []
    const handle = tracedHandle(
      async () => {
        inner.push(await received(get))
        return { status: 200, headers: {}, text: undefined }
      },
      () => true,
    )
    await handle({ method: 'GET', path: '/v1', search: '', headers: new Headers({ traceparent }), readBody: () => new Uint8Array() })
    expect(inner).toEqual([expect.objectContaining({ traceparent })])
  } finally {
    context.disable()
    propagation.disable()
  }
})

describe('with an SDK', () => {
  beforeEach(() => provider.register())

  test('a request has a span below that of its caller, its question one below, and each request to DynamoDB one below that', async () => {
    await service.call('POST', '/v1/rebac/can', asked, { traceparent })
    const spans = exporter.getFinishedSpans()
    const [request] = spans.filter(({ kind }) => kind === SpanKind.SERVER)
    const [question] = spans.filter(({ name }) => name === 'question can')
    expect(request).toMatchObject({
      name: 'POST /v1/rebac/can',
      parentSpanContext: { traceId, spanId: parentId },
      attributes: { 'http.request.method': 'POST', 'http.route': '/v1/rebac/can', 'http.response.status_code': 200 },
    })
    expect(question?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
    expect(question?.attributes).toEqual({ 'freehold.design': 'rebac', 'freehold.question': 'can', 'freehold.allowed': false })
    const table = service.table.runtime.table
    const sent = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === question?.spanContext().spanId)
    expect(sent.length).toBeGreaterThan(0)
    for (const { kind, attributes } of sent)
      expect({ kind, attributes }).toMatchObject({
        kind: SpanKind.CLIENT,
        attributes: { 'db.system': 'dynamodb', 'db.operation': expect.any(String), 'aws.dynamodb.table_names': [table] },
      })
    for (const each of spans) expect(each.spanContext().traceId).toBe(traceId)
  })

  test('a request that automatic tracing has a span of gets no second one, and names that', async () => {
    const automatic = trace.getTracer('automatic').startSpan('POST', { kind: SpanKind.SERVER })
    await context.with(trace.setSpan(context.active(), automatic), () => service.call('POST', '/v1/rebac/can', asked, { traceparent }))
    automatic.end()
    const spans = exporter.getFinishedSpans()
    expect(spans.filter(({ kind }) => kind === SpanKind.SERVER)).toMatchObject([
      { name: 'POST /v1/rebac/can', attributes: { 'http.route': '/v1/rebac/can' } },
    ])
    const [question] = spans.filter(({ name }) => name === 'question can')
    expect(question?.parentSpanContext?.spanId).toBe(automatic.spanContext().spanId)
  })

  test('the lines of a request, of its question and of its change have the ids of the spans in which they were written', async () => {
    await service.call('POST', '/v1/rebac/can', asked, { traceparent })
    await service.call('POST', '/v1/rebac/flows/createRole', { roleName: 'scribe' }, { traceparent })
    const spans = exporter.getFinishedSpans()
    const idsOf = (name: string) => spans.filter((span) => span.name === name).map((span) => span.spanContext().spanId)
    const toldBy = (member: string) =>
      lines()
        .filter((line) => member in line)
        .map(({ span_id }) => span_id)
    expect(toldBy('question')).toEqual(idsOf('POST /v1/rebac/can'))
    expect(toldBy('route')).toEqual([...idsOf('POST /v1/rebac/can'), ...idsOf('POST /v1/rebac/flows/createRole')])
    expect(toldBy('flow')).toEqual(idsOf('flow createRole'))
    expect(new Set(lines().map(({ trace_id }) => trace_id))).toEqual(new Set([traceId]))
  })

  test('the baggage of a caller, whom nobody knows yet, goes no further', async () => {
    const inner: unknown[] = []
    const handle = tracedHandle(
      async () => {
        inner.push(propagation.getActiveBaggage()?.getAllEntries(), await received(get))
        return { status: 200, headers: {}, text: undefined }
      },
      () => true,
    )
    const headers = new Headers({ traceparent, baggage: 'userId=ada' })
    const request: ServiceRequest = { method: 'GET', path: '/v1', search: '', headers, readBody: async () => new Uint8Array() }
    await handle(request)
    expect(inner).toEqual([undefined, expect.not.objectContaining({ baggage: expect.anything() })])
    expect(inner[1]).toMatchObject({ traceparent: expect.stringContaining(traceId) })
  })

  test('a flow has one, and no span has a text of a request', async () => {
    await service.call('POST', '/v1/rebac/flows/createRole', { roleName: 'Zauberin' })
    await service.call('POST', '/v1/rebac/can', { ...asked, user: 'zauberin@example.org' })
    await service.call('GET', '/zauberin')
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['flow createRole', 'TransactWriteItems', 'GET unknown']))
    const told = spans.map(({ name, attributes, status, events }) => ({ name, attributes, status, events }))
    expect(JSON.stringify(told)).not.toMatch(/zauberin|example\.org|NYC001/i)
    expect(JSON.stringify(told)).not.toContain(service.key)
  })

  test('a request to DynamoDB and a mail carry the trace on', async () => {
    const within = async (work: () => Promise<unknown>) => {
      const span = trace.getTracer('test').startSpan('above')
      try {
        return await context.with(trace.setSpan(context.active(), span), work)
      } finally {
        span.end()
      }
    }
    const headers = await within(() => received(get))
    const [sent] = exporter.getFinishedSpans().filter(({ name }) => name === 'GetItem')
    expect(headers).toMatchObject({ traceparent: `00-${sent?.spanContext().traceId}-${sent?.spanContext().spanId}-01` })
    expect(await within(mailed)).toMatchObject({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) })
  })

  test('a request to an engine within the process has a span, too', async () => {
    const table = connect(rebacDesign, { table: 'own', engine: { sender: { send: async () => ({}) as never, close() {} } } })
    await table.Location.get({ locationId: '01J00000000000000000000000' })
    const spans = exporter.getFinishedSpans().filter(({ attributes }) => String(attributes['aws.dynamodb.table_names']) === 'own')
    expect(spans.map(({ name }) => name)).toEqual(['GetItem'])
  })

  test('a request to DynamoDB that fails is an error, and a condition that does not hold is none', async () => {
    const sender = senderOf({ endpoint: 'http://127.0.0.1:1' })
    await expect(sender.send('GetItem', { TableName: 't', Key: { PK: { S: 'a' } } })).rejects.toThrow()
    sender.close()
    // The service may still write down the last use of the key of a test before.
    const spans = exporter.getFinishedSpans().filter(({ name }) => name === 'GetItem')
    expect(spans).toMatchObject([
      { status: { code: SpanStatusCode.ERROR, message: 'unreached' }, attributes: { 'error.type': 'unreached' } },
    ])
  })
})
