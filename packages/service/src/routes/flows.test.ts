import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { beforeAll, describe, expect, test } from 'vitest'
import { startServiceOf } from '../../test/serving.ts'
import type { KeyLimits } from '../keys/purpose.ts'
import { serveOnNode } from '../serve-on-node.ts'

const { flows } = designModules.get('account-management') ?? {}
const module = flows === undefined ? {} : { flows }
const service = await startServiceOf(accountManagement, { module })

const path = (flow: string) => `/v1/account-management/flows/${flow}`
const call = (flow: string, body?: object, headers?: Record<string, string>) => service.call('POST', path(flow), body, headers)

async function newClient(headers?: Record<string, string>): Promise<string> {
  const { status, body } = await call('createClient', { name: 'Acme' }, headers)
  expect(status).toBe(200)
  return String(body.id)
}
async function auditOf(client_id: string) {
  return (await service.table.auditOfClient({ client_id, from: '2000-01-01', to: '2199-12-31' })).items
}

describe('a flow', () => {
  test('takes its input in the body and answers what it gives, with its version', async () => {
    const { status, body, headers } = await call('createClient', { name: 'Acme' })
    expect({ status, body }).toEqual({
      status: 200,
      body: expect.objectContaining({ Type: 'Client', name: 'Acme', status: 'active', version: 1 }),
    })
    expect(headers.get('etag')).toBe('"1"')
    expect((await call('suspendClient', { id: body.id })).headers.get('etag')).toBe('"2"')
  })

  test('refuses a setting whose value would become another one, in the body as in the text of the value', async () => {
    const at = { scope_type: 'client', scope_id: await newClient(), key: 'account' }
    for (const value of ['9007199254740993', '{"id":9007199254740993}', '{"id":1,"id":2}'])
      expect(await call('setSetting', { ...at, value, value_type: 'json' })).toMatchObject({
        status: 400,
        body: { issues: [{ path: ['value'] }] },
      })
    expect((await call('setSetting', { ...at, value: '"9007199254740993"', value_type: 'json' })).status).toBe(200)
    expect((await call('resolveSetting', at)).body.value).toBe('9007199254740993')
  })

  test('that gives nothing answers 204', async () => {
    expect(await call('deleteClient', { id: await newClient() })).toMatchObject({ status: 204, body: {} })
  })

  test('that leaves the rest to a job nobody waits for answers 202', async () => {
    expect(await call('deleteClient', { id: await newClient(), wait: false })).toMatchObject({
      status: 202,
      body: { pending: [{ job: expect.any(String), kind: 'remove', entity: 'Client' }] },
    })
  })

  test('takes the version of its item in its input or in If-Match, as its ETag tells it', async () => {
    const id = await newClient()
    const first = await call('updateClient', { id, name: 'x', version: 1 })
    expect(first).toMatchObject({ status: 200 })
    const tag = String(first.headers.get('etag'))
    const second = await call('updateClient', { id, name: 'y' }, { 'if-match': tag })
    expect([second.status, second.headers.get('etag')]).toEqual([200, '"3"'])
    expect(await call('updateClient', { id, name: 'z' }, { 'if-match': tag })).toMatchObject({
      status: 412,
      body: { code: 'VersionConflict', status: 412 },
    })
    expect(await call('updateClient', { id, name: 'z', version: null }, { 'if-match': '*' })).toMatchObject({ status: 200 })
    for (const header of ['W/"4"', '"x"', '"1", "2"'])
      expect(await call('updateClient', { id, name: 'z' }, { 'if-match': header })).toMatchObject({ status: 412 })
    const listed = { 'if-match': '"1", "4"', 'idempotency-key': 'listed' }
    for (const replayed of [null, 'true']) {
      const answer = await call('updateClient', { id, name: 'l' }, listed)
      expect([answer.status, answer.headers.get('idempotency-replayed'), answer.headers.get('etag')]).toEqual([200, replayed, '"5"'])
    }
    expect(await call('updateClient', { id, name: 'z' }, { 'if-match': '5' })).toMatchObject({ status: 400 })
    expect(await call('updateClient', { id, name: 'z', version: 4 }, { 'if-match': '"4"' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['version'], message: expect.stringContaining('together with If-Match') }] },
    })
    for (const headers of [{}, { 'if-match': '"4"' }])
      for (const version of [{ toString: 1 }, { valueOf: 1, toString: null }])
        expect(await call('updateClient', { id, name: 'z', version }, headers)).toMatchObject({
          status: 400,
          body: { issues: [{ path: ['version'] }] },
        })
  })

  test('that takes no version refuses If-Match, which would be ignored', async () => {
    const id = await newClient()
    const asked = await call('exportClient', { id }, { 'if-match': '"1"' })
    expect(asked).toMatchObject({ status: 400, body: { issues: [{ path: ['If-Match'] }] } })
  })

  test('that gives a list answers a page, and its cursor goes on', async () => {
    const id = await newClient()
    const first = await call('exportClient', { id, limit: 1 })
    expect(first.body.items).toMatchObject([{ Type: 'Client', id }])
    const second = await call('exportClient', { id, cursor: first.body.cursor })
    expect(second.body.items).toMatchObject([{ Type: 'AuditLog' }, { Type: 'AuditLog' }])
    expect(second.body).not.toHaveProperty('cursor')
  })

  test('is listed with what it takes and who may', async () => {
    const { body } = await service.call('GET', '/v1')
    const [listed] = body.designs as { flows: unknown }[]
    expect(listed?.flows).toEqual(flows?.describe(accountManagement))
    expect(listed?.flows).toContainEqual(expect.objectContaining({ name: 'suspendClient', needs: 'operator' }))
  })

  test.each([
    ['createClient', {}, 400, { code: 'InvalidInput', issues: [{ path: ['name'] }] }],
    ['createClient', { nme: 'x', phone: '1' }, 400, { issues: [{ path: ['nme'] }, { path: ['name'] }, { path: ['phone'] }] }],
    ['createClient', { name: 'a', actor: 'ada@example.org' }, 400, { issues: [{ path: ['actor'] }] }],
    ['exportClient', { id: '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11' }, 404, { code: 'NotFound' }],
    ['exportClient', { id: '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11', cursor: 'x' }, 404, { code: 'NotFound' }],
  ])('%s of %j is answered with %i', async (flow, input, status, body) => {
    expect(await call(flow, input)).toMatchObject({ status, body })
  })

  test('loses to another writer where it names a version', async () => {
    const id = await newClient()
    expect(await call('updateClient', { id, name: 'x', version: 7 })).toMatchObject({ status: 409, body: { code: 'VersionConflict' } })
  })

  test('that is not there is no path, and takes POST only', async () => {
    expect(await call('createCleint')).toMatchObject({ status: 404, body: { code: 'UnknownName' } })
    expect(await service.call('GET', path('createClient'))).toMatchObject({ status: 405 })
    expect(await service.call('POST', `${path('createClient')}?as=ada%40example.org`, { name: 'x' })).toMatchObject({ status: 400 })
  })
})

describe('an item that flows govern', () => {
  const refused = (flow: string) => ({
    status: 403,
    body: { code: 'Denied', detail: expect.stringContaining(flow) },
  })
  const permission = { module: '*', action: '*', resource: '*' }

  test.each([
    ['Role', { name: 'everything', permissions: [permission] }, 'createRole'],
    ['AuditLog', { action: 'deleteClient', user_id: randomUUID() }, 'none does only that'],
    ['UserRoleAssignment', { user_id: randomUUID(), role_id: randomUUID() }, 'assignRole'],
    ['Client', { name: 'mine' }, 'createClient'],
  ])('is not created by the routes of entities: %s', async (entity, values, flow) => {
    const before = await service.scan()
    expect(await service.call('POST', `/v1/account-management/entities/${entity}`, values)).toMatchObject(refused(flow))
    expect(await service.scan()).toEqual(before)
  })

  test('is neither changed, moved nor removed by them', async () => {
    const client_id = await newClient()
    const { body } = await call('inviteUser', { client_id, email: `eve-${client_id}@example.org`, user_type: 'client_admin' })
    const other = await newClient()
    const before = await service.scan()
    const user = `/v1/account-management/entities/User`
    for (const change of [{ client_id: other }, { password_hash: 'x' }, { status: 'active' }])
      expect(await service.call('PATCH', `${user}?id=${body.id}`, change)).toMatchObject(refused('moveUser'))
    expect(await service.call('POST', `${user}/move?id=${body.id}`, { id: randomUUID() })).toMatchObject(refused('updateUser'))
    expect(await service.call('DELETE', `/v1/account-management/entities/Client?id=${client_id}`)).toMatchObject(refused('deleteClient'))
    expect(await service.scan()).toEqual(before)
  })
})

describe('the audit of what is done without a user', () => {
  test('knows the operator by its API key, and where the request came from as far as that is known', async () => {
    const id = await newClient({ 'User-Agent': 'curl/8', 'X-Forwarded-For': '203.0.113.9' })
    const [{ keyId } = { keyId: '' }] = await service.keys.list()
    const [entry] = await auditOf(id)
    expect(entry).toMatchObject({ metadata: { operator: keyId }, user_agent: 'curl/8' })
    expect(entry).not.toHaveProperty('ip_address')
  })

  test('has the address of the connection', async () => {
    const server = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
    const answer = await fetch(server.address + path('createClient'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
      body: '{"name":"Acme"}',
    })
    const { id }: { readonly id: string } = JSON.parse(await answer.text())
    expect((await auditOf(id))[0]).toMatchObject({ ip_address: '127.0.0.1' })
    await server.close()
  })

  test('has the address that a trusted proxy saw', async () => {
    const behind = await startServiceOf(accountManagement, { module, trustedProxies: 1 })
    const headers = { 'X-Forwarded-For': '10.0.0.1, 203.0.113.9' }
    const { body } = await behind.call('POST', path('createClient'), { name: 'Acme' }, headers)
    const { items } = await behind.table.auditOfClient({ client_id: String(body.id), from: '2000-01-01', to: '2199-12-31' })
    expect(items).toMatchObject([{ ip_address: '203.0.113.9' }])
  })
})

describe('as a user', () => {
  let id: string
  let user_id: string
  beforeAll(async () => {
    id = await newClient()
    const { body } = await call('inviteUser', { client_id: id, email: 'ada@example.org', user_type: 'client_admin' })
    user_id = String(body.id)
  })

  test('a user without the permission gets a 403, by id and by e-mail address alike, and only the denial is written', async () => {
    const before = await service.scan()
    for (const as of [user_id, user_id.toUpperCase(), ' Ada@Example.org', 'nobody@example.org', '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11'])
      expect(await call('updateClient', { id, name: 'Mine', as })).toMatchObject({ status: 403, body: { code: 'Denied' } })
    expect((await service.scan()).filter((item) => !JSON.stringify(item).includes('failure'))).toEqual(before)
    const [{ keyId } = { keyId: '' }] = await service.keys.list()
    const denial = { action: 'updateClient', user_id, metadata: { reason: 'UserNotActive', via: keyId } }
    expect((await auditOf(id)).filter(({ status }) => status === 'failure')).toEqual(
      [denial, denial, denial].map((each) => expect.objectContaining(each)),
    )
  })

  test.each([null, '', 7, {}, 'ada', '*', `${'a'.repeat(3000)}@example.org`])(
    '%.20j is no user, and makes nobody an operator',
    async (as) => {
      expect(await call('updateClient', { id, name: 'Mine', as })).toMatchObject({ status: 400, body: { issues: [{ path: ['as'] }] } })
      expect((await service.table.Client.get({ id }))?.name).toBe('Acme')
    },
  )
})

describe('an application', () => {
  const person = { 'X-Forwarded-For': '203.0.113.9', 'User-Agent': 'Firefox' }
  const factor = { mfa_type: 'totp', mfa_secret: `kms:${Buffer.from('.'.repeat(40)).toString('base64url')}` }
  const invited = async (client_id: string) => {
    const { body } = await call('inviteUser', { client_id, email: `eve@${client_id}.example`, user_type: 'client_admin' })
    expect((await call('acceptInvitation', { id: body.id })).status).toBe(200)
    return String(body.id)
  }
  const limited = async (limits: KeyLimits) => {
    const { keyId, text } = await service.keys.newKey('shop', { designs: ['account-management'], ...limits })
    return { keyId, headers: { Authorization: `Bearer ${text}`, ...person } }
  }
  let [own, other, user, stranger] = ['', '', '', '']
  beforeAll(async () => {
    own = await newClient()
    other = await newClient()
    user = await invited(own)
    stranger = await invited(other)
  })
  const ofTenant = () => limited({ purpose: 'application', tenant: own, flows: ['setMfa'] })

  test('runs the flows that it names, and the audit has it beside the person with address and agent', async () => {
    const { keyId, headers } = await ofTenant()
    expect((await call('setMfa', { id: user, as: user, ...factor }, headers)).status).toBe(200)
    expect((await auditOf(own)).filter(({ action }) => action === 'setMfa')).toMatchObject([
      { user_id: user, ip_address: '203.0.113.9', user_agent: 'Firefox', metadata: { via: `${keyId} shop` } },
    ])
  })

  test('alone passes an address on', async () => {
    const { keyId, headers } = await limited({ purpose: 'flows' })
    expect((await call('setMfa', { id: stranger, as: stranger, ...factor }, headers)).status).toBe(200)
    const [entry] = (await auditOf(other)).filter(({ action }) => action === 'setMfa')
    expect(entry).toMatchObject({ metadata: { via: keyId } })
    expect(entry).not.toHaveProperty('ip_address')
  })

  test('is refused all else alike, and changes nothing', async () => {
    const { headers } = await ofTenant()
    const { headers: ofNone } = await limited({ purpose: 'application' })
    const changes = async () => (await service.scan()).filter((item) => !JSON.stringify(item).includes('failure'))
    const before = await changes()
    const answers = [
      await call('unsetMfa', { id: user, as: user }, headers),
      await call('setMfa', { id: user, as: user, ...factor }, ofNone),
      await call('nothing', { as: user }, headers),
      await service.call('PATCH', `/v1/account-management/entities/User?id=${user}`, { title: 'x' }, headers),
    ]
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.detail}`))).toEqual(
      new Set(['403 This caller may not do this, or there is nothing here.']),
    )
    for (const as of [undefined, stranger, 'identity-provider'])
      expect(await call('setMfa', { id: user, as, ...factor }, headers)).toMatchObject({ status: as === 'identity-provider' ? 400 : 403 })
    expect(await changes()).toEqual(before)
  })

  test('reads within its tenant, and is permitted what it names', async () => {
    const { headers } = await ofTenant()
    const client = (id: string) => service.call('GET', `/v1/account-management/entities/Client?id=${id}`, undefined, headers)
    expect([(await client(own)).status, (await client(other)).status]).toEqual([200, 404])
    const calls = ['nothing', 'setMfa', 'unsetMfa'].map((flow) => ({ flow, input: { id: user } }))
    const refused = { allowed: false, reason: { code: 'NotForCaller' } }
    expect(await service.call('POST', '/v1/account-management/permitted', { calls, as: user }, headers)).toMatchObject({
      status: 200,
      body: { answers: [refused, { allowed: true }, refused] },
    })
    for (const wrong of [{ flow: 1 }, { flow: 'setMfa', input: [] }, { flow: 'setMfa', input: null }, { flow: 'setMfa', other: 1 }, null])
      expect(await service.call('POST', '/v1/account-management/permitted', { calls: [...calls, wrong], as: user }, headers)).toMatchObject(
        {
          status: 400,
          body: { issues: [{ path: ['calls', 3, expect.any(String)] }] },
        },
      )
  })
})

test('what a request says is not logged', async () => {
  await call('createClient', { name: 'Never to be told', as: 'secret@example.org' })
  expect(service.lines.at(-1)).toMatchObject({ route: path('createClient'), status: 403 })
  expect(JSON.stringify(service.lines)).not.toMatch(/Never|secret/)
})
