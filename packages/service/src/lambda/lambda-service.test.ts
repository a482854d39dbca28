import { rebacModule } from '@freehold/designs/rebac'
import { describe, expect, test, vi } from 'vitest'
import { eventNamed, type GatewayCall, gatewayShapes, sourceIp } from '../../test/gateway-events.ts'
import { startService } from '../../test/serving.ts'
import { type GatewayAnswer, lambdaService } from './lambda-service.ts'

/** Text that a query must escape. */
const email = "o'brien+b&c=d%41@example.org"
const service = await startService({ module: { decider: rebacModule.decider }, limits: { body_bytes_max: 2_000 } })
const ada = String((await service.call('POST', '/v1/rebac/entities/User', { displayName: 'Ada' })).body.userId)
const made = await service.call('POST', '/v1/rebac/entities/UserEmailEdge', { email, userId: ada, provider: 'google' })
expect(made).toMatchObject({ status: 201 })

/** The parts of an answer that do not differ from request to request. */
interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function told(status: number, { 'x-request-id': request, ...headers }: Readonly<Record<string, string>>, text: string): Told {
  expect(request).toMatch(/^[0-9a-f-]{36}$/)
  if (text === '') return { status, headers, body: text }
  const { instance, ...body } = JSON.parse(text)
  if (instance !== undefined) expect(instance).toBe(`urn:uuid:${request}`)
  return { status, headers, body }
}

const ofGateway = ({ statusCode, headers, multiValueHeaders, body, isBase64Encoded }: GatewayAnswer) => {
  expect(isBase64Encoded).toBe(false)
  const many = Object.entries(multiValueHeaders ?? {}).map(([name, values]) => [name, values.join(', ')])
  return told(statusCode, { ...headers, ...Object.fromEntries(many) }, body)
}

async function plainly({ method, path, headers = {}, body }: GatewayCall): Promise<Told> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...(hasBody ? { body } : {}) })
  const answer = await service.app.fetch(request, { address: sourceIp })
  return told(answer.status, Object.fromEntries(answer.headers), await answer.text())
}

const json = { 'content-type': 'application/json' }
const calls: readonly (readonly [name: string, call: () => GatewayCall, status: number])[] = [
  ['the catalogue', () => ({ method: 'GET', path: '/v1' }), 200],
  ['an item', () => ({ method: 'GET', path: `/v1/rebac/entities/User?userId=${ada}` }), 200],
  [
    'a question',
    () => ({ method: 'POST', path: '/v1/rebac/can', headers: json, body: '{"user":"ada@example.org","location":"Ü","page":"p"}' }),
    200,
  ],
  ['a list', () => ({ method: 'GET', path: '/v1/rebac/patterns/users?limit=1' }), 200],
  [
    'text of other scripts in a query',
    () => ({ method: 'GET', path: `/v1/rebac/patterns/userIdOfEmail?email=${encodeURIComponent(email)}` }),
    200,
  ],
  ['ends of lines in a query', () => ({ method: 'GET', path: '/v1/rebac/patterns/userIdOfEmail?email=a%0D%0A%00' }), 400],
  ['a parameter given twice', () => ({ method: 'GET', path: '/v1/rebac/patterns/users?limit=1&limit=2' }), 400],
  ['a parameter without a value', () => ({ method: 'GET', path: '/v1/rebac/patterns/users?cursor=' }), 400],
  ['a foreign parameter', () => ({ method: 'GET', path: '/v1?a=1' }), 400],
  [
    'a change of another version',
    () => ({
      method: 'PATCH',
      path: `/v1/rebac/entities/User?userId=${ada}`,
      headers: { ...json, 'if-match': '"9"' },
      body: '{"displayName":"A"}',
    }),
    412,
  ],
  ['HEAD', () => ({ method: 'HEAD', path: '/v1' }), 200],
  ['OPTIONS', () => ({ method: 'OPTIONS', path: '/v1' }), 405],
  ['a body with GET', () => ({ method: 'GET', path: '/v1', body: '{}' }), 200],
  ['a body that is no JSON', () => ({ method: 'POST', path: '/v1/rebac/can', headers: json, body: 'Ü{' }), 400],
  ['a body of another type', () => ({ method: 'POST', path: '/v1/rebac/can', headers: { 'content-type': 'text/plain' }, body: '{}' }), 415],
  [
    'a body that is too large',
    () => ({ method: 'POST', path: '/v1/rebac/can', headers: json, body: JSON.stringify({ user: 'u'.repeat(2_000) }) }),
    400,
  ],
  ['a path that there is not', () => ({ method: 'GET', path: '/v1/nothing' }), 404],
  ['a path that is encoded', () => ({ method: 'GET', path: '/v1/%72ebac/patterns/users?limit=1' }), 200],
  ['a path that is encoded twice', () => ({ method: 'GET', path: '/v1/%2572ebac/patterns/users?limit=1' }), 404],
  ['a percent sign in a path', () => ({ method: 'GET', path: '/v1/100%25' }), 404],
  ['a key that is none', () => ({ method: 'GET', path: '/v1', headers: { authorization: 'Bearer nobody' } }), 401],
  ['cookies', () => ({ method: 'GET', path: '/v1', headers: { cookie: 'a=b' } }), 200],
  ['health', () => ({ method: 'GET', path: '/health' }), 200],
]

describe.each(Object.entries(gatewayShapes))('behind %s', (_, eventOf) => {
  test.each(calls)('%s is answered as by the plain service', async (name, callOf, status) => {
    const given = callOf()
    const call = { ...given, headers: { authorization: `Bearer ${service.key}`, 'user-agent': name, ...given.headers } }
    const plain = await plainly(call)
    expect(plain.status).toBe(status)
    service.lines.length = 0
    const answer = await lambdaService(service.app)(eventOf(call))
    expect(ofGateway(answer)).toEqual(plain)
    expect(service.lines).toMatchObject([{ address: sourceIp, method: call.method, status }])
  })

  test('the address of the client is that of the gateway, also if a header says another', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1', 'x-real-ip': '198.51.100.1' }
    service.lines.length = 0
    await lambdaService(service.app)(eventOf({ method: 'GET', path: '/v1', headers }))
    expect(service.lines).toMatchObject([{ address: sourceIp, status: 401 }])
  })

  test.each<[string, Partial<GatewayCall>]>([
    ['a method that is none', { method: 'a b' }],
    ['a method that no request may have', { method: 'TRACE' }],
    ['a name of a header that is none', { headers: { 'a b': 'a' } }],
    ['a key with an end of a line', { headers: { authorization: 'Bearer s3cret\nX-Admin: 1' } }],
    ['a key with a sign that ends texts', { headers: { authorization: 'Bearer s3cret\0' } }],
    ['half a pair', { headers: { 'user-agent': '\ud800' } }],
  ])('a request with %s is a problem, and no log has what it said', async (_, bad) => {
    const written: unknown[] = []
    for (const method of ['log', 'error', 'warn'] as const)
      vi.spyOn(console, method).mockImplementation((...each) => void written.push(each))
    const answer = await lambdaService(service.app)(eventOf({ method: 'GET', path: '/v1', ...bad })).finally(() => vi.restoreAllMocks())
    const { 'X-Request-Id': id, ...headers } = answer.headers ?? {}
    expect({ ...answer, headers }).toMatchObject({
      statusCode: 400,
      headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
    })
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'InvalidInput', instance: `urn:uuid:${id}` })
    expect(written).toEqual([])
  })

  test('signs of a query or of a fragment in a decoded path, and those that a URL leaves out, stay in the path', async () => {
    for (const path of ['/v1?limit=1', '/v1#x', '/v1\t', '/v\n1', '/v1 ', '/v1\0', '/\\v1', '/a\\..\\v1']) {
      const event = eventOf({ method: 'GET', path: '/v1', headers: { authorization: `Bearer ${service.key}` } })
      const inPath = Object.fromEntries(['path', 'rawPath'].filter((name) => name in event).map((name) => [name, path]))
      expect((await lambdaService(service.app)({ ...event, ...inPath })).statusCode).toBe(404)
    }
  })
})

describe('an event', () => {
  test.each(['rest', 'http-2.0', 'function-url'])('of AWS’s guide for %s is refused without a key', async (name) => {
    expect((await lambdaService(service.app)(eventNamed(name))).statusCode).toBe(401)
  })

  test.each([
    ['nothing', undefined],
    ['a text', 'GET /v1'],
    ['a list', []],
    ['no context', { httpMethod: 'GET', path: '/v1' }],
    ['a load balancer', { httpMethod: 'GET', path: '/v1', headers: {}, requestContext: { elb: { targetGroupArn: 'arn' } } }],
    ['a schedule', eventNamed('schedule')],
    ['a path that is none', { httpMethod: 'GET', path: '@evil.example/v1', requestContext: { identity: {} } }],
  ])('of %s is answered with 400', async (_, event) => {
    const answer = await lambdaService(service.app)(event)
    expect(answer).toMatchObject({ statusCode: 400, isBase64Encoded: false })
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'InvalidInput', instance: `urn:uuid:${answer.headers?.['X-Request-Id']}` })
  })

  test('of an unexpected failure tells no detail', async () => {
    const broken = lambdaService({
      fetch: async () => {
        throw new Error('s3cret')
      },
    })
    const answer = await broken(gatewayShapes['a function URL']?.({ method: 'GET', path: '/v1' }))
    expect(answer).toMatchObject({ statusCode: 500, headers: { 'X-Request-Id': expect.stringMatching(/^[0-9a-f-]{36}$/) } })
    expect(JSON.stringify(answer)).not.toContain('s3cret')
  })
})
