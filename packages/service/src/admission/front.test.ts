import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ServiceUnderTest, startService } from '../../test/serving.ts'
import { untilClosed } from '../../test/until-closed.ts'
import type { Connection } from '../http/connection.ts'
import type { Handle } from '../http/service-request.ts'
import { type Serving, type ServingOptions, serveOnNode } from '../serve-on-node.ts'
import { taking_ms_max } from './connections.ts'
import { type AdmissionLimits, type Refusals, waiting_ms_max } from './front.ts'

/** A server whose requests end when the test lets them. */
interface Held {
  readonly serving: Serving
  /** The paths of the requests that reached the service, and how to let each end. */
  readonly reached: { readonly path: string; readonly body: () => Promise<string>; letGo(): void; readonly connection: Connection }[]
  readonly told: Refusals[]
}

const open: Serving[] = []
const sockets: Socket[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map((serving) => serving.close()))
})

async function hold(limits: Partial<AdmissionLimits>, more: Partial<ServingOptions> = {}): Promise<Held> {
  const reached: Held['reached'] = []
  const told: Refusals[] = []
  const handle: Handle = async ({ path, readBody, ...connection }) => {
    // It asks for the body at once, as a service does that has verified the caller.
    const body = Promise.resolve(readBody(1_000_000))
    body.catch(() => undefined)
    await new Promise<void>((letGo) => {
      if (path.startsWith('/health')) letGo()
      reached.push({ path, body: async () => String(await body), letGo, connection })
    })
    return { status: 200, headers: {}, text: 'done' }
  }
  const serving = await serveOnNode({ handle }, { port: 0, grace_ms: 0, limits, told: (refusals) => told.push(refusals), ...more })
  open.push(serving)
  return { serving, reached, told }
}

function begin({ port }: Serving, text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.setEncoding('latin1').write(text)
  return socket
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const one = { running_max: 1, waiting_max: 0 } as const
const oneAndLine = { running_max: 1, waiting_max: 10 } as const

describe('a server without room', () => {
  test('refuses before the service sees the request, says when to try again, and keeps the connection', async () => {
    const { serving, reached } = await hold(one)
    const first = fetch(`${serving.address}/first`)
    await expect.poll(() => reached.length).toBe(1)
    const answer = await fetch(`${serving.address}/second`, { method: 'POST', body: '{}' })
    const { status, headers } = answer
    expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '1', 'keep-alive'])
    expect(headers.get('content-type')).toBe('application/problem+json')
    const problem = { type: 'urn:freehold:error:Busy', code: 'Busy', status: 503, instance: `urn:uuid:${headers.get('x-request-id')}` }
    expect(await answer.json()).toMatchObject(problem)
    const named = await fetch(`${serving.address}/authzen/rebac/access/v1/evaluation`, { headers: { 'X-Request-ID': 'r-1' } })
    expect(named.headers.get('x-request-id')).toBe('r-1')
    expect(reached.map(({ path }) => path)).toEqual(['/first'])
    expect(serving.load()).toMatchObject({ running: 1, waiting: 0, refused: 2 })
    reached[0]?.letGo()
    expect((await first).status).toBe(200)
  })

  test('reads nothing more from a connection that it refused, for a while', async () => {
    const { serving, reached } = await hold(one)
    fetch(`${serving.address}/first`).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const socket = begin(serving, get('/second'))
    const answers: string[] = []
    socket.on('data', (text: string) => answers.push(text))
    while (!answers.join('').includes(' 503 ')) await once(socket, 'data')
    // The rest begins after the answer, so a connection of its own goes before.
    expect((await fetch(`${serving.address}/other`)).status).toBe(503)
    socket.write(get('/third'))
    // Another is read meanwhile: what came before it would have been, too.
    await fetch(`${serving.address}/health`)
    expect(serving.load().refused).toBe(2)
    vi.advanceTimersByTime(200)
    await once(socket, 'data')
    expect(serving.load().refused).toBe(3)
  })

  test('does not wait for a body to refuse it', async () => {
    const { serving, reached } = await hold(one)
    fetch(`${serving.address}/first`).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    const half = begin(serving, 'POST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{')
    expect(String(await once(half, 'data'))).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('still answers health', async () => {
    const { serving, reached } = await hold(one)
    void fetch(`${serving.address}/first`).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    for (const path of ['/health', '/health/live', '/health/ready?x']) expect((await fetch(serving.address + path)).status).toBe(200)
    expect((await fetch(`${serving.address}/healthy`)).status).toBe(503)
    expect((await fetch(`${serving.address}/health`, { method: 'POST' })).status).toBe(503)
  })

  test('tells refusals once a second, and not one by one', async () => {
    const { serving, reached, told } = await hold(one)
    void fetch(`${serving.address}/first`).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    await Promise.all(Array.from({ length: 50 }, () => fetch(serving.address)))
    await expect.poll(() => told.reduce((sum, { refused }) => sum + refused, 0)).toBe(50)
    expect(told.length).toBeLessThan(50)
  })

  test('gives the place of a request to one that waits', async () => {
    const { serving, reached } = await hold(oneAndLine)
    const answers = ['/1', '/2'].map((path) => fetch(serving.address + path))
    await expect.poll(() => serving.load().waiting).toBe(1)
    reached[0]?.letGo()
    await expect.poll(() => reached.length).toBe(2)
    reached[1]?.letGo()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
    await expect.poll(() => serving.load()).toMatchObject({ running: 0, waiting: 0 })
  })

  test('forgets one that waits when its client goes away', async () => {
    const { serving, reached } = await hold(oneAndLine)
    void fetch(serving.address).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    const waits = begin(serving, get('/'))
    await expect.poll(() => serving.load().waiting).toBe(1)
    waits.destroy()
    await expect.poll(() => serving.load().waiting).toBe(0)
    expect(reached).toHaveLength(1)
  })

  test('refuses one that has waited for too long', async () => {
    const { serving, reached } = await hold(oneAndLine)
    void fetch(serving.address).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const late = fetch(serving.address)
    // The timers of the test's own polls are faked, too.
    while (serving.load().waiting === 0) await new Promise(setImmediate)
    vi.advanceTimersByTime(waiting_ms_max)
    expect((await late).status).toBe(503)
    expect(serving.load()).toMatchObject({ running: 1, waiting: 0, refused: 1 })
  })

  test('keeps the place of a request until the service has done with it, though its client has gone', async () => {
    const { serving, reached } = await hold(one)
    const goes = begin(serving, get('/'))
    await expect.poll(() => reached.length).toBe(1)
    goes.destroy()
    await expect.poll(() => serving.load().connections).toBe(0)
    expect((await fetch(serving.address)).status).toBe(503)
    reached[0]?.letGo()
    await expect.poll(() => serving.load().running).toBe(0)
  })
})

describe('slow clients', () => {
  test('whose headers do not end are ended, also those that send nothing', async () => {
    const { serving } = await hold({}, { request_ms: 300 })
    const slow = begin(serving, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    const silent = connect(serving.port, '127.0.0.1')
    sockets.push(silent.on('error', () => undefined).resume())
    const [received] = await Promise.all([untilClosed(slow), untilClosed(silent)])
    expect(received).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"InvalidInput"/)
  })

  const unfinished = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'

  test('whose bodies do not end take no place', async () => {
    const { serving, reached } = await hold(one)
    for (let count = 0; count < 20; count++) begin(serving, unfinished)
    await expect.poll(() => serving.load().connections).toBe(20)
    const fast = fetch(`${serving.address}/fast`)
    await expect.poll(() => reached.length).toBe(1)
    reached[0]?.letGo()
    expect((await fast).status).toBe(200)
    expect(reached.map(({ path }) => path)).toEqual(['/fast'])
  })

  test('whose bodies are too slow are ended', async () => {
    const { serving, reached } = await hold(one, { request_ms: 300 })
    const ended = Array.from({ length: 20 }, () => untilClosed(begin(serving, unfinished)))
    for (const text of await Promise.all(ended)) expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"status":408/i)
    expect(reached).toEqual([])
  })

  test('whose bodies come in parts are answered as others', async () => {
    const { serving, reached } = await hold(one)
    const socket = begin(serving, 'POST /parts HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\n12')
    await expect.poll(() => serving.load().connections).toBe(1)
    expect(serving.load().running).toBe(0)
    const received = untilClosed(socket)
    socket.write('34')
    await expect.poll(() => reached.length).toBe(1)
    expect(await reached[0]?.body()).toBe('1234')
    reached[0]?.letGo()
    expect(await received).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('that do not take their answers are ended, also where they ask for more meanwhile', async () => {
    const text = 'x'.repeat(50_000_000)
    const asked = new Set<string>()
    const handle: Handle = async ({ path }) => {
      asked.add(path)
      return { status: 200, headers: {}, text }
    }
    const serving = await serveOnNode({ handle }, { port: 0, grace_ms: 0 })
    open.push(serving)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (let count = 0; count < 3; count++) begin(serving, get(`/${count}`).repeat(3))
    while (asked.size < 3) await new Promise(setImmediate)
    // The answers to those that were asked meanwhile are handed over later.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    vi.advanceTimersByTime(taking_ms_max)
    vi.useRealTimers()
    await expect.poll(() => serving.load().connections).toBe(0)
  })

  test('that wait to be told to go on send no body where there is no room', async () => {
    const { serving, reached } = await hold(one)
    void fetch(serving.address).catch(() => undefined)
    await expect.poll(() => reached.length).toBe(1)
    const expects = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 4\r\n\r\n'
    expect(await untilClosed(begin(serving, expects))).toMatch(/^HTTP\/1\.1 503 /)
    reached[0]?.letGo()
    await expect.poll(() => serving.load().running).toBe(0)
    const told = begin(serving, expects)
    expect(String(await once(told, 'data'))).toMatch(/^HTTP\/1\.1 100 /)
  })
})

describe('of too many connections', () => {
  test('those go that have been without a request for longest, and not one that is answered', async () => {
    const { serving, reached } = await hold({}, { connections_max: 4 })
    const working = begin(serving, get('/works', 'Connection: close\r\n'))
    await expect.poll(() => reached.length).toBe(1)
    const half = Array.from({ length: 3 }, () => begin(serving, 'GET /half HTTP/1.1\r\n'))
    await expect.poll(() => serving.load().connections).toBe(4)
    const ended = half.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    const next = fetch(`${serving.address}/next`)
    await Promise.race(ended)
    await expect.poll(() => reached.length).toBe(2)
    for (const { letGo } of reached) letGo()
    expect((await next).status).toBe(200)
    expect(await untilClosed(working)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('callers', () => {
  const asks = (serving: Serving, key: string) => fetch(`${serving.address}/v1`, { headers: { Authorization: `Bearer ${key}` } })

  test('are known once their keys were verified: made-up keys are one caller, with whom they take turns', async () => {
    const { serving, reached } = await hold({ running_max: 8, waiting_max: 4 })
    const first = asks(serving, 'good')
    await expect.poll(() => reached.length).toBe(1)
    reached[0]?.connection.verified?.('a')
    reached[0]?.letGo()
    await first
    reached.length = 0
    const made = Array.from({ length: 30 }, (_, index) => asks(serving, `made up ${index}`))
    // Those that are made up have seven of the eight places, and four of them wait.
    await expect.poll(() => [reached.length, serving.load().waiting, serving.load().refused]).toEqual([7, 4, 19])
    const known = [asks(serving, 'good'), asks(serving, 'good')]
    await expect.poll(() => [reached.length, serving.load().waiting, serving.load().refused]).toEqual([8, 4, 20])
    await expect
      .poll(() => {
        for (const { letGo } of reached) letGo()
        return serving.load().running
      })
      .toBe(0)
    expect((await Promise.all(known)).map(({ status }) => status)).toEqual([200, 200])
    expect((await Promise.all(made)).filter(({ status }) => status === 503)).toHaveLength(20)
  })

  test('of the service are told by its keys', async () => {
    const service: ServiceUnderTest = await startService()
    const named: string[] = []
    const connection: Connection = { verified: (name) => named.push(name) }
    const headers = { Authorization: `Bearer ${service.key}` }
    await service.app.request('/v1', { headers }, connection)
    await service.app.request('/v1', { headers: { Authorization: `Bearer ${service.key.slice(0, -43)}${'A'.repeat(43)}` } }, connection)
    expect(named).toEqual([`key ${service.key.split('_')[1]}`])
  })
})
