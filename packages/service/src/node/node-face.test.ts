import { once } from 'node:events'
import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { isFreeholdError } from '@freehold/table'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { fetchFace } from '../http/fetch-face.ts'
import type { Handle } from '../http/service-request.ts'
import { nodeFace } from './node-face.ts'

const body_bytes_max = 64
const names = ['authorization', 'content-type', 'content-encoding', 'if-match', 'x-request-id', 'x-none']

/** Tells what a face has made of a request. */
const echo: Handle = async ({ method, path, search, headers, readBody }) => {
  const read = async () => readBody(body_bytes_max)
  const body = await read().then(
    (bytes) => Buffer.from(bytes).toString('hex'),
    (error: unknown) => (isFreeholdError(error) ? error.code : 'unexpected'),
  )
  const told = Object.fromEntries(names.map((name) => [name, headers.get(name)?.trim()]))
  return { status: 200, headers: { 'X-Told': 'yes' }, text: JSON.stringify({ method, path, search, headers: told, body }) }
}

let handle: Handle = echo
const server = createServer(nodeFace((request) => handle(request)))
let port = 0
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
// A server that listens on TCP has an AddressInfo.
port = (server.address() as AddressInfo).port
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  readonly isChunked: boolean
}

interface Got {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

async function overNode({ method, target, headers, body, isChunked }: Sent): Promise<Got> {
  const length = body === undefined || isChunked ? [] : ['Content-Length', String(body.length)]
  const all = ['Host', 'a', ...headers.flat(), ...length, ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])]
  const sent = ask({ port, host: '127.0.0.1', method, path: target, headers: all })
  if (isChunked && body !== undefined) {
    const half = body.length >> 1
    sent.write(body.subarray(0, half))
    sent.end(body.subarray(half))
  } else sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

async function overFetch({ method, target, headers, body, isChunked }: Sent) {
  const all = new Headers()
  for (const [name, value] of headers) all.append(name, value)
  if (body !== undefined && !isChunked) all.set('Content-Length', String(body.length))
  const init = { method, headers: all, ...(body === undefined ? {} : { body }) }
  const response = await fetchFace(echo).fetch(new Request(`http://a${target}`, init))
  return { status: response.status, told: response.headers.get('x-told'), text: await response.text() }
}

const value = fc.oneof(
  fc.constantFrom('Bearer a', 'Bearer  b', 'application/json', 'gzip', '"1"', 'a, b', 'ä', ''),
  fc.stringMatching(/^[!-~]{0,8}$/),
)
const sent: fc.Arbitrary<Sent> = fc
  .record({
    method: fc.constantFrom('POST', 'GET', 'HEAD', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'),
    target: fc.stringMatching(/^\/[a-z0-9/.%?&=~+'-]{0,12}$/),
    headers: fc.array(fc.tuple(fc.constantFrom(...names, ...names.map((name) => name.toUpperCase())), value), { maxLength: 5 }),
    body: fc.option(fc.uint8Array({ maxLength: body_bytes_max + 8 }), { nil: undefined }),
    isChunked: fc.boolean(),
  })
  // A Request refuses to have a body with these.
  .map(({ body, ...rest }) => ({ ...rest, body: body === undefined || /^(GET|HEAD)$/.test(rest.method) ? undefined : Buffer.from(body) }))
  .map((one) => ({ ...one, isChunked: one.isChunked && one.body !== undefined }))

describe('over Node', () => {
  test('a request is what it is over fetch, and so is its answer', async () => {
    handle = echo
    await fc.assert(
      fc.asyncProperty(sent, async (one) => {
        const [node, web] = await Promise.all([overNode(one), overFetch(one)])
        expect([node.status, node.headers['x-told']]).toEqual([web.status, web.told])
        if (one.method === 'HEAD') expect(node.text).toBe('')
        else expect(node.text === '' ? '' : JSON.parse(node.text)).toEqual(JSON.parse(web.text))
      }),
      { numRuns: 600 },
    )
  })

  test('an answer has its length, and none has a body of chunks', async () => {
    const answer = await overNode({ method: 'GET', target: '/ä'.replace('ä', '%C3%A4'), headers: [], body: undefined, isChunked: false })
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)))
    expect(JSON.parse(answer.text)).toMatchObject({ path: '/ä' })
    expect(answer.headers['transfer-encoding']).toBeUndefined()
  })

  test.each<[string, Handle]>([
    ['that fails', () => Promise.reject(new Error('hunter2'))],
    ['whose answer no header can hold', async () => ({ status: 200, headers: { 'X-Bad': 'a\nb' }, text: 'hunter2' })],
  ])('a service %s gives 500, without saying how', async (_, failing) => {
    handle = failing
    const answer = await overNode({ method: 'POST', target: '/', headers: [], body: Buffer.from('{}'), isChunked: false })
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([500, { code: 'Unavailable' }])
    expect(answer.text).not.toContain('hunter2')
  })

  test('a body that nobody reads is taken off the connection, which serves the next request', async () => {
    handle = async ({ path }) => ({ status: 401, headers: {}, text: path })
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    const half = 'x'.repeat(30_000)
    socket.write(`POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n${half}`)
    while (!received.includes('/first')) await once(socket, 'data')
    socket.write(`${half}POST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`)
    await once(socket, 'close')
    expect(received.match(/HTTP\/1\.1 401/g)).toHaveLength(2)
    expect(received).toContain('/second')
  })

  test('a body that breaks off is told as that, also if it did so before it was asked for', async () => {
    for (const isLate of [false, true]) {
      const requested = once(server, 'request')
      const told = new Promise<unknown>((resolve) => {
        handle = async ({ readBody }) => {
          const [incoming] = await requested
          // Not `once`, which rejects where the other side resets the connection.
          if (isLate) await new Promise((done) => incoming.on('close', done))
          const read = async () => readBody(body_bytes_max)
          resolve(await read().catch((error: unknown) => error))
          return { status: 200, headers: {}, text: '' }
        }
      })
      const socket = connect(port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{}')
      await requested
      socket.destroy()
      expect(await told).toMatchObject({ code: 'InvalidInput', details: { issues: [{ message: 'ended before it was complete' }] } })
    }
  })
})
