import { once } from 'node:events'
import { connect } from 'node:net'
import { rebacModule } from '@freehold/designs/rebac'
import { afterAll, describe, expect, test } from 'vitest'
import { gatewayShapes } from '../test/gateway-events.ts'
import { startService } from '../test/serving.ts'
import { lambdaService } from './lambda/lambda-service.ts'
import { headers_max } from './node/unread-request.ts'
import { serveOnNode } from './serve-on-node.ts'

// What somebody may send who writes to the socket, and not by a client of HTTP.

const { flows: _, ...module } = rebacModule
const service = await startService({ module, trustedProxies: 1 })
const serving = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
afterAll(() => serving.close())

interface Got {
  readonly statuses: readonly number[]
  readonly text: string
}

/** Sends bytes as they are, and then ends, unless it waits for an answer that ends the connection. */
async function raw(text: string, waits = false): Promise<Got> {
  const socket = connect(serving.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (part) => {
    received += part
  })
  socket.on('error', () => undefined)
  socket.write(Buffer.from(text, 'latin1'))
  if (!waits) socket.end()
  await once(socket, 'close')
  return { statuses: [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)), text: received }
}

const body = '{"user":"ada@example.org","location":"x","page":"y"}'
const length = `Content-Length: ${body.length}\r\n`
const asked = (more: string, sent = body) =>
  `POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\n${more}\r\n${sent}`
const second = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'
const many = 'a:\r\n'.repeat(2 * headers_max)

describe('a request whose length two readers may tell differently', () => {
  test.each<[string, () => string]>([
    ['two lengths', () => asked(`${length}Content-Length: 3\r\n`)],
    ['the same length twice', () => asked(`${length}${length}`)],
    ['a list of lengths', () => asked(`Content-Length: ${body.length}, ${body.length}\r\n`)],
    ['a length and chunks', () => asked(`${length}Transfer-Encoding: chunked\r\n`, `0\r\n\r\n${second}`)],
    ['chunks and another coding', () => asked('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n')],
    ['a coding that is none', () => asked('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${second}`)],
    ['a coding after a control character', () => asked('Transfer-Encoding:\u000bchunked\r\n', `0\r\n\r\n${second}`)],
    ['a header over two lines', () => asked(`X-A: b\r\n c: d\r\n${length}`)],
    ['a space before the colon', () => asked(`Content-Length : ${body.length}\r\n`)],
    ['a length with a sign', () => asked(`Content-Length: +${body.length}\r\n`)],
    ['lines without a carriage return', () => asked(length).replaceAll('\r\n', '\n')],
    ['two hosts', () => asked(`Host: b\r\n${length}`)],
    ['a chunk beyond all bounds', () => asked('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${second}`)],
  ])('%s: is refused once, and what follows is no request', async (_, text) => {
    expect((await raw(text())).statuses).toEqual([400])
  })
})

describe('more headers than Node keeps', () => {
  test.each<[string, () => string]>([
    ['a second key', () => asked(`${length}${many}Authorization: Bearer x\r\n`)],
    [
      'the address that the last proxy saw',
      () => asked(`${length}X-Forwarded-For: 198.51.100.1\r\n${many}X-Forwarded-For: 203.0.113.9\r\n`),
    ],
    ['a condition', () => asked(`${length}${many}If-Match: "9"\r\n`)],
  ])('%s at the end: the request is refused, and not read without it', async (_, text) => {
    service.lines.length = 0
    const { statuses, text: told } = await raw(text() + second)
    expect(statuses).toEqual([431])
    expect(told).toContain('"code":"TooLarge"')
    expect(service.lines).toEqual([])
  })

  test('are refused from the first one too many', async () => {
    // Host, Authorization, Content-Type, Content-Length and Connection are there, too.
    const of = (count: number) => asked(`${length}Connection: close\r\n${'a:\r\n'.repeat(count - 5)}`)
    expect((await raw(of(headers_max), true)).statuses).toEqual([200])
    expect((await raw(of(headers_max + 1))).statuses).toEqual([431])
  })
})

test('a condition on what makes an item is refused, and nothing is made', async () => {
  const before = await service.scan()
  for (const condition of ['"1"', '*']) {
    const { status, body: told } = await service.call('POST', '/v1/rebac/entities/Role', { roleName: 'r' }, { 'If-Match': condition })
    expect([status, told]).toMatchObject([400, { issues: [{ path: ['If-Match'] }] }])
  }
  expect(await service.scan()).toEqual(before)
})

test('a key of idempotency is its caller’s alone, and the same by each face', async () => {
  const { text: other } = await service.keys.newKey('other')
  const path = '/v1/rebac/entities/Page'
  const headers = { 'Idempotency-Key': 'the-same' }
  const make = (more = {}) => service.call('POST', path, { pageName: 'once' }, { ...headers, ...more })
  const eventOf = gatewayShapes['an HTTP API']
  const call = { method: 'POST', path, body: '{"pageName":"once"}' }
  const event = eventOf?.({ ...call, headers: { ...headers, authorization: `Bearer ${service.key}`, 'content-type': 'application/json' } })
  const first = await make()
  expect([first.status, first.body, first.headers.get('Idempotency-Replayed')]).toMatchObject([201, { pageName: 'once' }, null])
  expect((await make()).headers.get('Idempotency-Replayed')).toBe('true')
  expect(await lambdaService(service.app)(event)).toMatchObject({ statusCode: 201, headers: { 'idempotency-replayed': 'true' } })
  expect(await make({ Authorization: `Bearer ${other}` })).toMatchObject({ status: 409, body: { code: 'AlreadyExists' } })
})

test('no header makes another method, path or origin', async () => {
  const headers = {
    'X-HTTP-Method-Override': 'DELETE',
    'X-Original-URL': '/v1/api-keys',
    'X-Rewrite-URL': '/v1/api-keys',
    Origin: 'https://evil.example',
  }
  const { status, body: told, headers: sent } = await service.call('POST', '/v1/rebac/can', JSON.parse(body), headers)
  expect([status, told]).toMatchObject([200, { allowed: false }])
  expect([...sent.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('a key counts in its header alone', async () => {
  const get = (target: string, more: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`
  for (const text of [
    get(`/v1?access_token=${service.key}`, ''),
    get(`http://a:${service.key}@a/v1`, ''),
    get('/v1', `Cookie: Authorization=${service.key}\r\n`),
    get('/v1', `Proxy-Authorization: Bearer ${service.key}\r\n`),
    get('/v1', `Authorization: Bearer ${service.key}\r\nAuthorization: Bearer ${service.key}\r\n`),
    get('/v1', `Authorization: Basic ${Buffer.from(`x:${service.key}`).toString('base64')}\r\n`),
  ])
    expect((await raw(text, true)).statuses).toEqual([401])
  expect(JSON.stringify(service.lines)).not.toContain(service.key)
})

test('an identifier of AuthZEN comes back byte by byte', async () => {
  for (const id of ['a b~!', '\u00e4\u00ff', 'a\tb', '\u0085']) {
    const sent = `POST /authzen/rebac/access/v1/evaluation HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-ID: ${id}\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
    expect((await raw(sent, true)).text).toContain(`\r\nX-Request-Id: ${id}\r\n`)
  }
})
