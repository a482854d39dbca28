import { type AuthzenMapping, textIn, types } from '@freehold/frame/authzen'
import type { Can, Decider, Reason } from '@freehold/frame/decision'
import { FreeholdError } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { called, startService } from '../../test/serving.ts'
import { createService } from '../service.ts'

// What the OpenID AuthZEN Authorization API 1.0 says of requests, answers and errors, over HTTP. The decider answers by names, so that a fault can be
// asked for; what the designs answer is tested in test/authzen.

const fields = ['user', 'location', 'page']
const fault: Reason = { kind: 'fault', code: 'StorageFault', message: 'The table could not be read.' }
const policy: Reason = { kind: 'policy', code: 'NoGrant', message: 'No role of the user opens this page.' }
const asked: unknown[] = []
function answerTo(question: unknown): Can {
  asked.push(question)
  const { user, page } = question as Readonly<Record<string, unknown>>
  if (user === '#')
    throw new FreeholdError('InvalidInput', 'can: user is not a name.', { issues: [{ path: ['user'], message: 'is not a name' }] })
  if (user === 'busy') throw new FreeholdError('Busy', 'The table is busy. Try again.')
  if (user === 'fault') return { allowed: false, reason: fault }
  return user === 'alice' || page === 'open' ? { allowed: true } : { allowed: false, reason: policy }
}
const pages = (
  names: readonly string[],
  { limit = 100, cursor = '0' }: { limit?: number | undefined; cursor?: string | undefined } = {},
) => {
  const [from, to] = [Number(cursor), Number(cursor) + limit]
  return { items: names.slice(from, to), ...(to < names.length ? { cursor: String(to) } : {}) }
}
const users = ['alice', 'bob', 'carol', 'dave', 'erin']
const decider: Decider = {
  fields: { can: fields, why: fields, what: ['user', 'location'], who: ['location', 'page'], where: ['user', 'page'] },
  can: async (question) => answerTo(question),
  canMany: async (questions) => questions.map(answerTo),
  why: async (question) => ({ ...answerTo(question), chains: [], missing: [] }),
  what: async (question, how) => {
    answerTo(question)
    const { items, ...more } = pages(['edit', 'open', 'view'], how)
    // Each stands for two actions, of which a page may hold one.
    return { ...more, items: items.map((page) => ({ page: [`${page}-1`, `${page}-2`] })) }
  },
  who: async (question, how) => {
    asked.push(question)
    const { location } = question as Readonly<Record<string, unknown>>
    if (location === 'fault') return { items: [], reason: fault }
    if (location === 'lost') throw new FreeholdError('Unavailable', 'The table does not answer.')
    if (location === 'nowhere') return { items: [], reason: { kind: 'unknown', code: 'UnknownLocation', message: 'There is no location.' } }
    const { items, ...more } = pages(users, how)
    return { ...more, items: items.map((userId) => ({ userId })) }
  },
  where: async (question, how) => {
    asked.push(question)
    const { items, ...more } = pages(['room', 'HQ', 'desk', 'LON'], how)
    return { ...more, items: items.map((locationId) => ({ locationId })) }
  },
}
const mapping: AuthzenMapping = {
  subject: types({ user: { asked: ({ id }) => ({ user: id }), told: (item) => textIn(item, 'userId') } }),
  action: {
    asked: ({ name, properties }) => ({ page: name, ...properties }),
    told: (item) => ('page' in item && Array.isArray(item.page) ? item.page.map(String) : []),
    takesProperties: true,
  },
  resource: types({
    location: { asked: ({ id }) => ({ location: id }), told: (item) => textIn(item, 'locationId').filter((id) => /^[A-Z]/.test(id)) },
  }),
}

const manyMembers = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`n${at}`, 1]))

beforeEach(() => {
  asked.length = 0
  service.lines.length = 0
})

const base = '/authzen/rebac/access/v1'
const post = (path: string, body: unknown, headers?: Record<string, string>) => service.call('POST', `${base}/${path}`, body, headers)
const raw = async (path: string, body: string | undefined, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
  called(
    await service.app.request(`${base}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  )
const subject = { type: 'user', id: 'alice' }
const action = { name: 'read' }
const resource = { type: 'location', id: 'HQ' }
const evaluation = { subject, action, resource }
const bob = { type: 'user', id: 'bob' }

const service = await startService({
  decider,
  module: { authzen: () => mapping },
  limits: { body_bytes_max: 65_536, questions_max: 20 },
  publicUrl: 'https://pdp.example.com',
})

describe('an evaluation', () => {
  test('is true, as JSON', async () => {
    const { status, headers, body } = await post('evaluation', evaluation)
    expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', { decision: true }])
    expect(asked).toEqual([{ user: 'alice', page: 'read', location: 'HQ' }])
  })

  test('that denies is a 200, whose reason is for administrators that ask for it', async () => {
    // Runners of the specification compare the whole answer.
    for (const options of [undefined, null, {}, { reasons: false }, { reasons: null }])
      expect((await post('evaluation', { ...evaluation, subject: bob, options })).body).toEqual({ decision: false })
    expect(await post('evaluation', { ...evaluation, subject: bob, options: { reasons: true } })).toMatchObject({
      status: 200,
      body: { decision: false, context: { reason_admin: { NoGrant: policy.message } } },
    })
  })

  test('ignores unknown members, and tells of properties and context that it does not use', async () => {
    const full = {
      subject: { ...subject, properties: { department: 'Sales' }, more: 1 },
      action: { ...action, properties: {}, more: [] },
      resource: { ...resource, properties: { status: 'active' } },
      context: { time: '2026-01-01T00:00:00Z' },
      foo: 'bar',
      future: { nested: true },
    }
    expect(await post('evaluation', full)).toMatchObject({
      status: 200,
      body: { decision: true, context: { unused: ['subject.properties.department', 'resource.properties.status', 'context.time'] } },
    })
  })

  test.each(['properties', 'context'])('takes null for no %s', async (name) => {
    const body = name === 'context' ? { ...evaluation, context: null } : { ...evaluation, subject: { ...subject, properties: null } }
    expect((await post('evaluation', body)).body).toEqual({ decision: true })
  })

  test('of a name that can be none, or of an unknown type, is false', async () => {
    for (const [part, code] of [
      [{ subject: { type: 'user', id: '#' } }, 'InvalidInput'],
      [{ subject: { type: 'spaceship', id: 'alice' } }, 'UnknownSubject'],
      [{ resource: { type: '__proto__', id: 'HQ' } }, 'UnknownResource'],
      [{ resource: { type: 'constructor', id: 'HQ' } }, 'UnknownResource'],
    ] as const) {
      const { status, body } = await post('evaluation', { ...evaluation, ...part, options: { reasons: true } })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { decision: false, context: { reason_admin: { [code]: expect.any(String) } } },
      })
    }
  })

  const malformed: [string, object][] = [
    ['no subject', { action, resource }],
    ['no action', { subject, resource }],
    ['no resource', { subject, action }],
    ['null as subject', { ...evaluation, subject: null }],
    ['text as subject', { ...evaluation, subject: 'alice' }],
    ['a list as resource', { ...evaluation, resource: [] }],
    ['a subject without type', { ...evaluation, subject: { id: 'alice' } }],
    ['a subject without id', { ...evaluation, subject: { type: 'user' } }],
    ['an id that is a number', { ...evaluation, resource: { type: 'location', id: 7 } }],
    ['a resource without type', { ...evaluation, resource: { id: 'HQ' } }],
    ['a resource without id', { ...evaluation, resource: { type: 'location' } }],
    ['an action without name', { ...evaluation, action: {} }],
    ['a name that is a number', { ...evaluation, action: { name: 123 } }],
    ['properties that are a list', { ...evaluation, subject: { ...subject, properties: [] } }],
    ['a context that is text', { ...evaluation, context: 'now' }],
    ['too many properties', { ...evaluation, context: manyMembers }],
  ]
  test.each(malformed)('with %s is a 400 with a message', async (_, body) => {
    const { status, body: told } = await post('evaluation', body)
    expect({ status, told }).toMatchObject({ status: 400, told: { detail: expect.any(String), code: 'InvalidInput' } })
    expect(asked).toEqual([])
  })

  const json = JSON.stringify(evaluation)
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  const wrongBodies: [string, string | undefined, Record<string, string>?][] = [
    ['empty', undefined],
    ['empty, of no type', undefined, {}],
    ['not JSON', '{"subject":'],
    ['a list', `[${json}]`],
    ['text', '"evaluation"'],
    ['of the type text/plain', json, { 'Content-Type': 'text/plain' }],
    ['a form', 'subject=alice', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['of no type', json, { 'Content-Type': '' }],
    ['in Latin-1', json, { 'Content-Type': 'application/json; charset=iso-8859-1' }],
    ['said to be compressed', json, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
    ['with a name twice', `{"subject":{"type":"user","id":"bob"},${json.slice(1)}`],
    ['with a number as a name', json.replace('"alice"', '1e308')],
    ['with an unpaired surrogate as a name', json.replace('"alice"', '"\\ud800"')],
    ['with a type twice', json.replace('"type":"user"', '"type":"user","type":"user"')],
    ['too large', `{"context":{"a":"${'a'.repeat(70_000)}"},${json.slice(1)}`],
  ]
  test.each(wrongBodies)('whose body is %s is a 400', async (_, body, headers) => {
    expect(await raw('evaluation', body, headers)).toMatchObject({ status: 400, body: { status: 400, detail: expect.any(String) } })
    expect(asked).toEqual([])
  })

  test.each([
    ['a number that is too large', '1e400'],
    ['a number with an exponent', '1e308'],
    ['a whole number beyond 2^53', '9007199254740993'],
    ['depth', deep],
    ['depth beyond any stack', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['an unpaired surrogate', '"\\ud800"'],
    ['a name twice', '{"b":1,"b":{"c":[2,"]"]}}'],
    ['__proto__', '{"__proto__":{"b":1}}'],
  ])('that holds %s where the design reads nothing is decided without that, which is told (spec rule 28)', async (_, held) => {
    const part = (name: string, of: string) => json.replace(`"${name}":{`, `"${name}":{"properties":{"p":${held}},"more":${held},${of}`)
    const bodies: [string, string][] = [
      [`{"context":{"a":${held}},${json.slice(1)}`, 'context.a'],
      [`{"more":${held},"context":{"a":1,"a":${held}},${json.slice(1)}`, 'context.a'],
      [part('subject', ''), 'subject.properties.p'],
      [part('resource', ''), 'resource.properties.p'],
    ]
    for (const [body, unused] of bodies)
      expect(await raw('evaluation', body)).toMatchObject({ status: 200, body: { decision: true, context: { unused: [unused] } } })
    const many = `{"context":{"a":${held}},"evaluations":[{},{"subject":{"type":"user","id":${held}}}],${json.slice(1)}`
    expect(await raw('evaluations', many)).toMatchObject({
      status: 200,
      body: { evaluations: [{ decision: true }, { decision: false, context: { error: { status: 400 } } }] },
    })
  })

  test('that failed is a 500, and its cause is logged', async () => {
    const failed = await post('evaluation', { ...evaluation, subject: { type: 'user', id: 'fault' } })
    expect(failed).toMatchObject({ status: 500, body: { status: 500, detail: expect.stringContaining('could not be read') } })
    expect(failed.body).not.toHaveProperty('decision')
    expect(service.lines).toMatchObject([{ status: 500, code: 'Unavailable', cause: { name: 'StorageFault' } }])
  })

  test('is asked by POST alone', async () => {
    const got = await service.call('GET', `${base}/evaluation`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('a caller', () => {
  test.each(['evaluation', 'evaluations', 'search/subject', 'search/resource', 'search/action'])(
    'without a key gets 401 for %s',
    async (path) => {
      for (const headers of [{}, { Authorization: 'Bearer nobody' }]) {
        const answer = await called(
          await service.app.request(`${base}/${path}`, { method: 'POST', headers: { ...headers, 'X-Request-ID': 'r-1' }, body: '{}' }),
        )
        expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } })
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
        expect(answer.headers.get('x-request-id')).toBe('r-1')
      }
    },
  )

  test('gets back no more than a part of what each of many evaluations has from the defaults', async () => {
    const context = { ['x'.repeat(30_000)]: 1 }
    const { status, body } = await post('evaluations', { ...evaluation, context, evaluations: Array.from({ length: 20 }, () => ({})) })
    expect(status).toBe(200)
    expect(JSON.stringify(body).length).toBeLessThan(60_000)
  })

  test('gets its own request identifier back, whatever the answer is', async () => {
    for (const id of ['bfe9eb29-ab87-4ca3-be83-a1d5d8305716', 'a b;c="d"', 'x'.repeat(256), 'é'])
      for (const body of [evaluation, {}, { ...evaluation, subject: { type: 'user', id: 'fault' } }])
        expect((await post('evaluation', body, { 'X-Request-ID': id })).headers.get('x-request-id')).toBe(id)
  })

  test('without one gets one, and a huge one is refused', async () => {
    expect((await post('evaluation', evaluation)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const huge = await post('evaluation', evaluation, { 'X-Request-ID': 'x'.repeat(257) })
    expect(huge).toMatchObject({ status: 400, body: { issues: [{ path: ['X-Request-ID'] }] } })
    expect(JSON.stringify(service.lines)).not.toContain('xxx')
  })

  test('elsewhere gets an identifier of the service', async () => {
    const { headers } = await service.call('GET', '/v1', undefined, { 'X-Request-ID': 'mine' })
    expect(headers.get('x-request-id')).not.toBe('mine')
  })
})

describe('evaluations', () => {
  const of = (...ids: readonly string[]) => ids.map((id) => ({ subject: { type: 'user', id } }))
  const decisions = (body: Readonly<Record<string, unknown>>) =>
    (body.evaluations as { decision: boolean }[]).map(({ decision }) => decision)

  test('have one answer each, in their order', async () => {
    const { status, body } = await post('evaluations', { evaluations: [evaluation, { ...evaluation, subject: bob }, evaluation] })
    expect(status).toBe(200)
    expect(decisions(body)).toEqual([true, false, true])
    expect(Object.keys(body)).toEqual(['evaluations'])
  })

  test('have defaults, which each overrides as a whole', async () => {
    const properties = { location: 'SAN' }
    const { body } = await post('evaluations', {
      ...{ subject, action: { ...action, properties }, resource },
      evaluations: [{}, { action: { name: 'open' } }, { resource: { type: 'location', id: 'LON' } }, { subject: null }],
    })
    expect(decisions(body)).toEqual([true, true, true, true])
    const user = 'alice'
    expect(asked).toEqual([
      { user, page: 'read', location: 'HQ' },
      { user, page: 'open', location: 'HQ' },
      { user, page: 'read', location: 'LON' },
      { user, page: 'read', location: 'HQ' },
    ])
  })

  test('take a missing type or id from the default, and no properties', async () => {
    const { body } = await post('evaluations', {
      ...{ subject, action, resource: { type: 'location', properties: { status: 'archived' } } },
      evaluations: [{ resource: { id: 'LON' } }, { resource: { id: 'HQ', properties: { status: 'active' } } }],
    })
    expect(body.evaluations).toEqual([{ decision: true }, { decision: true, context: { unused: ['resource.properties.status'] } }])
  })

  test('take null for nothing of their own', async () => {
    const nothing = { subject: null, action: { name: null }, resource: { type: null, id: null }, context: null }
    const options = { evaluations_semantic: null }
    const { body } = await post('evaluations', { ...evaluation, options, evaluations: [nothing, {}] })
    expect(body).toEqual({ evaluations: [{ decision: true }, { decision: true }] })
    expect(asked[0]).toEqual(asked[1])
  })

  test('replace the context as a whole', async () => {
    const { body } = await post('evaluations', {
      ...evaluation,
      context: { time: 'now' },
      evaluations: [{}, { context: { source: 'us' } }],
    })
    expect(body.evaluations).toMatchObject([{ context: { unused: ['context.time'] } }, { context: { unused: ['context.source'] } }])
  })

  test.each([{}, { evaluations: [] }, { evaluations: null }])('without any are a single one: %j', async (more) => {
    expect((await post('evaluations', { ...evaluation, ...more })).body).toEqual({ decision: true })
    expect((await post('evaluations', { action, resource, ...more })).status).toBe(400)
  })

  test.each([
    ['execute_all', ['bob', 'alice', 'bob'], [false, true, false]],
    ['deny_on_first_deny', ['alice', 'bob', 'alice'], [true, false]],
    ['deny_on_first_deny', ['alice', 'alice'], [true, true]],
    ['permit_on_first_permit', ['bob', 'alice', 'bob'], [false, true]],
    ['permit_on_first_permit', ['bob', 'bob'], [false, false]],
  ])('end as %s says', async (evaluations_semantic, ids, expected) => {
    const options = { evaluations_semantic, another: 'option' }
    expect(decisions((await post('evaluations', { action, resource, options, evaluations: of(...ids) })).body)).toEqual(expected)
  })

  test('that are wrong, or fail, are denied alone, with the error in the context', async () => {
    const evaluations = [
      {},
      { resource: 'HQ' },
      7,
      { resource: { type: 'location' } },
      { ...evaluation, subject: { type: 'user', id: 'fault' } },
      evaluation,
    ]
    const { status, body } = await post('evaluations', { subject, action, evaluations })
    const denied = (code: number) => ({ decision: false, context: { error: { status: code, message: expect.any(String) } } })
    expect(status).toBe(200)
    expect(body.evaluations).toEqual([denied(400), denied(400), denied(400), denied(400), denied(500), { decision: true }])
    expect(service.lines).toMatchObject([{ status: 200, cause: { name: 'StorageFault' } }])
  })

  test('that are wrong deny at the first, too', async () => {
    const options = { evaluations_semantic: 'deny_on_first_deny' }
    expect(
      decisions((await post('evaluations', { ...evaluation, options, evaluations: [{}, { subject: {}, action: 7 }, {}] })).body),
    ).toEqual([true, false])
  })

  test.each([
    ['evaluations that are no list', { evaluations: {} }],
    ['too many', { evaluations: Array.from({ length: 21 }, () => ({})) }],
    ['an unknown semantic', { evaluations: [{}], options: { evaluations_semantic: 'first' } }],
    ['a semantic that is a number', { evaluations: [{}], options: { evaluations_semantic: 1 } }],
    ['options that are text', { evaluations: [{}], options: 'execute_all' }],
    ['reasons that are no flag', { evaluations: [{}], options: { reasons: 'yes' } }],
    ['reasons that are no flag, without evaluations', { ...evaluation, options: { reasons: {} } }],
    ['a default that is text', { evaluations: [evaluation], subject: 'alice' }],
    ['a default of too many members', { evaluations: [evaluation], context: manyMembers }],
  ])('with %s are a 400', async (_, more) => {
    expect(await post('evaluations', { ...evaluation, ...more })).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
  })
})

describe('a search', () => {
  const subjects = { subject: { type: 'user' }, action, resource }
  const resources = { subject, action, resource: { type: 'location' } }
  const actions = { subject, resource }
  const ids = (body: Readonly<Record<string, unknown>>) =>
    (body.results as { id?: string; name?: string }[]).map(({ id, name }) => id ?? name)
  const tokenOf = (body: Readonly<Record<string, unknown>>) => (body.page as { next_token: string }).next_token

  async function all(kind: string, body: object, page: object = {}) {
    const found: unknown[] = []
    const counts: number[] = []
    for (let token: string | undefined, left = 50; token !== '' && left > 0; left--) {
      const answer = await post(`search/${kind}`, { ...body, page: { ...page, ...(token === undefined ? {} : { token }) } })
      expect(answer.status).toBe(200)
      found.push(...ids(answer.body))
      counts.push(ids(answer.body).length)
      expect(answer.body.page).toMatchObject({ count: ids(answer.body).length })
      token = tokenOf(answer.body)
    }
    return { found, counts }
  }

  test('gives subjects, resources or actions, without a page if none is asked for', async () => {
    expect((await post('search/subject', subjects)).body).toEqual({ results: users.map((id) => ({ type: 'user', id })) })
    expect((await post('search/resource', resources)).body).toEqual({ results: ['HQ', 'LON'].map((id) => ({ type: 'location', id })) })
    const names = ['edit-1', 'edit-2', 'open-1', 'open-2', 'view-1', 'view-2']
    expect((await post('search/action', actions)).body).toEqual({ results: names.map((name) => ({ name })) })
  })

  test('ignores the id of what it searches for, and an action that is not asked for', async () => {
    expect(ids((await post('search/subject', { ...subjects, subject: { type: 'user', id: 7 } })).body)).toEqual(users)
    expect(ids((await post('search/resource', { ...resources, resource })).body)).toEqual(['HQ', 'LON'])
    expect((await post('search/action', { ...actions, action: 7 })).status).toBe(200)
  })

  test.each([1, 2, 3, 4, 100, 1_000_000])('pages by %d', async (limit) => {
    expect((await all('subject', subjects, { limit })).found).toEqual(users)
    expect((await all('resource', resources, { limit })).found).toEqual(['HQ', 'LON'])
    const { found, counts } = await all('action', actions, { limit })
    expect(found).toEqual(['edit-1', 'edit-2', 'open-1', 'open-2', 'view-1', 'view-2'])
    expect(Math.max(...counts)).toBeLessThanOrEqual(limit)
  })

  test('goes on with the limit of its first page, without naming it again', async () => {
    const first = await post('search/subject', { ...subjects, page: { limit: 2 } })
    const next = await post('search/subject', { ...subjects, page: { token: tokenOf(first.body) } })
    expect(ids(next.body)).toEqual(['carol', 'dave'])
    const last = await post('search/subject', { ...subjects, page: { token: tokenOf(next.body), limit: 2 } })
    expect(last.body).toEqual({ page: { next_token: '', count: 1 }, results: [{ type: 'user', id: 'erin' }] })
  })

  test('by no results says whether there are any', async () => {
    const none = await post('search/subject', { ...subjects, page: { limit: 0 } })
    expect(none.body).toMatchObject({ page: { count: 0 }, results: [] })
    expect(ids((await post('search/subject', { ...subjects, page: { token: tokenOf(none.body) } })).body)).toEqual(users)
    expect(
      (await post('search/subject', { ...subjects, resource: { type: 'location', id: 'nowhere' }, page: { limit: 0 } })).body,
    ).toMatchObject({
      page: { next_token: '', count: 0 },
    })
  })

  test('refuses a token of another search, and one that nobody gave', async () => {
    const token = tokenOf((await post('search/subject', { ...subjects, page: { limit: 1 } })).body)
    const changed = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const attempts: [string, object][] = [
      ['subject', { ...subjects, action: { name: 'write' }, page: { token } }],
      ['subject', { ...subjects, resource: { type: 'location', id: 'LON' }, page: { token } }],
      ['subject', { ...subjects, resource: { ...resource, properties: { a: 1 } }, page: { token } }],
      ['subject', { ...subjects, context: { a: 1 }, page: { token } }],
      ['subject', { ...subjects, page: { token, limit: 2 } }],
      ['subject', { ...subjects, page: { token, properties: { sort: 'id' } } }],
      ['resource', { ...resources, page: { token } }],
      ['action', { ...actions, page: { token } }],
      ['subject', { ...subjects, page: { token: changed } }],
      ['subject', { ...subjects, page: { token: 'made-up' } }],
      ['subject', { ...subjects, page: { token: '' } }],
      ['subject', { ...subjects, page: { token: `${token}=` } }],
    ]
    for (const [kind, body] of attempts) expect([body, (await post(`search/${kind}`, body)).status]).toEqual([body, 400])
    const reordered = {
      page: { token },
      resource: { id: 'HQ', type: 'location' },
      subject: { type: 'user', id: 'ignored' },
      action,
      more: 1,
    }
    expect(ids((await post('search/subject', reordered)).body)).toEqual(['bob'])
  })

  test('of a token of another service is refused', async () => {
    const other = await startService({ decider, module: { authzen: () => mapping } })
    const { body } = await other.call('POST', `${base}/search/subject`, { ...subjects, page: { limit: 1 } })
    expect((await post('search/subject', { ...subjects, page: { token: tokenOf(body) } })).status).toBe(400)
  })

  test('that finds nothing is a 200, and says why', async () => {
    expect((await post('search/subject', { ...subjects, resource: { type: 'location', id: 'nowhere' } })).body).toEqual({
      context: { reason_admin: { UnknownLocation: 'There is no location.' } },
      results: [],
    })
    for (const [kind, body] of [
      ['subject', { ...subjects, subject: { type: 'spaceship' } }],
      ['subject', { ...subjects, resource: { type: 'planet', id: 'x' } }],
      ['resource', { ...resources, resource: { type: 'planet' } }],
      ['action', { ...actions, subject: { type: 'user', id: '#' } }],
    ] as const)
      expect((await post(`search/${kind}`, body)).body).toMatchObject({ results: [] })
  })

  test('that fails is a 500', async () => {
    for (const id of ['fault', 'lost'])
      expect(await post('search/subject', { ...subjects, resource: { type: 'location', id } })).toMatchObject({ status: 500 })
    expect(service.lines.map(({ status, cause }) => [status, cause?.name])).toEqual([
      [500, 'StorageFault'],
      [500, 'Unavailable'],
    ])
    expect((await post('search/action', { ...actions, subject: { type: 'user', id: 'busy' } })).status).toBe(503)
  })

  test.each([
    ['subject', { ...subjects, action: undefined }],
    ['subject', { ...subjects, subject: {} }],
    ['subject', { ...subjects, resource: { type: 'location' } }],
    ['resource', { ...resources, subject: undefined }],
    ['resource', { ...resources, subject: { type: 'user' } }],
    ['resource', { ...resources, resource: {} }],
    ['action', { subject }],
    ['action', { ...actions, subject: { type: 'user' } }],
    ['subject', { ...subjects, page: 7 }],
    ['subject', { ...subjects, page: { limit: -1 } }],
    ['subject', { ...subjects, page: { limit: 1.5 } }],
    ['subject', { ...subjects, page: { limit: '2' } }],
    ['subject', { ...subjects, page: { token: 7 } }],
    ['subject', { ...subjects, page: { properties: [] } }],
  ])('for %s that is malformed is a 400: %j', async (kind, body) => {
    expect((await post(`search/${kind}`, body)).status).toBe(400)
    expect(asked).toEqual([])
  })
})

describe('the metadata', () => {
  const path = '/.well-known/authzen-configuration/authzen/rebac'
  const served = (publicUrl?: string) =>
    createService({
      tables: new Map([
        ['rebac', { module: { design: service.table.design, summary: '', authzen: () => mapping }, table: service.table, decider }],
      ]),
      keys: service.keys,
      log: () => {},
      publicUrl,
    })

  test('names every endpoint, without a key', async () => {
    const { status, headers, body } = await called(await service.app.request(path))
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'application/json', 'public, max-age=300'])
    const point = 'https://pdp.example.com/authzen/rebac'
    expect(body).toEqual({
      policy_decision_point: point,
      access_evaluation_endpoint: `${point}/access/v1/evaluation`,
      access_evaluations_endpoint: `${point}/access/v1/evaluations`,
      search_subject_endpoint: `${point}/access/v1/search/subject`,
      search_resource_endpoint: `${point}/access/v1/search/resource`,
      search_action_endpoint: `${point}/access/v1/search/action`,
    })
  })

  test('lies at the path that the identifier gives', async () => {
    const app = served('https://pdp.example.com:8443/freehold/')
    const { status, body } = await called(await app.request('/.well-known/authzen-configuration/freehold/authzen/rebac'))
    expect([status, body.policy_decision_point]).toEqual([200, 'https://pdp.example.com:8443/freehold/authzen/rebac'])
  })

  test('needs an address, and says so', async () => {
    const answer = await called(await served().request(path))
    expect(answer).toMatchObject({ status: 404, body: { code: 'UnknownName', detail: expect.stringContaining('--public-url') } })
  })

  test.each(['http://pdp.example.com', 'https://a:b@c.example', 'https://a.example/?', 'https://a.example/#', 'pdp.example.com', ''])(
    'takes no address such as %j',
    (publicUrl) => expect(() => served(publicUrl)).toThrow('publicUrl is not an https address'),
  )

  test('and the routes are none of a design that has no mapping, or decides nothing', async () => {
    const app = createService({
      tables: new Map([
        ['a', { module: { design: service.table.design, summary: '' }, table: service.table, decider }],
        ['b', { module: { design: service.table.design, summary: '', authzen: () => mapping }, table: service.table }],
      ]),
      keys: service.keys,
      log: () => {},
    })
    const headers = { Authorization: `Bearer ${service.key}` }
    for (const name of ['a', 'b', 'c']) {
      expect((await app.request(`/authzen/${name}/access/v1/evaluation`, { method: 'POST', headers, body: '{}' })).status).toBe(404)
      expect((await app.request(`/.well-known/authzen-configuration/authzen/${name}`, { headers })).status).toBe(404)
    }
  })
})
