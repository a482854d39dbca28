import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { FreeholdError } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../test/engine/sender-after.ts'
import { called, startService, startServiceOf } from '../test/serving.ts'
import { createService } from './service.ts'

const service = await startService()
beforeEach(() => {
  service.lines.length = 0
})

describe('a request without a key that works', () => {
  const wrong = `fhk_${'0'.repeat(26)}_${'A'.repeat(43)}`
  const needed = 'This needs an API key: send it as Authorization: Bearer KEY.'
  const unknown = 'This API key is not valid here.'
  const attempts: [string, Record<string, string>, string][] = [
    ['none', {}, needed],
    ['an empty one', { Authorization: '' }, needed],
    ['one that is unknown', { Authorization: `Bearer ${wrong}` }, unknown],
    ['one that is no key at all', { Authorization: 'Bearer nobody' }, unknown],
    ['one of another scheme', { Authorization: `Basic ${wrong}` }, needed],
    ['two words', { Authorization: `Bearer ${wrong} ${wrong}` }, needed],
    ['a cookie', { Cookie: `key=${wrong}` }, needed],
  ]

  test.each(attempts)('but %s gets 401, and is told whether it had a key, not what is wrong with it', async (_, headers, detail) => {
    const answer = await called(await service.app.request('/v1/rebac/entities/User', { method: 'POST', headers, body: '{}' }))
    expect(answer.status).toBe(401)
    // RFC 6750, section 3.1.
    const error = detail === unknown ? ', error="invalid_token"' : ''
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="freehold"${error}`)
    expect(answer.body).toEqual({
      type: 'urn:freehold:error:Denied',
      title: 'Not allowed',
      status: 401,
      detail,
      code: 'Denied',
      instance: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    })
  })

  test('does not learn which paths there are', async () => {
    const statuses = ['/v1', '/v1/rebac/entities/User', '/v1/nothing', '/other', '/health/', '/v1/%00'].map(
      async (path) => (await service.app.request(path)).status,
    )
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]))
  })

  test('has access again with one, in any case of the scheme', async () => {
    expect((await service.call('GET', '/v1', undefined, { Authorization: `bearer ${service.key}` })).status).toBe(200)
  })
})

describe('a path', () => {
  test('that the service does not have is 404', async () => {
    for (const path of [
      '/v1/rebac',
      '/v1/rebac/entities/user',
      '/v1/rebac/entities/User/',
      '/v1/other/can',
      '/v1/rebac/patterns/__proto__',
    ]) {
      expect(await service.call('GET', path)).toMatchObject({ status: 404, body: { code: 'UnknownName', status: 404 } })
    }
  })

  test('says with 405 which methods it takes', async () => {
    const put = await service.call('PUT', '/v1/rebac/entities/User', {})
    expect(put).toMatchObject({
      status: 405,
      body: { code: 'InvalidInput', detail: '/v1/rebac/entities/User takes POST, GET, HEAD, PATCH, DELETE.' },
    })
    expect(put.headers.get('allow')).toBe('POST, GET, HEAD, PATCH, DELETE')
    expect((await service.call('OPTIONS', '/v1/rebac/patterns/users')).headers.get('allow')).toBe('GET, HEAD, POST')
    expect((await service.call('POST', '/health', {})).headers.get('allow')).toBe('GET, HEAD')
  })

  test('answers HEAD as GET, without a body', async () => {
    const head = await service.call('HEAD', '/v1')
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([200, 'application/json', {}])
  })

  test('of a design without decisions has no questions, and says so', async () => {
    for (const question of ['can', 'why', 'what', 'who', 'where'])
      expect(await service.call('POST', `/v1/rebac/${question}`, {})).toMatchObject({
        status: 404,
        body: { code: 'UnknownName', detail: 'rebac answers no questions: it has entities and access patterns, which GET /v1 lists.' },
      })
    const elsewhere = await service.call('POST', '/v1/rebac/whom', {})
    expect(elsewhere.body.detail).toBe('There is nothing at this path: GET /v1 is the catalogue.')
  })
})

test('GET /v1 lists what there is to ask', async () => {
  const { body } = await service.call('GET', '/v1')
  const [design] = body.designs as [{ entities: unknown; patterns: unknown }]
  expect(design).toMatchObject({ name: 'rebac', summary: 'For tests.', questions: {} })
  expect(design.entities).toContainEqual({ name: 'RolePagePermission', key: ['roleName', 'pageName'] })
  expect(design.patterns).toContainEqual({
    name: 'groupsOfUserAtLocation',
    parameters: [
      { name: 'userId', required: true },
      { name: 'locationId', required: true },
    ],
  })
})

test('GET /v1 says which parts of a key may be left out', async () => {
  const other = await startServiceOf(accountManagement)
  const { body } = await other.call('GET', '/v1')
  const [{ entities }] = body.designs as [{ entities: unknown[] }]
  expect(entities).toContainEqual({ name: 'Role', key: ['client_id', 'id'], optional: ['client_id'] })
  expect(entities).toContainEqual({ name: 'Client', key: ['id'] })
})

describe('every answer', () => {
  test.each<[string, string, unknown]>([
    ['GET', '/v1', undefined],
    ['GET', '/health', undefined],
    ['GET', '/nowhere', undefined],
    ['POST', '/v1/rebac/entities/User', { displayName: 'Ada' }],
  ])('to %s %s keeps caches and browsers off, and names no software', async (method, path, body) => {
    const { headers } = await service.call(method, path, body)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    for (const absent of ['server', 'x-powered-by', 'access-control-allow-origin']) expect(headers.has(absent)).toBe(false)
  })
})

describe('the access log', () => {
  test('has a line for each request, with what ties it to its answer and nothing that was sent', async () => {
    const email = 'ada@example.org'
    const { headers } = await service.call('GET', `/v1/rebac/entities/EmailIdentity?email=${email}`)
    await service.app.request(`/v1/rebac/users/${email}`, {
      method: 'PURGE',
      headers: { Authorization: `Bearer ${service.key}x` },
      body: email,
    })
    expect(service.lines).toEqual([
      {
        time: expect.stringMatching(/Z$/),
        request: headers.get('x-request-id'),
        key: expect.stringMatching(/^[0-9A-Z]{26}$/),
        method: 'GET',
        route: '/v1/rebac/entities/EmailIdentity',
        status: 404,
        ms: expect.any(Number),
        code: 'NotFound',
      },
      expect.objectContaining({ method: 'other', route: 'unknown', status: 401, code: 'Denied' }),
    ])
    expect(JSON.stringify(service.lines)).not.toContain(email)
    expect(JSON.stringify(service.lines)).not.toContain(service.key)
  })
})

describe('an error that nobody expected', () => {
  test('is a 500 that says nothing, and a log line that says where, but not what was quoted', async () => {
    const app = createService({
      tables: new Map(),
      keys: { verify: () => Promise.reject(new TypeError('the secret is hunter2')) },
      log: (line) => service.lines.push(line),
    })
    const answer = await called(await app.request('/v1', { headers: { Authorization: 'Bearer a' } }))
    expect(answer).toMatchObject({ status: 500, body: { code: 'Unavailable', status: 500, type: 'urn:freehold:error:Unavailable' } })
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|\bat\b.*\.ts/)
    expect(service.lines[0]?.fault?.name).toBe('TypeError')
    expect(service.lines[0]?.fault?.frames[0]).toMatch(/^at .*service\.test\.ts/)
    expect(JSON.stringify(service.lines)).not.toContain('hunter2')
  })

  test('is told apart from a table of keys that does not answer', async () => {
    const verify = () => Promise.reject(new FreeholdError('Unavailable', 'DynamoDB did not answer.'))
    const app = createService({ tables: new Map(), keys: { verify }, log: () => undefined })
    expect((await app.request('/v1', { headers: { Authorization: 'Bearer a' } })).status).toBe(503)
  })
})

describe('a 503 in the access log', () => {
  /** Refuses every request as an engine on a full disk refuses writes. */
  const full: Sender = {
    send: async () => {
      throw Object.assign(new Error('database or disk is full'), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } })
    },
    close: () => {},
  }
  const cause = { name: 'InternalServerError', failure: 'lost', message: 'database or disk is full' }
  const asked = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
  const failing: readonly (readonly [string, string, string, object])[] = [
    ['a read', 'POST', '/v1/rebac/patterns/users', {}],
    ['a write', 'POST', '/v1/rebac/flows/createRole', { roleName: 'teacher' }],
    ['a decision', 'POST', '/v1/rebac/can', asked],
    ['an explanation', 'POST', '/v1/rebac/why', asked],
    ['a list', 'POST', '/v1/rebac/what', { user: 'ada@example.org', location: 'NYC001' }],
    ['one of many questions', 'POST', '/v1/rebac/can', { questions: [asked] }],
  ]

  test.each(failing)('of %s tells its cause, which no answer does', async (_, method, path, body) => {
    const { call, lines } = await startService({ sender: full, patience_ms: 0, module: designModules.get('rebac') ?? {} })
    const answer = await call(method, path, body)
    expect(answer.status).toBe(503)
    expect(JSON.stringify(answer.body)).not.toContain('disk is full')
    expect(lines).toEqual([expect.objectContaining({ status: 503, code: 'Unavailable', route: path, cause })])
    expect(JSON.stringify(lines)).not.toContain('ada@example.org')
  })

  test('of too many requests says so', async () => {
    const { call, lines } = await startService({ limits: { inFlight_max: 0 } })
    await call('GET', '/v1')
    expect(lines[0]).toMatchObject({ status: 503, cause: { name: 'Busy', message: 'Too many requests are running. Try again.' } })
  })

  test('is the only answer with a cause', async () => {
    await service.call('GET', '/v1/rebac/entities/Role?roleName=nobody')
    await service.call('GET', '/v1')
    expect(service.lines.map(({ cause }) => cause)).toEqual([undefined, undefined])
  })
})

describe('the limits', () => {
  test('of a body: 1 MiB, and a 400 that says so', async () => {
    const large = await service.call('POST', '/v1/rebac/entities/User', { displayName: 'x'.repeat(1_048_576) })
    expect(large).toMatchObject({
      status: 400,
      body: { code: 'TooLarge', issues: [{ path: [], message: 'is larger than 1048576 bytes' }] },
    })
  })

  test('of requests at once: the next is told to try again, but health is not', async () => {
    const letGo: (() => void)[] = []
    const sender = senderAfter(async (operation) => {
      if (operation === 'Query') await new Promise<void>((resolve) => letGo.push(resolve))
    })
    const held = await startService({ sender, limits: { inFlight_max: 1 } })
    const first = held.call('GET', '/v1/rebac/patterns/users')
    await expect.poll(() => letGo.length).toBe(1)
    const second = await held.call('GET', '/v1')
    expect(second).toMatchObject({ status: 503, body: { code: 'Busy' } })
    expect(second.headers.get('retry-after')).toBe('1')
    expect((await held.app.request('/health')).status).toBe(200)
    expect((await held.app.request('/v1')).status).toBe(401)
    letGo[0]?.()
    expect((await first).status).toBe(200)
    expect((await held.call('GET', '/v1')).status).toBe(200)
  })

  test('of requests at once count those with a key: others, whose keys are being looked up, take no place', async () => {
    const verify = (text: string) => (text === 'known' ? Promise.resolve('key') : new Promise<undefined>(() => undefined))
    const app = createService({ tables: new Map(), keys: { verify }, log: () => undefined, limits: { inFlight_max: 2 } })
    const ask = (key: string) => app.request('/v1', { headers: { Authorization: `Bearer ${key}` } })
    for (let count = 0; count < 500; count++) void ask('made-up')
    expect((await ask('known')).status).toBe(200)
  })

  test('of keys that are looked up at once: beyond it a request is told to try again', async () => {
    const verify = () => Promise.reject(new FreeholdError('Busy', 'Too many keys are being looked up. Try again.'))
    const app = createService({ tables: new Map(), keys: { verify }, log: () => undefined })
    const answer = await called(await app.request('/v1', { headers: { Authorization: 'Bearer a' } }))
    expect(answer).toMatchObject({ status: 503, body: { code: 'Busy' } })
    expect(answer.headers.get('retry-after')).toBe('1')
  })
})
