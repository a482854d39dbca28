import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { called, startService } from '../test/serving.ts'
import { untilClosed } from '../test/until-closed.ts'
import type { SentAnswer } from './http/service-request.ts'
import { serveOnNode } from './serve-on-node.ts'

const service = await startService()
const serving = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
afterAll(() => serving.close())

/** Sends bytes as they are, and gives all that comes back until the other side closes. */
async function exchange(write: (socket: Socket) => void, port = serving.port): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const received = untilClosed(socket.setEncoding('utf8'))
  await once(socket, 'connect')
  write(socket)
  return received
}

/** The status and the JSON body of the first answer in what came back. */
function answerIn(received: string): { status: number; body: unknown } {
  const [head = '', text = ''] = received.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: text === '' ? undefined : JSON.parse(text) }
}

const post = (key: string, more: string) =>
  `POST /v1/rebac/entities/User HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}`

describe('over a socket', () => {
  test('requests are answered, without a banner', async () => {
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
    const user = { displayName: 'Ada', userType: 'LEAD' }
    const response = await fetch(`${serving.address}/v1/rebac/entities/User`, { method: 'POST', headers, body: JSON.stringify(user) })
    expect(response.headers.get('server')).toBeNull()
    expect(await called(response)).toMatchObject({ status: 201, body: user })
    expect(await called(await fetch(`${serving.address}/health`))).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect((await fetch(`${serving.address}/v1`)).status).toBe(401)
    const listed = await called(await fetch(`${serving.address}/v1/rebac/patterns/users?limit=1`, { headers }))
    expect(listed).toMatchObject({ status: 200, body: { items: [{ displayName: 'Ada' }] } })
  })

  test.each([
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'TooLarge'],
    ['a path that is too long', `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'TooLarge'],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'InvalidInput'],
    ['an Expect that nobody knows', 'GET /health HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417, 'InvalidInput'],
    ['no HTTP', 'Hello?\r\n\r\n', 400, 'InvalidInput'],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'InvalidInput'],
    [
      'extensions of chunks that are too large',
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      413,
      'TooLarge',
    ],
  ])('a request with %s is told so by a problem, and its connection ends', async (_, text, status, code) => {
    const received = await exchange((socket) => socket.write(text))
    const { type, instance, ...problem } = Object(answerIn(received).body)
    expect([answerIn(received).status, problem, type]).toEqual([
      status,
      { title: expect.any(String), status, code, detail: expect.any(String) },
      `urn:freehold:error:${code}`,
    ])
    expect(received).toMatch(/^Content-Type: application\/problem\+json\r$/m)
    expect(received).toMatch(/^Cache-Control: no-store\r$/m)
    expect(received).toContain(`X-Request-Id: ${String(instance).replace('urn:uuid:', '')}\r\n`)
    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  test('a connection serves one request after another, also after one that was refused', async () => {
    const body = '{"displayName": 7}'
    const request = post(service.key, `Content-Length: ${body.length}\r\n`)
    const received = await exchange((socket) => socket.write(`${request}\r\n${body}${request}Connection: close\r\n\r\n${body}`))
    expect(received.match(/HTTP\/1\.1 400/g)).toHaveLength(2)
  })

  test('a body in chunks that does not end is cut off', async () => {
    const before = await service.scan()
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const received = await exchange((socket) => {
      socket.write(post(service.key, 'Transfer-Encoding: chunked\r\n\r\n'))
      const more = () => {
        if (!socket.destroyed && socket.writable) socket.write(chunk, more)
      }
      more()
    })
    expect(answerIn(received)).toMatchObject({ status: 400, body: { code: 'TooLarge' } })
    expect(await service.scan()).toEqual(before)
  })

  const large = 'Content-Length: 2000000\r\n'
  test.each([
    ['a body that is declared too large', () => post(service.key, `${large}\r\n`), 400, 'TooLarge'],
    ['one of which the client asks first', () => post(service.key, `${large}Expect: 100-continue\r\n\r\n`), 400, 'TooLarge'],
    [
      'one of which the client asks first, with a wrong key',
      () => post('no', 'Content-Length: 9\r\nExpect: 100-continue\r\n\r\n'),
      401,
      'Denied',
    ],
  ])('%s is refused before it is sent, and its connection ends', async (_, text, status, code) => {
    const received = await exchange((socket) => socket.write(text()))
    expect(answerIn(received)).toMatchObject({ status, body: { code } })
    expect(received).toMatch(/^Connection: close\r$/m)
  })

  test('a body is asked for once the key is known, and the connection goes on', async () => {
    const body = '{"displayName": 7}'
    const request = post(service.key, `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`)
    const received = await exchange((socket) => {
      socket.once('data', () => socket.write(`${body}GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))
      socket.write(request)
    })
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400', 'HTTP/1.1 200'])
  })

  test('a body that is shorter than its Content-Length changes nothing', async () => {
    const before = await service.scan()
    await exchange((socket) => socket.end(post(service.key, 'Content-Length: 100\r\n\r\n{"displayName": "Ada"}')))
    expect(await service.scan()).toEqual(before)
  })

  test('a body that is longer than its Content-Length is another request, and a bad one', async () => {
    const before = await service.scan()
    const received = await exchange((socket) => socket.write(post(service.key, 'Content-Length: 2\r\n\r\n{}{"displayName": "Ada"}')))
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(await service.scan()).toEqual(before)
  })

  test.each([
    ['two ways to end a body', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['no length that is a number', 'Content-Length: -1\r\n\r\n{}'],
    ['too many headers', `X-Much: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a request with %s is refused', async (_, more) => {
    expect(await exchange((socket) => socket.write(post(service.key, more)))).toMatch(/^HTTP\/1\.1 4\d\d /)
  })

  test('a request without a URL in it gets a problem', async () => {
    const received = await exchange((socket) => socket.write('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'))
    expect(answerIn(received)).toMatchObject({ status: 400, body: { code: 'InvalidInput', status: 400 } })
  })
})

describe('a server', () => {
  test('says so where its port is in use', async () => {
    await expect(serveOnNode(service.app, { port: serving.port })).rejects.toMatchObject({
      code: 'Unavailable',
      message: `Port ${serving.port} of 127.0.0.1 is in use: stop the program there, or choose another port.`,
    })
  })

  test('has an address that can be called', async () => {
    const six = await serveOnNode(service.app, { host: '::1', port: 0, grace_ms: 0 })
    expect(six.address).toBe(`http://[::1]:${six.port}`)
    expect((await fetch(`${six.address}/health`)).status).toBe(200)
    await six.close()
  })

  test('that closes answers what was sent, on connections that are kept alive, too, and resets none', async () => {
    const handle = async () => {
      await new Promise(setImmediate)
      return { status: 200, headers: {}, text: 'done' }
    }
    for (let times = 0; times < 20; times++) {
      const stopped = await serveOnNode({ handle }, { port: 0 })
      let answered = 0
      let letStop = () => {}
      const enough = new Promise<void>((resolve) => {
        letStop = resolve
      })
      /** Asks until an answer says that the connection ends. */
      const askOn = async (): Promise<string> => {
        const socket = connect(stopped.port, '127.0.0.1').setEncoding('latin1')
        const errors: Error[] = []
        socket.on('error', (error) => errors.push(error))
        let last = ''
        const ask = () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
        socket.on('data', (text) => {
          last += text
          if (!last.endsWith('\r\n\r\ndone')) return
          if (++answered > 100) letStop()
          if (/^Connection: close\r$/m.test(last)) return
          last = ''
          ask()
        })
        ask()
        await new Promise((resolve) => socket.once('close', resolve))
        return errors.length === 0 ? last.slice(0, 15) : String(errors[0])
      }
      const asking = Array.from({ length: 16 }, askOn)
      await enough
      const closed = stopped.close()
      expect(await Promise.all(asking)).toEqual(Array(16).fill('HTTP/1.1 200 OK'))
      await closed
    }
  })

  test('that closes ends connections on which nothing was asked', async () => {
    const idle = await serveOnNode(service.app, { port: 0, grace_ms: 600_000, idle_ms: 1 })
    const received = exchange(() => undefined, idle.port)
    await expect.poll(() => idle.load().connections).toBe(1)
    await idle.close()
    expect(await received).toBe('')
  })

  test('that closes lets what is under way end, and takes no more', async () => {
    let letGo = (_: SentAnswer) => undefined as unknown
    let isAsked = () => undefined as unknown
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve as () => unknown
    })
    const slow = await serveOnNode(
      {
        handle: () => {
          isAsked()
          return new Promise<SentAnswer>((resolve) => {
            letGo = resolve
          })
        },
      },
      { port: 0, grace_ms: 60_000 },
    )
    const answer = fetch(slow.address)
    await asked
    const closed = slow.close()
    expect(slow.close()).toBe(closed)
    const isRefused = async () => {
      const socket = connect(slow.port, '127.0.0.1')
      const refused = await new Promise((resolve) => socket.once('connect', () => resolve(false)).once('error', () => resolve(true)))
      socket.destroy()
      return refused
    }
    await expect.poll(isRefused).toBe(true)
    letGo({ status: 200, headers: {}, text: 'done' })
    const response = await answer
    expect([await response.text(), response.headers.get('connection')]).toEqual(['done', 'close'])
    await closed
  })

  test('ends what does not end by itself when its grace is over', async () => {
    let isAsked = () => undefined as unknown
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve as () => unknown
    })
    const stuck = await serveOnNode(
      {
        handle: () => {
          isAsked()
          return new Promise<SentAnswer>(() => undefined)
        },
      },
      { port: 0, grace_ms: 1 },
    )
    const socket = connect(stuck.port, '127.0.0.1')
    // It may see a reset before its end, and `once` would fail by that.
    const ended = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
    socket.resume().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await asked
    await Promise.all([ended, stuck.close()])
  })

  test('answers for a service that fails altogether, without saying how', async () => {
    const broken = await serveOnNode({ handle: () => Promise.reject(new Error('hunter2')) }, { port: 0, grace_ms: 0 })
    const response = await called(await fetch(broken.address))
    await broken.close()
    expect(response).toMatchObject({ status: 500, body: { code: 'Unavailable' } })
    expect(JSON.stringify(response.body)).not.toContain('hunter2')
  })
})
