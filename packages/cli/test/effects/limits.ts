import { expect } from 'vitest'
import { admission } from '../../../service/src/admission/admission.ts'
import { knownCallers } from '../../../service/src/admission/known-callers.ts'
import type { Environment } from '../../src/environment.ts'
import { admissionLimits } from '../../src/serving/admission-limits.ts'
import { settledBy } from '../settled.ts'
import type { EffectsOf } from './effect.ts'
import { narrow, type ServedBy, served } from './served.ts'

const ask = { user: 'ada@example.org', location: 'NYC001', page: 'reports' }

/** A server with one place and a long queue, of which nobody waits for long, and little memory for bodies. */
const impatientSettings = { runningMax: 1, waitingMax: 1_000, waitingMs: 1, bodiesBytesMax: 1_048_576 }
let impatient: Promise<ServedBy> | undefined
const impatientServer = (): Promise<ServedBy> => {
  impatient ??= served(impatientSettings)
  return impatient
}

/** A server that has many places from the beginning, and little patience with bodies. */
const roomySettings = { runningMin: 200, runningMax: 1_000, waitingMax: 0, bodyGraceMs: 50, bodyRateMin: 10_000_000, headersMs: 3_000 }
let roomy: Promise<ServedBy> | undefined
const roomyServer = (): Promise<ServedBy> => {
  roomy ??= served(roomySettings)
  return roomy
}

/** True if a body is ended before headers are, which do not end either. */
async function isEndedFirst(body: string): Promise<boolean> {
  const server = await roomyServer()
  const slow = async (text: string) => {
    const socket = await server.socket()
    const answer = new Promise<string>((resolve) => socket.once('data', (received) => resolve(String(received))))
    socket.write(text)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
    socket.destroy()
    return text
  }
  const sent = `POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n${body}`
  const both = [slow(sent), slow('GET /v1 HTTP/1.1\r\nHost: ')]
  const first = await Promise.race(both)
  await Promise.all(both)
  return first === sent
}

/** The places and the queue of a server with these variables, on a clock of the test. */
function admitting(env: Environment) {
  const clock = { now_ms: 0 }
  const limits = { ...admissionLimits(settledBy(env)), running_max: 40, running_min: 1 }
  const places = admission(limits, () => clock.now_ms)
  const refused: number[] = []
  const ask = () =>
    places.enter(
      { caller: 'a', address: '192.0.2.1' },
      () => undefined,
      () => refused.push(clock.now_ms),
    )
  for (let count = 0; count < 60; count++) ask()
  /** Lets time pass, with samples of a loop that is as late as this. */
  const pass = (ms: number, delay_ms: number) => {
    for (const until_ms = clock.now_ms + ms; clock.now_ms < until_ms; ) {
      clock.now_ms += 20
      places.tick({ delay_ms, utilization: 1 })
    }
  }
  return { limit: () => places.load().limit, pass, refused }
}

/** Sends requests at once over one connection. @returns the status of each */
async function statusesOf(server: ServedBy, count: number, path = '/v1'): Promise<readonly string[]> {
  const socket = (await server.socket()).setEncoding('latin1')
  const get = (more: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  socket.write(`${get('').repeat(count - 1)}${get('Connection: close\r\n')}`)
  await new Promise((resolve) => socket.once('close', resolve))
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status = '']) => status)
}

export const limits: EffectsOf<'Limits of requests'> = {
  bodyBytesMax: async () => {
    const { call, bodyBytesMax } = await narrow()
    const body = JSON.stringify(ask)
    expect((await call('POST', '/v1/rebac/can', body.padEnd(bodyBytesMax))).status).toBe(200)
    const refused = await call('POST', '/v1/rebac/can', body.padEnd(bodyBytesMax + 1))
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining(`${bodyBytesMax} bytes`) })
  },
  queryBytesMax: async () => {
    const { call, queryBytesMax } = await narrow()
    expect((await call('GET', '/v1/rebac/patterns/users?limit=1')).status).toBe(200)
    const answer = await call('GET', `/v1/rebac/patterns/users?cursor=${'x'.repeat(queryBytesMax)}`)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining(String(queryBytesMax)) })
  },
  questionsMax: async () => {
    const { call, questionsMax } = await narrow()
    const questions = Array.from({ length: questionsMax + 1 }, () => ask)
    expect((await call('POST', '/v1/rebac/can', { questions: questions.slice(1) })).status).toBe(200)
    expect((await call('POST', '/v1/rebac/can', { questions })).status).toBe(400)
  },
  // A request that is answered without a key is one that was not refused.
  runningMax: async () => {
    const server = await narrow()
    const answered = (await statusesOf(server, 40)).filter((status) => status === '401')
    expect(answered).toHaveLength(server.runningMax + server.waitingMax)
  },
  waitingMax: async () => {
    const server = await narrow()
    const refused = (await statusesOf(server, 40)).filter((status) => status === '503')
    expect(refused).toHaveLength(40 - server.runningMax - server.waitingMax)
  },
  runningMin: async () => {
    const answered = (await statusesOf(await roomyServer(), 400)).filter((status) => status === '401')
    // Callers without a key have seven eighths of the places.
    expect(answered).toHaveLength(Math.floor((roomySettings.runningMin * 7) / 8))
  },
  delayMs: async () => {
    const limitWith = (env: Environment) => {
      const { limit, pass } = admitting(env)
      pass(100, 20)
      return limit()
    }
    expect(limitWith({ FREEHOLD_DELAY_MS: '10' })).toBeLessThan(limitWith({ FREEHOLD_DELAY_MS: '30' }))
  },
  standingAfterMs: async () => {
    const { pass, refused } = admitting({ FREEHOLD_STANDING_AFTER_MS: '100', FREEHOLD_STANDING_MS: '40' })
    pass(80, 0)
    expect(refused).toEqual([])
    pass(40, 0)
    expect(refused).not.toEqual([])
  },
  standingMs: async () => {
    const { pass, refused } = admitting({ FREEHOLD_STANDING_AFTER_MS: '1', FREEHOLD_STANDING_MS: '500' })
    pass(480, 0)
    expect(refused).toEqual([])
    pass(40, 0)
    expect(refused).not.toEqual([])
  },
  refusalRestMs: async () => {
    expect(admissionLimits(settledBy({ FREEHOLD_REFUSAL_REST_MS: '70' })).rest_ms).toBe(70)
  },
  waitingMs: async () => {
    const { call } = await impatientServer()
    // Each waits for the table, and for those before it.
    const asked = await Promise.all(Array.from({ length: 300 }, () => call('POST', '/v1/rebac/can', ask)))
    const statuses = new Set(asked.map(({ status }) => status))
    expect([...statuses]).toEqual(expect.arrayContaining([200, 503]))
  },
  bodiesBytesMax: async () => {
    const server = await impatientServer()
    const half = `POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(600_000)}`
    const [first, second] = [await server.socket(), await server.socket()]
    const answers = [first, second].map((socket) => new Promise<string>((resolve) => socket.once('data', (text) => resolve(String(text)))))
    for (const socket of [first, second]) socket.write(half)
    expect(await Promise.race(answers)).toMatch(/^HTTP\/1\.1 503 /)
    for (const socket of [first, second]) socket.destroy()
  },
  bodyGraceMs: async () => {
    expect(await isEndedFirst('x')).toBe(true)
  },
  bodyRateMin: async () => {
    expect(await isEndedFirst('x'.repeat(100_000))).toBe(true)
  },
  healthsMax: async () => {
    const server = await narrow()
    const answered = (await statusesOf(server, 40, '/health/live')).filter((status) => status === '200')
    // A second may end between two of them.
    expect(answered.length - server.runningMax - server.waitingMax).toBeLessThanOrEqual(2 * server.healthsMax)
  },
  knownMax: async () => {
    const callers = knownCallers(admissionLimits(settledBy({ FREEHOLD_KNOWN_MAX: '1' })), () => 0)
    for (const name of ['first', 'second']) callers.brought(`Bearer ${name}`).verified(name)
    expect(['first', 'second'].map((name) => callers.brought(`Bearer ${name}`).caller)).toEqual([undefined, 'second'])
  },
  knownMs: async () => {
    const clock = { now_ms: 0 }
    const callers = knownCallers(admissionLimits(settledBy({ FREEHOLD_KNOWN_MS: '500' })), () => clock.now_ms)
    callers.brought('Bearer a').verified('a')
    clock.now_ms = 499
    expect(callers.brought('Bearer a').caller).toBe('a')
    clock.now_ms = 500
    expect(callers.brought('Bearer a').caller).toBeUndefined()
  },
  connectionsMax: async () => {
    const server = await narrow()
    const opened = await Promise.all(Array.from({ length: server.connectionsMax + 1 }, () => server.socket()))
    await Promise.race(opened.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve))))
    for (const socket of opened) socket.destroy()
  },
  headersMs: async () => {
    const server = await narrow()
    const socket = await server.socket()
    const answer = new Promise<string>((resolve) => socket.once('data', (text) => resolve(String(text))))
    socket.write('GET /v1 HTTP/1.1\r\nHost: ')
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
    socket.destroy()
  },
  idleMs: async () => {
    const { call, idleMs } = await narrow()
    expect((await call('GET', '/v1')).headers.get('keep-alive')).toContain(`timeout=${idleMs / 1000}`)
  },
  requestMs: async () => {
    const { socket } = await served({ headersMs: 100, requestMs: 200 })
    const slow = await socket()
    const answer = new Promise<string>((resolve) => slow.once('data', (text) => resolve(String(text))))
    // So much of it is here that it is not too slow for the limits of bodies.
    slow.write(`POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(100_000)}`)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
    slow.destroy()
  },
  headerBytesMax: async () => {
    const { call, headerBytesMax } = await narrow()
    expect((await call('GET', '/v1', undefined, { 'X-Long': 'x'.repeat(headerBytesMax) })).status).toBe(431)
  },
}
