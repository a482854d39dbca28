import { describe, expect, test } from 'vitest'
import { jsonLog, type LogOptions, openLog } from './log.ts'

const now = () => new Date('2026-01-02T03:04:05.678Z')
const request = { time: '2026-01-02T03:04:05.000Z', request: 'r', method: 'GET', route: '/v1', status: 200, ms: 1 }
const key = `fhk_${'0'.repeat(26)}_${'s'.repeat(43)}`

/** A log and the texts that it has written. */
function opened(options: LogOptions = {}) {
  const written: string[] = []
  const log = openLog({ hold_ms: 0, now, write: (lines) => written.push(lines), ...options })
  return { ...log, written, lines: () => written.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line)) }
}

describe('a line', () => {
  test('of a request has its members as they are, and a level by its outcome', () => {
    const { request: log, lines } = opened()
    log(request)
    log({ ...request, status: 503, code: 'Unavailable', cause: { name: 'Busy' } })
    log({ ...request, status: 500, fault: { name: 'TypeError', frames: ['at x'] } })
    log({ ...request, status: 404 })
    log({ ...request, status: 503, code: 'Unavailable', cause: { name: 'ValidationException', failure: 'invalid' } })
    expect(lines()).toEqual([
      { level: 'info', ...request },
      { level: 'warn', ...request, status: 503, code: 'Unavailable', cause: { name: 'Busy' } },
      { level: 'error', ...request, status: 500, fault: { name: 'TypeError', frames: ['at x'] } },
      { level: 'info', ...request, status: 404 },
      // It does not pass by itself.
      { level: 'error', ...request, status: 503, code: 'Unavailable', cause: { name: 'ValidationException', failure: 'invalid' } },
    ])
  })

  test('of a part of the server names it', () => {
    const { from, lines } = opened()
    from('engine')('It is restarted.', 'warn')
    from('jobs')('Finished 1 job.')
    const time = now().toISOString()
    expect(lines()).toEqual([
      { level: 'warn', time, source: 'engine', message: 'It is restarted.' },
      { level: 'info', time, source: 'jobs', message: 'Finished 1 job.' },
    ])
  })

  test('below the level of the log is not written', () => {
    const { from, line, request: log, lines } = opened({ level: 'warn' })
    log(request)
    from('jobs')('Finished 1 job.')
    line('info', { flow: 'createUser' })
    from('jobs')('It failed.', 'error')
    expect(lines()).toMatchObject([{ level: 'error', message: 'It failed.' }])
    const silent = opened({ level: 'silent' })
    silent.from('process')('The end.', 'fatal')
    expect(silent.written).toEqual([])
  })

  test('is one line, in which no text steers a terminal', () => {
    const { from, written } = opened()
    from('engine')('a\nb\u001b[2J\u009b1m\u2028c')
    expect(written).toEqual([expect.stringMatching(/^[\x20-\x7e]*\n$/)])
    expect(JSON.parse(written.join('')).message).toBe('a\nb\u001b[2J\u009b1m\u2028c')
  })
})

describe('no secret is written', () => {
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'
  test.each([
    [key, key],
    [jwt, jwt],
    ['Bearer abcdefgh12345678', 'abcdefgh12345678'],
    ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    ['postgres://ada:hunter22@db.example.org/x', 'hunter22'],
  ])('in a sentence or the cause of a failure: %s', (said, secret) => {
    const { from, request: log, written } = opened()
    from('engine')(`it said ${said} and went on`)
    log({ ...request, status: 503, cause: { name: 'Lost', message: `it said ${said}` } })
    const text = written.join('')
    expect(text).not.toContain(secret)
    expect(text.match(/\[redacted\]/g)).toHaveLength(2)
    expect(text).toContain('and went on')
  })

  test.each(['authorization', 'cookie', 'password', 'secret', 'token', 'apiKey'])('as a member %s, or within one', (name) => {
    const { line, lines } = opened()
    line('info', { [name]: 'hunter2', headers: { [name]: 'hunter2', other: 'kept' } })
    expect(lines()).toMatchObject([{ [name]: '[redacted]', headers: { [name]: '[redacted]', other: 'kept' } }])
  })
})

describe('lines wait for each other', () => {
  test('until they are flushed, all and in order', () => {
    const { request: log, from, flush, written, lines } = opened({ hold_ms: 60_000 })
    for (let count = 0; count < 10; count++) log({ ...request, ms: count })
    from('server')('Closed.')
    expect(written).toEqual([])
    flush()
    expect(written).toHaveLength(1)
    expect(lines().map(({ ms, message }) => ms ?? message)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 'Closed.'])
    flush()
    expect(written).toHaveLength(1)
  })

  test('but no longer than for a line of a failure, unless it is one of many refusals', () => {
    const { request: log, from, written, lines } = opened({ hold_ms: 60_000 })
    log(request)
    log({ ...request, status: 503, code: 'Busy', cause: { name: 'Busy' } })
    expect(written).toEqual([])
    log({ ...request, status: 503, code: 'Unavailable' })
    expect(lines().map(({ status }) => status)).toEqual([200, 503, 503])
    from('jobs')('It failed.', 'error')
    expect(lines()).toHaveLength(4)
  })

  test('no longer than a write takes', () => {
    const { request: log, written, flush, lines } = opened({ hold_ms: 60_000 })
    for (let count = 0; count < 1000; count++) log({ ...request, ms: count })
    expect(written.length).toBeGreaterThan(3)
    expect(Math.max(...written.map((text) => text.length))).toBeLessThan(20_000)
    flush()
    expect(lines().map(({ ms }) => ms)).toEqual(Array.from({ length: 1000 }, (_, count) => count))
  })

  test('and are written by themselves', async () => {
    const written = await new Promise((resolve) => openLog({ hold_ms: 1, write: resolve }).request(request))
    expect(written).toContain('"route":"/v1"')
  })

  test('but not in the log of a program, which is written at once', () => {
    const written: string[] = []
    jsonLog((text) => written.push(text))(request)
    expect(written).toEqual([`${JSON.stringify({ level: 'info', ...request })}\n`])
  })
})
