import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, clientOf, type ProblemError, type Surroundings, serviceOf } from '@freehold/client'
import { designModules } from '@freehold/designs'
import type { rebacModule } from '@freehold/designs/rebac'
import { beforeEach, describe, expect, test } from 'vitest'
import { overHttp } from '../../docs/concepts/example-client.ts'
import { serveOnNode } from '../../packages/service/src/index.ts'
import { startService } from '../../packages/service/test/serving.ts'
import { loadExamples } from '../docs/organisation.ts'

const service = await startService({ module: designModules.get('rebac') ?? {} })
await loadExamples(service.table)

/** What becomes of the next requests: nothing is sent, the answer is lost, or this is the answer. */
let faults: ('refused' | 'unreached' | 'lost' | Response)[] = []
let sent: Request[] = []
let slept_ms: number[] = []
let clock_ms = 0
beforeEach(() => {
  ;[faults, sent, slept_ms, clock_ms] = [[], [], [], 0]
})

const surroundings: Partial<Surroundings> = {
  fetch: async (url, init) => {
    const request = new Request(url, init)
    sent.push(request.clone())
    const fault = faults.shift()
    if (fault instanceof Response) return fault
    if (fault === 'refused') throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
    if (fault === 'unreached') throw new TypeError('fetch failed')
    const response = await service.app.request(request)
    if (fault === 'lost') throw new TypeError('terminated')
    return response
  },
  sleep: async (ms) => {
    slept_ms.push(ms)
    clock_ms += ms
  },
  random: () => 0.5,
  now_ms: () => clock_ms,
}
const client = (more: Partial<ClientOptions> = {}) =>
  clientOf<typeof rebacModule>({ url: 'http://service.example/', key: service.key, design: 'rebac', surroundings, ...more })
const busy = (retryAfter: string, more: object = {}) =>
  new Response(JSON.stringify({ status: 503, code: 'Busy', detail: 'The table is busy.', ...more }), {
    status: 503,
    headers: { 'Retry-After': retryAfter, 'Content-Type': 'application/problem+json' },
  })

// A server that listens on a port has an address of this form.
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const question = { user: 'ada@example.org', location: 'NYC001', page: 'reports' }
const problem = (status: number, code: string) =>
  expect.objectContaining({ name: 'ProblemError', status, code } satisfies Partial<ProblemError>)

describe('a client', () => {
  test('asks the questions of the design, as they are typed', async () => {
    expect(await client().can(question)).toEqual({ allowed: true })
    expect((await client().why(question)).chains.length).toBeGreaterThan(0)
    const answers = await client().canMany([question, { ...question, user: 'ben@example.org' }], { consistency: 'strong' })
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, false])
    const calls = [{ flow: 'createGroup' }, { flow: 'createGroup', input: { name: 'x' } }] as const
    expect((await client().permitted(calls)).map(({ allowed }) => allowed)).toEqual([true, true])
    await expect(client().permitted(calls, { as: 'nobody@example.org' })).rejects.toEqual(problem(403, 'Denied'))
    // @ts-expect-error: a question has a page.
    await expect(client().can({ user: 'ada@example.org', location: 'NYC001' })).rejects.toEqual(problem(400, 'InvalidInput'))
  })

  test('has access patterns and items as the module types them', async () => {
    const { userId } = (await client().pattern('userIdOfEmail', { email: 'ada@example.org' })) ?? {}
    expect(userId satisfies string | undefined).toMatch(/^[0-9A-Z]{26}$/)
    const { items = [] } = (await client().pattern('locationsOfUser', { userId: userId ?? '' }, { limit: 1 })) ?? {}
    expect(items.map(({ locationCode }) => locationCode satisfies string | undefined)).toHaveLength(1)
    const { displayName } = (await client().get('User', { userId: userId ?? '' })) ?? {}
    expect(displayName satisfies string | undefined).toBe('Ada')
    const wrong = {
      // @ts-expect-error: the pattern is called userIdOfEmail.
      name: () => client().pattern('userByEmail', { email: 'ada@example.org' }),
      // @ts-expect-error: it takes an e-mail address.
      parameter: () => client().pattern('userIdOfEmail', { mail: 'ada@example.org' }),
      // @ts-expect-error: it takes parameters.
      parameters: () => client().pattern('userIdOfEmail'),
      // @ts-expect-error: the entity is called User.
      entity: () => client().get('Usr', { userId: 'x' }),
      // @ts-expect-error: the key is a userId.
      key: () => client().get('User', { id: 'x' }),
      // @ts-expect-error: a role has no colour.
      attribute: () => client().create('Role', { roleName: 'x', colour: 'red' }),
      // @ts-expect-error: a description is text.
      change: () => client().update('Role', { roleName: 'x' }, { description: 1 }),
      // @ts-expect-error: a page has no colour.
      result: async () => (await client().get('Page', { pageName: 'x' }))?.colour,
    }
    // The compiler has seen what is wrong. A module without a type of its own has any name.
    expect(Object.values(wrong)).toHaveLength(8)
    await expect(
      clientOf({ url: 'http://127.0.0.1:1', key: 'x', design: 'rebac', attempts_max: 1 }).pattern('anything', { of: 'any kind' }),
    ).rejects.toEqual(problem(0, 'Unreached'))
  })

  test('gives all of a list, page by page', async () => {
    const pages: string[] = []
    for await (const { page } of client().all('what', { user: 'ada@example.org', location: 'NYC001' }, { limit: 1 })) pages.push(page)
    expect(pages.length).toBeGreaterThan(1)
    expect(sent).toHaveLength(pages.length)
    const { items, cursor } = await client().list('who', { location: 'NYC001', page: 'dashboard' }, { limit: 1 })
    expect([items.length, typeof cursor]).toEqual([1, 'string'])
  })

  test('stops to read a list when its caller does', async () => {
    for await (const _ of client().all('what', { user: 'ada@example.org', location: 'NYC001' }, { limit: 1 })) break
    expect(sent).toHaveLength(1)
  })

  test('runs flows, and reads what they wrote', async () => {
    const role = await client().flow('createRole', { roleName: 'walker' })
    expect(role).toMatchObject({ Type: 'Role', roleName: 'walker', version: 1 })
    expect(await client().get('Role', { roleName: 'walker' }, { consistent: true })).toEqual(role)
    expect(await client().get('Role', { roleName: 'nobody' })).toBeUndefined()
    const names: unknown[] = []
    for await (const { roleName } of client().allOfPattern('roles', { limit: 1 })) names.push(roleName)
    expect(names).toContain('walker')
    await expect(client().flow('createRole', { roleName: 'x' }, { as: 'nobody@example.org' })).rejects.toEqual(problem(403, 'Denied'))
    const person = { address: '203.0.113.7', agent: 'Chalk/1' }
    await client().flow('createRole', { roleName: 'runner' }, person)
    expect(['x-forwarded-for', 'user-agent'].map((name) => sent.at(-1)?.headers.get(name))).toEqual(Object.values(person))
    await expect(client().update('Role', { roleName: 'driver' }, {}, { version: 1 })).rejects.toEqual(problem(403, 'Denied'))
    expect(sent.at(-1)?.headers.get('if-match')).toBe('"1"')
  })
})

test('a repeat under a key of the caller is told as one, and a repeat of the client is not', async () => {
  const make = () => client().flow('createPage', { pageName: 'repeated' }, { idempotencyKey: 'mine' })
  const made = await make()
  expect(await make()).toEqual({ ...made, replayed: true })
  faults = ['lost']
  expect(await client().flow('createPage', { pageName: 'lost' })).not.toHaveProperty('replayed')
})

test('a repeat of the client is told if it names what was made in place of the result', async () => {
  const signIn = () =>
    client().flow('signIn', { provider: 'google', subject: '1', email: 'lost@example.org', displayName: 'Lost', isEmailVerified: true })
  faults = ['lost']
  const answer = await signIn()
  expect(answer).toMatchObject({ made: expect.any(Array), replayed: true })
  expect(answer).not.toHaveProperty('user')
  const known = await signIn()
  expect(known).toMatchObject({ outcome: 'known' })
  expect(known).not.toHaveProperty('replayed')
})

describe('a client of a service', () => {
  const operations = () => serviceOf({ url: 'http://service.example', key: service.key, surroundings })

  test('lists the designs with the fields of their questions', async () => {
    const [design] = await operations().catalogue()
    expect(design).toMatchObject({ name: 'rebac', questions: { can: ['user', 'location', 'page'] } })
  })

  test('makes, lists, replaces and revokes API keys', async () => {
    const { keyId, text } = await operations().newApiKey({ name: 'gate', purpose: 'read' })
    expect(text).toMatch(/^fhk_/)
    expect(await operations().apiKeys()).toContainEqual(expect.objectContaining({ keyId, name: 'gate', purpose: 'read' }))
    expect((await operations().rotateApiKey(String(keyId), 60)).text).not.toBe(text)
    expect(await operations().revokeApiKey(String(keyId))).toBeUndefined()
    await expect(operations().revokeApiKey(String(keyId))).rejects.toEqual(problem(404, 'NotFound'))
  })

  test('asks for no second key if an answer is lost', async () => {
    faults = ['lost']
    await expect(operations().newApiKey({ name: 'lost', purpose: 'read' })).rejects.toEqual(problem(0, 'Unreached'))
    expect(sent).toHaveLength(1)
  })
})

test('a program asks a server, over the fetch of its platform', async () => {
  const server = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
  expect(await overHttp(server.address, service.key)).toEqual(['dashboard', 'reports'])
  await server.close()
})

test('an answer that leads to another address decides nothing', async () => {
  let asked = 0
  const other = createServer((_, response) => {
    asked += 1
    response.end('{"allowed":true}')
  })
  const redirecting = createServer((_, response) => response.writeHead(307, { Location: `${addressOf(other)}/v1/rebac/can` }).end())
  await Promise.all([other, redirecting].map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
  const redirected = clientOf<typeof rebacModule>({ url: addressOf(redirecting), key: service.key, design: 'rebac', attempts_max: 1 })
  expect(await redirected.can(question)).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'Unreached' } })
  await expect(redirected.get('Role', { roleName: 'driver' })).rejects.toEqual(problem(0, 'Unreached'))
  expect(asked).toBe(0)
  for (const server of [other, redirecting]) server.close().closeAllConnections()
})

describe('a client repeats', () => {
  test('what it is told to, after the time that it is told', async () => {
    faults = [busy('3'), busy('1')]
    expect(await client().can(question)).toEqual({ allowed: true })
    // Half a second of each second is drawn: clients that were refused together come back one after another.
    expect(slept_ms).toEqual([3750, 1250])
    ;[faults, slept_ms] = [[busy('3')], []]
    await client({ surroundings: { ...surroundings, random: () => 0 } }).can(question)
    expect(slept_ms).toEqual([3000])
  })

  test('at the time that an answer dates', async () => {
    const dated = (date: string | undefined, retryAfter: string) =>
      new Response('{"code":"Busy"}', { status: 503, headers: { ...(date && { Date: date }), 'Retry-After': retryAfter } })
    faults = [dated('Mon, 02 Mar 2026 08:00:00 GMT', 'Mon, 02 Mar 2026 08:00:02 GMT'), dated(undefined, 'Mon, 02 Mar 2026 08:00:02 GMT')]
    expect(await client().can(question)).toEqual({ allowed: true })
    expect(slept_ms).toEqual([2500, 75])
  })

  test.each<[string, number, Record<string, string>, object, boolean, boolean]>([
    ['429 with Retry-After', 429, { 'Retry-After': '1' }, { code: 'Busy' }, true, true],
    ['429 of a gateway, which says no time', 429, {}, { message: 'Too Many Requests' }, true, true],
    ['503 with Retry-After', 503, { 'Retry-After': '1' }, { code: 'Busy' }, true, true],
    ['503 with Retry-After of a write that may be done', 503, { 'Retry-After': '1' }, { code: 'Busy', uncertain: true }, true, false],
    ['503 without', 503, {}, { code: 'Unavailable' }, true, false],
    ['502 of a gateway', 502, {}, { message: 'Internal server error' }, true, false],
    ['504 of a gateway', 504, {}, { message: 'Endpoint request timed out' }, true, false],
    ['500', 500, {}, { code: 'Unavailable' }, false, false],
    ['409', 409, {}, { code: 'VersionConflict' }, false, false],
  ])('after %s', async (_, status, headers, body, flow, update) => {
    const refusal = () => new Response(JSON.stringify(body), { status, headers })
    const timesOf = async (call: () => Promise<unknown>) => {
      ;[faults, sent] = [Array.from({ length: 9 }, refusal), []]
      await expect(call()).rejects.toMatchObject({ name: 'ProblemError', status })
      expect(new Set(sent.map((request) => request.headers.get('idempotency-key'))).size).toBe(1)
      return sent.length
    }
    expect(await timesOf(() => client().flow('createPage', { pageName: 'never' }))).toBe(flow ? 4 : 1)
    expect(await timesOf(() => client().update('Role', { roleName: 'driver' }, {}))).toBe(update ? 4 : 1)
  })

  test('no longer than its patience, and not past it', async () => {
    faults = [busy('3'), busy('60')]
    await expect(client().list('who', { location: 'NYC001', page: 'dashboard' })).rejects.toEqual(problem(503, 'Busy'))
    expect([slept_ms, sent.length]).toEqual([[3750], 2])
    faults = Array.from({ length: 9 }, () => 'unreached' as const)
    sent = []
    await expect(client({ attempts_max: 3 }).get('Role', { roleName: 'driver' })).rejects.toEqual(problem(0, 'Unreached'))
    expect(sent).toHaveLength(3)
  })

  test('a flow whose answer was lost, under the same key: it has one effect', async () => {
    faults = ['lost']
    const group = await client().flow('createPage', { pageName: 'once' })
    expect(group).toMatchObject({ pageName: 'once', version: 1 })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })

  test('no update or removal whose answer was lost, and no write that may have been applied', async () => {
    faults = ['lost']
    await expect(client().remove('Role', { roleName: 'driver' })).rejects.toEqual(problem(0, 'Unreached'))
    faults = [busy('1', { uncertain: true })]
    await expect(client().update('Role', { roleName: 'driver' }, {})).rejects.toEqual(problem(503, 'Busy'))
    expect(sent).toHaveLength(2)
  })

  test('nothing once its caller has given up', async () => {
    faults = ['unreached', 'unreached']
    const controller = new AbortController()
    controller.abort(new Error('gone'))
    await expect(client().list('who', { location: 'NYC001', page: 'dashboard' }, { signal: controller.signal })).rejects.toThrow('gone')
    expect(sent.length).toBeLessThanOrEqual(1)
  })
})

const gateway = (status: number, headers: Record<string, string> = {}) => new Response('<html>gateway</html>', { status, headers })
const told503 = () => new Response(JSON.stringify({ code: 'Unavailable', detail: 'The table does not answer.' }), { status: 503 })

describe('a write that may have been applied is uncertain', () => {
  const role = { roleName: 'driver' }
  type Write = (typeof writes)[number][1]
  const writes = [
    ['an update', () => client().update('Role', role, {})],
    ['a removal', () => client().remove('Role', role)],
    ['a creation', () => client().create('Role', role)],
    ['a flow', () => client().flow('createPage', { pageName: 'uncertain' })],
    ['a new key', () => serviceOf({ url: 'http://service.example', key: service.key, surroundings }).newApiKey({ name: 'x' })],
  ] as const
  const told = async (write: Write, fault: () => (typeof faults)[number], first = fault) => {
    faults = [first(), ...Array.from({ length: 9 }, fault)]
    const { problem, message } = await Promise.resolve(write()).then(
      () => expect.unreachable(),
      (error: ProblemError) => error,
    )
    expect(message.includes('may have been applied')).toBe(problem.uncertain === true)
    return problem.uncertain === true
  }

  test.each(writes)('%s', async (name, write) => {
    expect(await told(write, () => 'lost')).toBe(true)
    for (const status of [200, 502, 504]) expect([status, await told(write, () => gateway(status))]).toEqual([status, true])
    expect(await told(write, () => new Response('[]'))).toBe(true)
    expect(await told(write, () => new Response(''))).toBe(true)
    // Nothing was sent, or nothing was done, or the service knows.
    expect(await told(write, () => 'refused')).toBe(false)
    expect(await told(write, () => busy('1'))).toBe(false)
    expect(await told(write, told503)).toBe(false)
    expect(await told(write, () => gateway(404))).toBe(false)
    // A flow is sent again, and what is answered then says nothing of the request before it.
    if (name !== 'a flow') return
    const then: (typeof faults)[number][] = ['refused', gateway(403)]
    for (const fault of then)
      expect(
        await told(
          write,
          () => fault,
          () => 'lost',
        ),
      ).toBe(true)
  })

  test('and no read', async () => {
    faults = Array.from({ length: 9 }, () => 'lost' as const)
    const { problem, message } = await client()
      .get('Role', role)
      .then(
        () => expect.unreachable(),
        (error: ProblemError) => error,
      )
    expect([problem, message]).toEqual([{}, expect.not.stringContaining('applied')])
  })
})

test('a header that cannot be sent is told, and not that nobody answers', async () => {
  const page = client().flow('createPage', { pageName: 'never' }, { idempotencyKey: 'заказ-1' })
  await expect(page).rejects.toEqual(problem(0, 'InvalidInput'))
  await expect(page).rejects.toThrow('Idempotency-Key has a character that no header may have')
  await expect(client({ key: 'ключ' }).can(question)).rejects.toEqual(problem(0, 'InvalidInput'))
  expect(sent).toEqual([])
})

describe('without a decision nothing is allowed', () => {
  test.each<[string, () => ('unreached' | 'lost' | Response)[]]>([
    ['nobody answers', () => Array.from({ length: 9 }, () => 'unreached' as const)],
    ['answers are lost', () => Array.from({ length: 9 }, () => 'lost' as const)],
    ['the service is busy', () => Array.from({ length: 9 }, () => busy('1'))],
    ['a proxy answers', () => Array.from({ length: 9 }, () => new Response('<html>Bad gateway</html>', { status: 502 }))],
  ])('where %s', async (_, all) => {
    for (const ask of [() => client().can(question), () => client().why(question), async () => (await client().canMany([question]))[0]]) {
      faults = all()
      expect(await ask()).toMatchObject({ allowed: false, reason: { kind: 'fault' } })
    }
    faults = all()
    await expect(client().list('who', { location: 'NYC001', page: 'dashboard' })).rejects.toMatchObject({ name: 'ProblemError' })
  })

  test('but a key that is not valid is an error of the program', async () => {
    await expect(client({ key: 'fhk_nobody' }).can(question)).rejects.toEqual(problem(401, 'Denied'))
  })
})
