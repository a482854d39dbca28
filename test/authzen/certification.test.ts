import { authorizationModuleWith, decideAuthorization } from '@freehold/designs/authorization'
import { policiesOf } from '@freehold/frame/cedar'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../engine/endpoint.ts'
import { type PointAnswer, searched, serveAlone } from './agreement.ts'

// The scenario of the OpenID Foundation's certification for AuthZEN: users, records, properties and policies of its own, loaded over HTTP and from a
// folder of policies alone. Its requests stand here as it has them, beside the decisions that it wants.

const policies = new Map([
  [
    'schema.cedarschema',
    `entity Tenant;
entity Role;
entity GlobalRole;
entity User in [Role, GlobalRole] = { role?: String };
entity record = { status?: String };
type Request = { tenant: Tenant, soft?: Bool };
action read, write, delete appliesTo { principal: User, resource: record, context: Request };
`,
  ],
  [
    'records.cedar',
    `@id("readers") permit (principal in Role::"reader", action == Action::"read", resource);
@id("writers") permit (principal in Role::"writer", action == Action::"write", resource)
unless { resource has status && resource.status == "archived" };
@id("admins-write-archives") permit (principal, action == Action::"write", resource)
when { resource has status && resource.status == "archived" && ((principal has role && principal.role == "admin") || principal in Role::"admin") };
@id("soft-deletes") permit (principal in Role::"writer", action == Action::"delete", resource) when { context has soft && context.soft };
`,
  ],
])

const archived = { status: 'archived' }
const sender = engineSender()

const ask = (path: string, body: object | string) => served.ask(path, body)
const user = (id: string, properties?: object) => ({ type: 'user', id, ...(properties === undefined ? {} : { properties }) })
const record = (id: string, properties?: object) => ({ type: 'record', id, ...(properties === undefined ? {} : { properties }) })
const evaluation = (subject: object, name: string, resource: object, more: object = {}) => ({
  subject,
  action: { name, ...more },
  resource,
})

const served = await serveAlone(authorizationModuleWith({ policies: await policiesOf(policies) }), sender, { authzenTenant: 'records' })
const made = async (flow: string, input: object) => {
  const { status, body } = await served.call('POST', `/v1/authorization/flows/${flow}`, input)
  expect([flow, status, body]).toEqual([flow, 200, body])
  return body as Readonly<Record<string, string>>
}
const tenantId = (await made('createTenant', { name: 'records' })).tenantId ?? ''
const roles: Record<string, string> = {}
for (const name of ['reader', 'writer', 'admin']) roles[name] = (await made('createRole', { name, scope: 'tenant' })).roleId ?? ''
const users: Record<string, string> = {}
for (const [name, held] of [
  ['alice', ['reader', 'writer']],
  ['bob', ['reader', 'admin']],
] as const) {
  users[name] = (await made('createUser', { email: `${name}@example.org`, preferredUsername: name })).userId ?? ''
  await made('createGrant', { tenantId, userId: users[name], roles: held.map((role) => roles[role]) })
}
for (const [id, attributes] of Object.entries({ 'record-1': { status: 'active' }, 'record-2': archived }))
  await made('createResource', { tenantId, type: 'record', id, attributes })
const other = (await made('createTenant', { name: 'other' })).tenantId ?? ''
await made('createGrant', { tenantId: other, userId: users.alice, roles: [roles.reader] })
const ids: Readonly<Record<string, string>> = { ...users, tenantId, other }

describe('the decisions of the certification', () => {
  test.each([
    ['1', evaluation(user('alice'), 'read', record('record-1')), true],
    ['2', evaluation(user('alice'), 'write', record('record-1')), true],
    ['3', evaluation(user('bob'), 'read', record('record-1')), true],
    ['4', evaluation(user('bob'), 'write', record('record-1')), false],
    ['5', evaluation(user('alice'), 'write', record('record-2', archived)), false],
    ['6', evaluation(user('bob', { role: 'admin' }), 'write', record('record-2', archived)), true],
    ['7', evaluation(user('alice'), 'delete', record('record-1'), { properties: { soft: true } }), true],
    ['8', evaluation(user('alice'), 'delete', record('record-1'), { properties: { soft: false } }), false],
  ])('rule %s', async (_, body, decision) => {
    expect(await ask('evaluation', body)).toMatchObject({ status: 200, body: { decision } })
  })

  test('hold with a context, with further properties, and with unknown members', async () => {
    const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' }
    const base = evaluation(user('alice'), 'read', record('record-1'))
    expect((await ask('evaluation', { ...base, context })).body).toEqual({
      decision: true,
      context: { unused: ['context.time', 'context.ip'] },
    })
    const more = {
      subject: user('alice', { department: 'Sales', role: 'manager' }),
      action: { name: 'read', properties: { method: 'GET' } },
      resource: record('record-1', { status: 'active', owner: 'bob' }),
    }
    expect((await ask('evaluation', more)).body).toEqual({
      decision: true,
      context: { unused: ['subject.properties.department', 'resource.properties.owner', 'action.properties.method'] },
    })
    expect((await ask('evaluation', { ...base, foo: 'bar', futureField: { nested: true } })).body).toEqual({ decision: true })
  })

  test.each([
    ['a long text', `"${'x'.repeat(50_000)}"`, { status: 200, decision: true }],
    ['1e308', '1e308', { status: 200, decision: false }],
    ['a number beyond any', '1e400', { status: 400 }],
    ['a whole number beyond 2^53', '9007199254740993', { status: 400 }],
    ['an unpaired surrogate', '"\\ud800"', { status: 400 }],
    ['deep lists', `${'['.repeat(500)}${']'.repeat(500)}`, { status: 400 }],
  ])('hold with %s where nothing is declared, which is told (spec rule 28); a declared text is checked', async (_, held, checked) => {
    const holding = (body: object) => JSON.stringify(body).replaceAll('"held"', held)
    const anything = { other: 'held' }
    const body = { ...evaluation(user('bob', { ...anything, role: 'admin' }), 'write', record('record-2', anything)), context: anything }
    expect(await ask('evaluation', holding(body))).toEqual({
      status: 200,
      body: { decision: true, context: { unused: ['subject.properties.other', 'resource.properties.other', 'context.other'] } },
    })
    const { status, body: answer } = await ask('evaluation', holding({ ...body, subject: user('bob', { role: 'held' }) }))
    expect({ status, decision: answer.decision }).toEqual(checked)
  })

  test('are those of batches', async () => {
    const decisions = async (body: object) => (await ask('evaluations', body)).body.evaluations.map(({ decision }) => decision)
    const [alice, bob] = [user('alice'), user('bob')]
    expect(
      await decisions({
        subject: bob,
        resource: record('record-1'),
        evaluations: [{ action: { name: 'read' } }, { action: { name: 'write' } }],
      }),
    ).toEqual([true, false])
    const write = { action: { name: 'write' } }
    expect(
      await decisions({
        ...{ subject: alice, ...write },
        evaluations: [{ resource: record('record-1', { status: 'active' }) }, { resource: record('record-2', archived) }],
      }),
    ).toEqual([true, false])
    expect(
      await decisions({
        ...write,
        resource: record('record-2', archived),
        evaluations: [{ subject: alice }, { subject: user('bob', { role: 'admin' }) }],
      }),
    ).toEqual([false, true])
    expect(
      await decisions({
        ...{ subject: alice, ...write, resource: { type: 'record' } },
        evaluations: [{ resource: { id: 'record-1', properties: { status: 'active' } } }, { resource: record('record-2', archived) }],
      }),
    ).toEqual([true, false])
    expect(await decisions({ subject: alice, action: { name: 'read' }, evaluations: [{ resource: record('record-1') }, {}] })).toEqual([
      true,
      false,
    ])
  })
})

describe('a user', () => {
  test('is named by its id, preferred username or e-mail address', async () => {
    for (const id of ['alice', 'ALICE', ids.alice ?? '', 'Alice@example.org'])
      expect((await ask('evaluation', evaluation(user(id), 'read', record('record-1')))).body).toEqual({ decision: true })
    for (const id of ['nobody', 'a#b', '', '../alice', 'x'.repeat(5000)])
      expect(await ask('evaluation', evaluation(user(id), 'read', record('record-1')))).toMatchObject({
        status: 200,
        body: { decision: false },
      })
  })
})

describe('the tenant', () => {
  const reads = (context?: object) =>
    ask('evaluation', { ...evaluation(user('bob'), 'read', record('record-1')), ...(context ? { context } : {}) })

  test('is that of the context, by id or name, else the one that the deployer gives', async () => {
    expect((await reads()).body).toEqual({ decision: true })
    expect((await reads({ tenant: ids.tenantId })).body).toEqual({ decision: true })
    expect((await reads({ tenant: 'records' })).body).toEqual({ decision: true })
    for (const tenant of [ids.other, 'other', 'nowhere', '', 7, ids.alice, '#', {}])
      expect(await reads({ tenant })).toMatchObject({ status: 200, body: { decision: false } })
  })

  test('that nobody names denies', async () => {
    const { ask: asked } = served.with({})
    const { body } = await asked('evaluation', { ...evaluation(user('alice'), 'read', record('record-1')), options: { reasons: true } })
    expect(body).toMatchObject({ decision: false, context: { reason_admin: { NoTenant: expect.any(String) } } })
    const search = await asked('search/subject', { subject: { type: 'user' }, action: { name: 'read' }, resource: record('record-1') })
    expect(search.body).toMatchObject({ results: [], context: { reason_admin: { NoTenant: expect.any(String) } } })
  })

  test.each(['tenant', 'keyTenant'])("is the caller's own where its table or key has one (%s): no other is reached", async (by) => {
    const { ask: asked } = served.with({ [by]: ids.other, authzenTenant: 'records' })
    const of = (id: string, context?: object) =>
      asked('evaluation', { ...evaluation(user(id), 'read', record('r')), ...(context ? { context } : {}), options: { reasons: true } })
    expect((await of(ids.alice ?? '')).body).toEqual({ decision: true })
    for (const id of ['alice', 'alice@example.org', ids.alice ?? ''])
      expect((await of(id, { tenant: 'other' })).body).toEqual({ decision: true })
    for (const tenant of [ids.tenantId, 'records'])
      expect((await of('bob', { tenant })).body).toMatchObject({
        decision: false,
        context: { reason_admin: { UnknownTenant: expect.any(String) } },
      })
    // Whoever has no grant there looks like nobody, by every name.
    for (const id of ['bob', 'nobody', 'bob@example.org', ids.bob ?? ''])
      expect((await of(id)).body).toEqual({
        decision: false,
        context: { reason_admin: { UnknownUser: `There is no user ${JSON.stringify(id)}.` } },
      })
    const found = await asked('search/subject', { subject: { type: 'user' }, action: { name: 'read' }, resource: record('r') })
    expect(found.body.results).toEqual([{ type: 'user', id: 'alice' }])
  })
})

test('the questions of one tenant tell of a foreign name what they tell of none', async () => {
  const decider = decideAuthorization(await policiesOf(policies))(served.table.forTenant(ids.other ?? '').runtime)
  const told = async (name: string) => {
    const everywhere = { user: name, action: 'read', resource: { type: 'record', id: 'r' } }
    const asked = { ...everywhere, tenant: ids.other ?? '' }
    const answers = [await decider.why(asked), await decider.can(asked), await decider.what(asked), await decider.where(everywhere)]
    return JSON.stringify(answers).replaceAll(name, 'X')
  }
  expect(await told('bob')).toBe(await told('nobody'))
  expect(await told('bob')).toBe(await told('nobody'))
  expect(await told('bob@example.org')).toBe(await told('nobody@example.org'))
  expect(await told('bob')).not.toContain(ids.bob)
  expect(await told('alice')).toContain('"allowed":true')
})

describe('properties', () => {
  test('of another type than the schema declares deny, and so do those that are stored otherwise', async () => {
    for (const body of [
      evaluation(user('bob', { role: 7 }), 'write', record('record-2', archived)),
      evaluation(user('bob', { role: 'admin' }), 'write', record('record-3', { status: ['archived'] })),
      evaluation(user('alice'), 'delete', record('record-1'), { properties: { soft: 'true' } }),
      evaluation(user('alice'), 'none', record('record-1')),
    ])
      expect(await ask('evaluation', { ...body, options: { reasons: true } })).toMatchObject({
        status: 200,
        body: { decision: false, context: { reason_admin: expect.any(Object) } },
      })
    const { body } = await ask('evaluations', {
      evaluations: [evaluation(user('bob', { role: 7 }), 'write', record('record-2', archived))],
      options: { reasons: true },
    })
    expect(body.evaluations).toMatchObject([{ decision: false, context: { reason_admin: { PolicyFault: expect.any(String) } } }])
  })

  test('never replace what is stored', async () => {
    const unlocked = evaluation(user('alice'), 'write', record('record-2', { status: 'active' }))
    expect((await ask('evaluation', unlocked)).body).toMatchObject({ decision: false })
    const locked = evaluation(user('bob', { role: 'admin' }), 'write', record('record-1', archived))
    expect((await ask('evaluation', locked)).body).toMatchObject({ decision: false })
  })

  test('that are null are absent', async () => {
    const body = evaluation(user('alice', { role: null }), 'write', record('record-1', { status: null }), { properties: { soft: null } })
    expect((await ask('evaluation', body)).body).toEqual({ decision: true })
    const softly = evaluation(user('alice'), 'delete', record('record-1'), { properties: { soft: true } })
    expect((await ask('evaluation', { ...softly, context: { soft: null } })).body).toMatchObject({ decision: true })
  })

  test('name no tenant, and the context wins over those of the action', async () => {
    const soft = { properties: { soft: true, tenant: 'other' } }
    const body = { ...evaluation(user('alice'), 'delete', record('record-1'), soft), context: { soft: false }, options: { reasons: true } }
    expect((await ask('evaluation', body)).body).toMatchObject({
      decision: false,
      context: { unused: expect.arrayContaining(['action.properties.soft', 'action.properties.tenant']) },
    })
  })
})

describe('the searches of the certification', () => {
  const idsOf = ({ body }: { readonly body: PointAnswer }) => body.results.map(({ id, name }) => id ?? name)

  test('find subjects by name, also by their properties and those of the resource', async () => {
    const read = { subject: { type: 'user' }, action: { name: 'read' }, resource: record('record-1') }
    expect((await ask('search/subject', read)).body.results).toEqual([
      { type: 'user', id: 'alice' },
      { type: 'user', id: 'bob' },
    ])
    expect(await searched(ask, 'subject', read, 1)).toEqual(['alice', 'bob'])
    expect(idsOf(await ask('search/subject', { ...read, action: { name: 'write' }, resource: record('record-2', archived) }))).toEqual([
      'bob',
    ])
  })

  test('find the records that are kept, also by properties of the subject', async () => {
    const records = { subject: user('alice'), action: { name: 'read' }, resource: { type: 'record' } }
    expect((await ask('search/resource', records)).body.results).toEqual([
      { type: 'record', id: 'record-1' },
      { type: 'record', id: 'record-2' },
    ])
    expect(await searched(ask, 'resource', records, 1)).toEqual(['record-1', 'record-2'])
    expect(idsOf(await ask('search/resource', { ...records, action: { name: 'write' } }))).toEqual(['record-1'])
    const byProperty = { subject: user('bob', { role: 'admin' }), action: { name: 'write' }, resource: { type: 'record', id: 'ignored' } }
    expect(idsOf(await ask('search/resource', byProperty))).toEqual(['record-2'])
    for (const body of [
      { ...records, subject: user('nobody') },
      { ...records, action: { name: 'none' } },
      { ...records, context: { tenant: 'other' } },
    ])
      expect(await ask('search/resource', body)).toMatchObject({ status: 200, body: { results: [] } })
  })

  test('find actions', async () => {
    expect(idsOf(await ask('search/action', { subject: user('alice'), resource: record('record-1') }))).toEqual(['read', 'write'])
    const admin = { subject: user('bob', { role: 'admin' }), resource: record('record-2', archived) }
    expect(idsOf(await ask('search/action', admin))).toEqual(['read', 'write'])
    expect(await searched(ask, 'action', { subject: user('alice'), resource: record('record-1') }, 1)).toEqual(['read', 'write'])
  })

  test('find nothing for what is unknown', async () => {
    expect((await ask('search/action', { subject: user('nonexistent-user'), resource: record('record-1') })).body).toMatchObject({
      results: [],
    })
    const spaceships = { subject: { type: 'spaceship' }, action: { name: 'read' }, resource: record('record-1') }
    expect((await ask('search/subject', spaceships)).body).toMatchObject({ results: [] })
    for (const resource of [
      { type: 'spaceship', id: 'x' },
      { type: 'Tenant', id: 'x' },
    ])
      expect((await ask('search/subject', { subject: { type: 'user' }, action: { name: 'read' }, resource })).body).toMatchObject({
        results: [],
      })
  })
})
