import { designModules } from '@freehold/designs'
import { type Sender, watchedSender } from '@freehold/table/runtime'
import { AggregatorRegistry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { type ServiceUnderTest, type Setup, startService } from '../../test/serving.ts'
import { serveOnNode } from '../serve-on-node.ts'
import { createMetrics, type ServiceMetrics } from './metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

const module = designModules.get('rebac') ?? {}
const asked = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
const ends: (() => void)[] = []
afterAll(() => {
  for (const end of ends) end()
})

/** A service that is counted, and how to read its samples: those of a metric, each with its labels. */
async function counted(setup: Setup = {}, sender: Sender = engineSender()) {
  const metrics = createMetrics()
  const service = await startService({ module, metrics, sender: watchedSender(sender, metrics.sent), ...setup })
  ends.push(() => sender.close())
  const samples = async (name: string) => {
    const { values = [] } = (await metrics.registry.getSingleMetric(`freehold_${name}`)?.get()) ?? {}
    return values.map(({ value, labels }) => ({ ...labels, value }))
  }
  return { service, metrics, samples }
}

describe('metrics', () => {
  let service: ServiceUnderTest
  let metrics: ServiceMetrics
  let samples: Awaited<ReturnType<typeof counted>>['samples']
  beforeAll(async () => {
    ;({ service, metrics, samples } = await counted())
  })

  test('count requests by route, method and status, and no path or tenant of a client', async () => {
    await service.call('POST', '/v1/rebac/can', asked)
    await service.call('GET', '/v1/rebac/users/ada@example.org')
    await service.app.request('/v1/rebac/can', { method: 'PURGE' })
    expect(await samples('http_requests_total')).toEqual([
      { route: '/v1/rebac/can', method: 'POST', status: '2xx', value: 1 },
      { route: 'unknown', method: 'GET', status: '4xx', value: 1 },
      { route: '/v1/rebac/can', method: 'other', status: '4xx', value: 1 },
    ])
    const durations = await samples('http_request_duration_seconds')
    expect(durations).toContainEqual(expect.objectContaining({ route: '/v1/rebac/can', method: 'POST', le: '+Inf', value: 1 }))
    expect(await samples('http_requests_running')).toEqual([{ value: 0 }])
  })

  test('count questions by design, outcome and kind of reason, each of a batch, and how many round trips they take', async () => {
    const before = (await samples('decisions_total')).length
    expect(before).toBe(1)
    await service.call('POST', '/v1/rebac/can', { questions: [asked, asked] })
    await service.call('POST', '/v1/rebac/what', { user: 'ada@example.org', location: 'NYC001' })
    await service.call('POST', '/v1/rebac/who', { nonsense: 'ada@example.org' })
    const evaluation = {
      subject: { type: 'user', id: 'ada@example.org' },
      action: { name: 'x' },
      resource: { type: 'page', id: 'dashboard' },
    }
    await service.call('POST', '/authzen/rebac/access/v1/evaluation', evaluation)
    const decisions = await samples('decisions_total')
    expect(decisions).toContainEqual({ design: 'rebac', question: 'can', outcome: 'denied', reason: 'unknown', value: 3 })
    expect(decisions).toContainEqual({ design: 'rebac', question: 'what', outcome: 'denied', reason: 'unknown', value: 1 })
    expect(decisions).toContainEqual({ design: 'rebac', question: 'who', outcome: 'refused', reason: 'none', value: 1 })
    const trips = await samples('decision_round_trips')
    expect(trips).toContainEqual(expect.objectContaining({ design: 'rebac', question: 'can', le: '+Inf', value: 1 }))
  })

  test('count requests to DynamoDB, their units, and what memory saves', async () => {
    await service.call('POST', '/v1/rebac/flows/createRole', { roleName: 'teacher' })
    const units = await samples('dynamodb_request_units_total')
    expect(units).toEqual([
      { kind: 'read', value: expect.any(Number) },
      { kind: 'write', value: expect.any(Number) },
    ])
    for (const { value } of units) expect(value).toBeGreaterThan(0)
    expect(await samples('dynamodb_requests_total')).toContainEqual({ operation: 'TransactWriteItems', outcome: 'ok', value: 1 })
    const reads = await samples('cache_reads_total')
    expect(reads).toContainEqual({ cache: 'keys', result: 'hit', value: expect.any(Number) })
    expect(reads).toContainEqual({ cache: 'definitions', result: 'miss', value: expect.any(Number) })
    expect(await samples('cache_age_seconds')).toContainEqual(expect.objectContaining({ cache: 'keys', le: '+Inf' }))
  })

  test('tell the process, and have no text of a request anywhere', async () => {
    const text = await metrics.registry.metrics()
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
      expect(text).toContain(`\n${name} `)
    expect(text).not.toMatch(/ada|NYC001|nonsense|PURGE|dashboard/)
    expect(text).not.toContain(service.key)
  })

  test('add up over the processes of a cluster', async () => {
    const { metrics: other, service: second } = await counted()
    await second.call('POST', '/v1/rebac/can', asked)
    const both = AggregatorRegistry.aggregate([await metrics.registry.getMetricsAsJSON(), await other.registry.getMetricsAsJSON()])
    expect(await both.metrics()).toContain('freehold_decisions_total{design="rebac",question="can",outcome="denied",reason="unknown"} 4')
  })
})

test('retries and throttles are counted, and a decision that got no answer is a fault', async () => {
  const throttled: Sender = {
    send: async () => {
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } })
    },
    close: () => {},
  }
  const { service, samples } = await counted({ patience_ms: 500 }, throttled)
  expect(await service.call('POST', '/v1/rebac/can', asked)).toMatchObject({ status: 503 })
  expect(await samples('decisions_total')).toEqual([{ design: 'rebac', question: 'can', outcome: 'fault', reason: 'fault', value: 1 }])
  // In this order, since a read beside the one that failed may still be retried.
  const total = async (name: string) => (await samples(name)).reduce((sum, { value }) => sum + Number(value), 0)
  const retries = await total('dynamodb_retries_total')
  const throttles = await total('dynamodb_throttles_total')
  // The first attempt of each call is no retry.
  expect(retries).toBeGreaterThan(0)
  expect(throttles).toBeGreaterThan(retries)
})

test('requests that wait are running, and those that are too many are counted as refused', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow = senderAfter(async () => {
    await opened
  })
  const { service, samples } = await counted({ limits: { inFlight_max: 1 } }, slow)
  const first = service.call('POST', '/v1/rebac/can', asked)
  await expect.poll(async () => (await service.call('POST', '/v1/rebac/can', asked)).status).toBe(503)
  expect(await samples('http_requests_running')).toEqual([{ value: 1 }])
  open()
  await first
  expect(await samples('http_requests_running')).toEqual([{ value: 0 }])
  expect((await samples('http_requests_refused_total'))[0]?.value).toBeGreaterThan(0)
})

test('what admission refuses is a counter, since the start', async () => {
  const metrics = createMetrics()
  let refused = 0
  metrics.watchLoad(() => ({ running: 0, waiting: 0, connections: 0, refused }))
  for (refused of [1, 2, 2]) {
    const text = await metrics.registry.metrics()
    expect(text).toContain('# TYPE freehold_admission_refused_total counter')
    expect(text).toContain(`freehold_admission_refused_total ${refused}\n`)
  }
})

test('the age of the oldest job is told while there is one, and not if the table does not answer', async () => {
  const metrics = createMetrics()
  const createdAt = new Date(Date.now() - 60_000).toISOString()
  metrics.watchJobs('one', { list: async () => [{ createdAt } as never] })
  metrics.watchJobs('none', { list: async () => [] })
  metrics.watchJobs('silent', { list: () => Promise.reject(new Error('gone')) })
  const { values = [] } = (await metrics.registry.getSingleMetric('freehold_oldest_job_age_seconds')?.get()) ?? {}
  expect(values).toEqual([
    { labels: { design: 'one' }, value: expect.any(Number) },
    { labels: { design: 'none' }, value: 0 },
  ])
  expect(values[0]?.value).toBeGreaterThanOrEqual(60)
})

test('metrics have a port of their own, at one path, without a key', async () => {
  const { service, metrics } = await counted()
  const api = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
  const serving = await serveMetrics(metrics.registry, { port: 0, grace_ms: 0 })
  ends.push(
    () => void api.close(),
    () => void serving.close(),
  )
  await (await fetch(`${api.address}/health/live`)).text()
  const answer = await fetch(`${serving.address}/metrics`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain; version=0.0.4')])
  expect(await answer.text()).toContain('freehold_http_requests_total{route="/health/live",method="GET",status="2xx"} 1')
  expect((await fetch(`${serving.address}/metrics`, { method: 'HEAD' })).status).toBe(200)
  expect((await fetch(`${serving.address}/metrics`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${serving.address}/v1`)).status).toBe(404)
  expect((await fetch(`${api.address}/metrics`)).status).toBe(401)
  await Promise.all([api.close(), serving.close()])
  const broken = await serveMetrics(
    { contentType: 'text/plain', metrics: () => Promise.reject(new Error('secret')) },
    { port: 0, grace_ms: 0 },
  )
  const failed = await fetch(`${broken.address}/metrics`)
  expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('secret')])
  await broken.close()
})
