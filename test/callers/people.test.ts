import { randomUUID } from 'node:crypto'
import { accountManagementModule } from '@freehold/designs/account-management'
import { platformModule } from '@freehold/designs/platform'
import type { DesignModule } from '@freehold/frame'
import { createService, type Issuer, openKeys } from '@freehold/service'
import { type ConnectedTable, connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { faultySender, restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { user as userItems } from '../../packages/designs/test/account-items.ts'
import { sessionBounds } from '../../packages/service/src/keys/browser-sessions.ts'
import { holderOf } from '../../packages/service/src/keys/person-items.ts'
import { called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { entering } from './entering.ts'
import { issuer } from './tokens.ts'

// People who signed in to the console, and each way in which that ends.

let now_ms = Date.parse('2026-03-01T12:00:00Z')
const now = () => new Date(now_ms)
const sender = faultySender(engineSender())
const tableOf = (module: DesignModule): ConnectedTable =>
  connect(module.design, { sender, now, table: `people-${randomUUID()}`, jobHandlers: module.flows?.jobHandlers ?? {} })
const accounts = tableOf(accountManagementModule)
const portal = tableOf(platformModule)
const tables = new Map([
  ['account-management', { module: accountManagementModule, table: accounts }],
  ['platform', { module: platformModule, table: portal }],
])
const issuers: readonly Issuer[] = [{ ...issuer, user: { provider: 'acme' } }]
const operator = { actor: { kind: 'operator' } } as const
const flows = accountManagementModule.flows.of(accounts, operator)
const portalFlows = platformModule.flows.of(portal, operator)

const serving = (with_issuers = issuers, of = keys) => createService({ tables, keys: of, issuers: with_issuers, log: () => undefined })
const keysTable = `keys-${randomUUID()}`

for (const table of [accounts, portal]) await ensureTable(table.runtime)
const keys = await openKeys({ sender, now, table: keysTable })
const service = serving()
const enter = entering(keys, tables, issuers)
await portalFlows.createEnterprise({ id: 'enterprise', name: 'Enterprise' })

const own = { 'X-Freehold-Console': '1' }
async function send(
  session: string,
  path = '/console/session',
  { method = 'GET', body = undefined as object | undefined, at = service, headers = own as Record<string, string> } = {},
) {
  const all = { ...headers, Cookie: `__Host-freehold_console=${session}`, ...(body && { 'Content-Type': 'application/json' }) }
  return called(await at.request(path, { method, headers: all, ...(body && { body: JSON.stringify(body) }) }))
}
const personOf = (subject: string) =>
  ({ provider: 'acme', issuer: issuer.issuer, subject, isAddressVerified: false, name: 'Ada', firstSight: 'refuse' }) as const

let count = 0
/** A client with an administrator, who is signed in, and what it takes to end that. */
async function administrator() {
  const subject = `ada-${++count}`
  const { id: client } = await flows.createClient({ name: `Client ${count}` })
  const names = { user_type: 'client_admin', first_name: 'Ada', last_name: 'Lovelace' } as const
  const { id: user } = await flows.inviteUser({ client_id: client, email: `${subject}@example.org`, ...names })
  await flows.acceptInvitation({ id: user })
  const permissions = [{ module: 'account-management', action: 'export', resource: 'client' }]
  const { id: role_id } = await flows.createRole({ client_id: client, name: 'Admin', permissions })
  const assignment = { user_id: user, role_id, scope_type: 'client', scope_id: client } as const
  await flows.assignRole(assignment)
  await flows.linkIdentity({ provider: 'acme', subject, user_id: user })
  const session = await enter('account-management', personOf(subject))
  return { client, user, subject, assignment, session }
}
type Administrator = Awaited<ReturnType<typeof administrator>>

/** The same of an account of platform. */
async function lead() {
  const subject = `lead-${++count}`
  const [accountId, userId, roleId, groupId] = ['account', 'user', 'role', 'group'].map((each) => `${each}-${count}`) as [
    string,
    string,
    string,
    string,
  ]
  await portalFlows.createAccount({ id: accountId, name: accountId })
  await portalFlows.createUser({ accountId, id: userId, email: `${subject}@example.org`, firstName: 'Grace', lastName: 'Hopper' })
  await portalFlows.createRole({ accountId, id: roleId, name: 'Lead' })
  await portalFlows.setMenuPermission({ roleId, menuKey: 'account-export', canView: true })
  await portalFlows.createGroup({ accountId, id: groupId, name: 'Leads' })
  await portalFlows.giveRole({ groupId, roleId })
  await portalFlows.addToGroup({ groupId, userId })
  await portalFlows.linkIdentity({ provider: 'acme', subject, userId })
  return { accountId, userId, groupId, subject, session: await enter('platform', personOf(subject)) }
}
type Lead = Awaited<ReturnType<typeof lead>>

const kinds = ['session', 'catalogue', 'decision', 'read', 'flow']
const ended = { status: 401, body: { code: 'Denied', detail: 'This session has ended: sign in again.' } }

describe('a person at the console', () => {
  test('is told who it is, and what it may do', async () => {
    const { client, user, session } = await administrator()
    expect((await send(session)).body).toEqual({
      person: { design: 'account-management', user, tenant: client, name: 'Ada Lovelace', administers: true },
      ...{ purpose: 'administrator', may: kinds, designs: ['account-management'] },
      endsAt: new Date(now_ms + sessionBounds.whole_ms).toISOString(),
    })
  })

  test('is called as its user is now, and by its address without a name', async () => {
    const [ada, grace] = [await administrator(), await lead()]
    const name = async (session: string) => Object((await send(session)).body.person).name
    await flows.updateUser({ id: ada.user, last_name: 'Byron' })
    expect([await name(ada.session), await name(grace.session)]).toEqual(['Ada Byron', 'Grace Hopper'])
    await flows.updateUser({ id: ada.user, first_name: null, last_name: null })
    expect(await name(ada.session)).toBe(`${ada.subject}@example.org`)
  })

  test('signs in without a name and without an address', async () => {
    const [{ client }, id] = [await administrator(), randomUUID()]
    const stored = userItems(client, id, 'none@example.org').filter(({ Type }) => Type === 'User')
    await restoreItems(
      accounts.runtime,
      stored.map(({ email, GSI3PK, GSI3SK, first_name, last_name, ...item }) => item),
    )
    await flows.linkIdentity({ provider: 'acme', subject: id, user_id: id })
    const session = await enter('account-management', personOf(id))
    expect((await send(session)).body.person).toEqual({
      ...{ design: 'account-management', user: id, tenant: client, administers: false },
      ask: ['Ada Lovelace'],
    })
  })

  test('who administers nothing is told whom to ask, and asks about itself', async () => {
    const ada = await administrator()
    const { id: ben } = await flows.inviteUser({
      client_id: ada.client,
      email: `ben-${count}@example.org`,
      user_type: 'external_tenant',
      first_name: 'Ben',
      last_name: 'B',
    })
    await flows.acceptInvitation({ id: ben })
    await flows.linkIdentity({ provider: 'acme', subject: 'ben', user_id: ben })
    // One of the operator administers the client, too, and is none of its people.
    const { id: staff } = await flows.inviteUser({ user_type: 'internal', email: `staff-${count}@ours.example` })
    await flows.acceptInvitation({ id: staff })
    await flows.assignRole({ ...ada.assignment, user_id: staff })
    const session = await enter('account-management', personOf('ben'))
    expect((await send(session)).body).toMatchObject({
      purpose: 'person',
      person: { user: ben, administers: false, ask: ['Ada Lovelace'] },
    })
    const asked = (user: string, by = session) =>
      send(by, '/v1/account-management/can', { method: 'POST', body: { user, client: ada.client, permission: 'devices:read:camera' } })
    expect([(await asked(ben)).status, (await asked(ada.user)).status, (await asked(ben, ada.session)).status]).toEqual([200, 403, 200])
    const read = (by: string) => send(by, `/v1/account-management/entities/User?id=${ben}`)
    expect([(await read(session)).status, (await read(ada.session)).status]).toEqual([403, 200])
    await flows.unlinkIdentity({ provider: 'acme', subject: 'ben' })
  })

  test('who administers a tenant sees no secret, and nothing of another tenant, and acts as itself', async () => {
    const [ada, eve] = [await administrator(), await administrator()]
    await flows.setPassword({ id: eve.user, password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$YWJj' })
    const session = await enter('account-management', personOf(eve.subject))
    const told = await send(session, `/v1/account-management/entities/User?id=${eve.user}`)
    expect([told.status, told.body.password_hash]).toEqual([200, undefined])
    expect((await send(session, `/v1/account-management/entities/User?id=${ada.user}`)).status).toBe(404)
    const run = (body: object) => send(session, '/v1/account-management/flows/exportClient', { method: 'POST', body })
    expect((await run({ id: eve.client })).status).toBe(200)
    expect((await run({ id: eve.client, as: ada.user })).status).toBe(403)
    expect((await run({ id: ada.client })).status).toBe(404)
    const calls = [eve, ada].map(({ client }) => ({ flow: 'exportClient', input: { id: client } }))
    const { body } = await send(session, '/v1/account-management/permitted', { method: 'POST', body: { calls } })
    expect(body).toMatchObject({ answers: [{ allowed: true }, { allowed: false }] })
  })

  test('changes for others what they sign in by, and for itself only where it signs in again', async () => {
    const ada = await administrator()
    const permissions = [
      { module: 'account-management', action: 'link', resource: 'identity' },
      { module: 'account-management', action: 'change-email', resource: 'user' },
    ]
    const { id: role_id } = await flows.createRole({ client_id: ada.client, name: 'Links', permissions })
    await flows.assignRole({ ...ada.assignment, role_id })
    const email = () => `other-${++count}@example.org`
    const { id: other } = await flows.inviteUser({ client_id: ada.client, email: email(), user_type: 'external_tenant' })
    await flows.acceptInvitation({ id: other })
    const calls = (id: string) => [
      { flow: 'linkIdentity', input: { provider: 'github', subject: email(), user_id: id } },
      { flow: 'changeUserEmail', input: { id, email: email() } },
    ]
    const token = { flow: 'createToken', input: { user_id: ada.user, token_type: 'api' } }
    const run = async ({ flow, input }: { flow: string; input: object }) =>
      (await send(ada.session, `/v1/account-management/flows/${flow}`, { method: 'POST', body: input })).status
    // An id is the same in capitals.
    for (const own of [token, ...calls(ada.user), ...calls(ada.user.toUpperCase())]) expect([own, await run(own)]).toEqual([own, 403])
    const asked = { method: 'POST', body: { calls: [token, ...calls(ada.user), ...calls(other)] } }
    const { answers } = (await send(ada.session, '/v1/account-management/permitted', asked)).body
    expect((answers as { allowed: boolean }[]).map(({ allowed }) => allowed)).toEqual([false, false, false, true, true])
    for (const each of calls(other)) expect([each, await run(each)]).toEqual([each, 200])
  })

  test('is no other site, and no text that is almost its session', async () => {
    const { session } = await administrator()
    expect((await send(session, undefined, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403)
    expect((await send(session, undefined, { method: 'DELETE', headers: {} })).status).toBe(403)
    const other = (await administrator()).session
    const [holder, ...rest] = [session.slice(0, -71), session.slice(-71)]
    for (const text of [
      `${session.slice(0, -1)}${session.endsWith('A') ? 'E' : 'A'}`,
      holder + other.slice(-71),
      other.slice(0, -71) + rest.join(''),
      `fhs${session.slice(3)}`,
      session.slice(4),
    ])
      expect([text, (await send(text)).status]).toEqual([text, 401])
  })

  test('lists its sessions, and ends each; a new one of the same browser ends the former', async () => {
    const ada = await administrator()
    const second = await enter('account-management', personOf(ada.subject))
    const { body } = await send(second, '/console/sessions')
    const listed = body.sessions as readonly { readonly sessionId: string; readonly isOwn: boolean }[]
    expect(listed).toMatchObject([{ isOwn: false, agent: 'Firefox' }, { isOwn: true }])
    const stranger = (await administrator()).session
    const end = (by: string) => send(by, `/console/sessions?sessionId=${listed[0]?.sessionId}`, { method: 'DELETE' })
    expect([(await end(stranger)).status, (await end(second)).status, (await send(ada.session)).status]).toEqual([404, 204, 401])
    const third = await enter('account-management', personOf(ada.subject), { Cookie: `__Host-freehold_console=${second}` })
    expect([(await send(second)).status, (await send(third)).status]).toEqual([401, 200])
    expect(await send(third, undefined, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect((await send(third)).status).toBe(401)
    // Each of the three was a session of its design, which has ended with it.
    const { items } = await flows.listSessions({ user_id: ada.user })
    expect(items.map(({ status, sso_provider }) => [status, sso_provider])).toEqual(Array(3).fill(['expired', 'acme']))
  })
})

test('to sign out again ends what a sign-out that failed has left', async () => {
  const { session, user } = await administrator()
  const when = (input: object) => JSON.stringify(input).includes(accounts.runtime.table)
  sender.add({ operation: 'TransactWriteItems', when, fault: { kind: 'deny' } })
  const out = () => send(session, undefined, { method: 'DELETE' })
  expect([(await out()).status, (await out()).status]).toEqual([503, 204])
  expect((await flows.listSessions({ user_id: user })).items.map(({ status }) => status)).toEqual(['expired'])
})

test('of two that sign out at once, neither fails', async () => {
  const { session } = await administrator()
  const out = () => send(session, undefined, { method: 'DELETE' })
  expect((await Promise.all([out(), out()])).map(({ status }) => status)).toEqual([204, 204])
})

describe('the next request is refused once', () => {
  test.each<[string, (ada: Administrator) => unknown]>([
    [
      'its session is revoked',
      async ({ user }) => {
        for (const { id } of (await flows.listSessions({ user_id: user })).items) await flows.revokeSession({ id })
      },
    ],
    ['the user is disabled', ({ user }) => flows.disableUser({ id: user })],
    ['the user is deleted', ({ user }) => flows.deleteUser({ id: user })],
    [
      'the user is erased, and no name is left in the table of the service',
      async ({ user }) => {
        await flows.eraseUser({ id: user })
        const left = await keys.people.list(holderOf('account-management', user))
        expect([left.length, JSON.stringify(left)]).toEqual([1, expect.not.stringMatching(/Ada|Lovelace|@/)])
      },
    ],
    ['the client is suspended', ({ client }) => flows.suspendClient({ id: client })],
    ['its identity is unlinked', ({ subject }) => flows.unlinkIdentity({ provider: 'acme', subject })],
    [
      'its identity is another user’s',
      async ({ subject, client }) => {
        await flows.unlinkIdentity({ provider: 'acme', subject })
        const { id } = await flows.inviteUser({
          client_id: client,
          email: `x-${count}@example.org`,
          user_type: 'external_tenant',
          first_name: 'X',
          last_name: 'X',
        })
        await flows.linkIdentity({ provider: 'acme', subject, user_id: id })
      },
    ],
    [
      'it was not used for an hour',
      () => {
        now_ms += sessionBounds.idle_ms
      },
    ],
  ])('%s', async (_, revoke) => {
    const ada = await administrator()
    expect((await send(ada.session)).status).toBe(200)
    await revoke(ada)
    expect(await send(ada.session)).toMatchObject(ended)
    expect(await send(ada.session, '/v1')).toMatchObject(ended)
  })

  test.each<[string, (lead: Lead) => unknown]>([
    ['the user is deactivated', ({ userId }) => portalFlows.deactivateUser({ id: userId })],
    ['the account is suspended', ({ accountId }) => portalFlows.suspendAccount({ id: accountId })],
    ['its identity is unlinked', ({ subject }) => portalFlows.unlinkIdentity({ provider: 'acme', subject })],
    ['it signs out', ({ session }) => send(session, undefined, { method: 'DELETE' })],
  ])('%s, in a design without sessions', async (_, revoke) => {
    const grace = await lead()
    expect((await send(grace.session)).body).toMatchObject({ purpose: 'administrator', person: { tenant: grace.accountId } })
    await revoke(grace)
    expect(await send(grace.session)).toMatchObject(ended)
  })

  test.each<[string, readonly Issuer[]]>([
    ['is not in the settings', []],
    ['has another name there', [{ ...issuer, user: { provider: 'other' } }]],
    ['is for other designs', [{ ...issuer, user: { provider: 'acme' }, designs: ['platform'] }]],
  ])('the issuer %s', async (_, others) => {
    const { session } = await administrator()
    expect(await send(session, undefined, { at: serving(others) })).toMatchObject(ended)
  })

  test('the issuer that names its users by their ids is not in the settings', async () => {
    const session = await enter('account-management', { id: (await administrator()).user })
    const states = [[{ ...issuer, user: { claim: 'sub' } }], []].map(
      async (of) => (await send(session, undefined, { at: serving(of) })).status,
    )
    expect(await Promise.all(states)).toEqual([200, 401])
  })

  test.each([administrator, lead])('twelve hours have passed, though it is used: %o', async (begin) => {
    const { session } = await begin()
    for (let half = 0; half < 24; half++) {
      expect((await send(session)).status).toBe(200)
      now_ms += sessionBounds.idle_ms / 2
    }
    // What the process remembers ends, too.
    now_ms--
    expect((await send(session)).status).toBe(200)
    now_ms++
    expect(await send(session)).toMatchObject(ended)
  })

  test('another process has ended the session, within five seconds', async () => {
    const { session, user } = await administrator()
    const elsewhere = serving(issuers, await openKeys({ sender, now, table: keysTable }))
    expect((await send(session, undefined, { at: elsewhere })).status).toBe(200)
    // The session of the design stays: what the other process knows of the session alone is too old.
    const holder = holderOf('account-management', user)
    for (const { sessionId } of await keys.people.list(holder)) await keys.people.end(holder, sessionId)
    now_ms += 5000
    expect(await send(session, undefined, { at: elsewhere })).toMatchObject(ended)
  })
})

test('nobody enters whose tenant is not active, or whose session cannot begin', async () => {
  const grace = await lead()
  await portalFlows.suspendAccount({ id: grace.accountId })
  await expect(enter('platform', personOf(grace.subject))).rejects.toMatchObject({ code: 'Denied' })
  // As where the user is disabled meanwhile.
  const credentials = (table: ConnectedTable) => ({ ...accountManagementModule.credentials(table), begin: async () => undefined })
  const changed = new Map([['account-management', { module: { ...accountManagementModule, credentials }, table: accounts }]])
  const { subject } = await administrator()
  await expect(entering(keys, changed, issuers)('account-management', personOf(subject))).rejects.toMatchObject({ code: 'Denied' })
})

test('who loses the permission administers no more at the next request', async () => {
  const [ada, grace] = [await administrator(), await lead()]
  await flows.revokeRole(ada.assignment)
  await portalFlows.removeFromGroup({ groupId: grace.groupId, userId: grace.userId })
  for (const { session } of [ada, grace])
    expect((await send(session)).body).toMatchObject({ purpose: 'person', person: { administers: false } })
  expect((await send(ada.session, `/v1/account-management/entities/Client?id=${ada.client}`)).status).toBe(403)
})
