import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { rebac } from '@freehold/designs/rebac'
import { type AccessLine, createService, openKeys, type Service, type UserOfToken } from '@freehold/service'
import { connect } from '@freehold/table'
import { ensureTable, type Stored, scanItems } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { worldAt } from '../../packages/designs/test/isolation/world.ts'
import { type Called, called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { issuer, tokenOf } from './tokens.ts'

// Users who call for themselves by a token of an issuer.

const sender = engineSender()
const people = connect(rebac, { sender, table: `users-${randomUUID()}` })
const lines: AccessLine[] = []
const users: Stored[] = []
const permission = 'devices:read:camera'

const world = await worldAt(`users-${randomUUID()}`)
for await (const page of scanItems(world.table.runtime)) users.push(...page.filter(({ Type }) => Type === 'User'))
await ensureTable(people.runtime)
const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
const moduleOf = (name: string) => designModules.get(name) ?? { design: rebac, summary: '' }
const tables = new Map([
  ['account-management', { module: moduleOf('account-management'), table: world.table }],
  ['rebac', { module: moduleOf('rebac'), table: people }],
])
const serving = (user: UserOfToken, claims = {}, more = {}) =>
  createService({ tables, keys, issuers: [{ ...issuer, user, claims, ...more }], log: (line) => lines.push(line) })
const services: Readonly<Record<'byId' | 'byEmail' | 'bySubject' | 'linking' | 'elsewhere', Service>> = {
  ...{ byId: serving({ claim: 'sub' }), byEmail: serving({ claim: 'mail' }), bySubject: serving({ provider: 'google' }) },
  linking: serving({ provider: 'google', firstSight: 'link' }, { tenant: 'org' }),
  elsewhere: serving({ provider: 'google', firstSight: 'link' }, { tenant: 'org' }, { designs: ['rebac'] }),
}
const has = (wanted: Readonly<Record<string, unknown>>) => (item: Stored) =>
  Object.entries(wanted).every(([name, value]) => item[name] === value)
function userWith(wanted: Readonly<Record<string, unknown>>, but?: Stored): Stored {
  const found = users.find((item) => item !== but && has(wanted)(item))
  if (found === undefined) throw new Error(`The world has no such user: ${JSON.stringify(wanted)}`)
  return found
}
const clientOf = (user: Stored) => String(user.client_id)

async function ask(token: string, path: string, body: object | undefined = {}, by: keyof typeof services = 'byId'): Promise<Called> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return called(await services[by].request(path, { method: 'POST', headers, body: JSON.stringify(body) }))
}
const can = '/v1/account-management/can'
const told = ({ status, body: { instance: _, ...body } }: Called) => JSON.stringify([status, body])

describe('a user with a token', () => {
  /** An active user of a client, which has another. */
  const active = (): Stored => {
    const all = users.filter(({ status, client_id, email }) => status === 'active' && client_id !== undefined && email !== undefined)
    const me = all.find((user) => all.some((other) => other !== user && other.client_id === user.client_id))
    return me ?? fail()
  }

  test('asks about itself, whether or not it says so', async () => {
    const me = active()
    const token = await tokenOf(String(me.id))
    const question = { client: clientOf(me), permission }
    const answers = [await ask(token, can, question), await ask(token, can, { ...question, user: me.id })]
    expect(answers[0]).toMatchObject({ status: 200, body: { allowed: expect.any(Boolean) } })
    expect(told(answers[1] ?? fail())).toBe(told(answers[0] ?? fail()))
    const many = await ask(token, can, { questions: [question, { ...question, user: me.id }] })
    expect(many).toMatchObject({ status: 200, body: { answers: [answers[0]?.body, answers[0]?.body] } })
    for (const name of ['why', 'what', 'where', 'access']) {
      const body = name === 'what' || name === 'access' ? { client: clientOf(me) } : name === 'where' ? { permission } : question
      expect([name, (await ask(token, `/v1/account-management/${name}`, body)).status]).toEqual([name, 200])
    }
    expect(lines.at(-1)).toMatchObject({ issuer: issuer.issuer, as: me.id })
  })

  test('asks about nobody else, by id or by address, alone or among many', async () => {
    const me = active()
    const token = await tokenOf(String(me.id))
    const other = userWith({ status: 'active', client_id: me.client_id }, me)
    const question = { client: clientOf(me), permission }
    for (const user of [other.id, other.email, me.email, 'nobody@example.org', '', 7, []])
      for (const body of [{ ...question, user }, { questions: [question, { ...question, user }] }])
        expect([user, (await ask(token, can, body)).status]).toEqual([user, 403])
    expect((await ask(token, '/v1/account-management/who', question)).status).toBe(403)
  })

  test('learns nothing of another tenant: its scopes look like none', async () => {
    const me = active()
    const token = await tokenOf(String(me.id))
    const foreign = users.find(({ client_id }) => client_id !== undefined && client_id !== me.client_id)
    const asked = (client: unknown) => ask(token, can, { client, permission })
    const [there, nowhere] = [await asked(foreign?.client_id), await asked('00000000-0000-4000-8000-00000000dead')]
    const plain = (answer: Called) =>
      told(answer).replaceAll(String(foreign?.client_id), 'ID').replaceAll('00000000-0000-4000-8000-00000000dead', 'ID')
    expect(plain(there)).toBe(plain(nowhere))
    expect(there.body.allowed).toBe(false)
  })

  test('runs flows as itself, and as nobody else', async () => {
    const me = active()
    const token = await tokenOf(String(me.id))
    const other = userWith({ status: 'active', client_id: me.client_id }, me)
    const flow = '/v1/account-management/flows/createProject'
    for (const as of [other.id, me.email, 'identity-provider:google'])
      expect([as, (await ask(token, flow, { as })).status]).toEqual([as, 403])
    // It gets to the flow, which refuses the empty input.
    for (const body of [{}, { as: me.id }]) expect((await ask(token, flow, body)).body.code).toBe('InvalidInput')
  })

  test('reads no items, and manages no keys', async () => {
    const token = await tokenOf(String(active().id))
    for (const path of ['/v1/account-management/patterns/clients', '/v1/account-management/entities/User', '/v1/api-keys', '/v1/nothing'])
      expect([path, (await ask(token, path)).body.detail]).toEqual([path, 'This caller may not do this, or there is nothing here.'])
  })

  test('is refused if it is not active, or nobody', async () => {
    const question = { client: clientOf(active()), permission }
    const inactive = users.filter(({ status }) => status !== 'active')
    expect(inactive.length).toBeGreaterThan(0)
    for (const id of [...inactive.map((user) => user.id), randomUUID(), 'x', '#', 'a'.repeat(1_000)])
      expect([id, (await ask(await tokenOf(String(id)), can, question)).body]).toMatchObject([id, { code: 'Denied', status: 403 }])
  })

  test('is never found by its e-mail address, whichever claim has it', async () => {
    const me = active()
    const question = { client: clientOf(me), permission }
    expect((await ask(await tokenOf(String(me.email)), can, question)).status).toBe(403)
    expect((await ask(await tokenOf('x', { mail: me.email }), can, question, 'byEmail')).status).toBe(403)
    expect((await ask(await tokenOf('x', { mail: me.id }), can, question, 'byEmail')).status).toBe(200)
  })
})

describe('a user by issuer and subject', () => {
  test('is the one whose identity the design has', async () => {
    const { userId } = await people.User.create({ displayName: 'Ada' })
    await people.SignInIdentity.create({ provider: 'google', subject: 'g-1', userId })
    const question = { location: '01ARZ3NDEKTSV4RRFFQ69G5FAV', page: 'payroll' }
    const known = await ask(await tokenOf('g-1'), '/v1/rebac/can', question, 'bySubject')
    expect(known).toMatchObject({ status: 200, body: { allowed: false } })
    expect(lines.at(-1)).toMatchObject({ as: userId })
    for (const subject of ['g-2', 'G-1', userId])
      expect((await ask(await tokenOf(subject), '/v1/rebac/can', question, 'bySubject')).status).toBe(403)
    // A design without sign-in knows nobody so.
    expect((await ask(await tokenOf('g-1'), can, { client: 'x', permission }, 'bySubject')).status).toBe(403)
  })
})

describe('an application that shows the token of a person', () => {
  const operator = () => designModules.get('account-management')?.flows ?? fail()
  const flow = async (name: string, input: object): Promise<Readonly<Record<string, unknown>>> =>
    // Each of these gives an item.
    Object(await operator().run(world.table, name, input, { actor: { kind: 'operator' } }))
  const person = { 'X-Forwarded-For': '203.0.113.9', 'User-Agent': 'Firefox' }
  let [own, other] = ['', '']
  beforeAll(async () => {
    const newClient = async (identity_providers: readonly string[]) => {
      const id = String((await flow('createClient', { name: 'Acme' })).id)
      await flow('setIdentityProviders', { id, identity_providers })
      return id
    }
    own = await newClient(['google'])
    other = await newClient([])
  })
  let count = 0
  const invited = async (client_id = own) => {
    const email = `invited${++count}@example.org`
    const { id } = await flow('inviteUser', { client_id, email, user_type: 'client_admin' })
    return { id: String(id), email, subject: `s-${count}`, claims: { email, email_verified: true } }
  }
  type Invited = Awaited<ReturnType<typeof invited>>
  const tokenFor = ({ subject, claims }: Invited, more = {}) => tokenOf(subject, { ...claims, ...more })
  const show = async (
    token: string,
    body: object,
    { limits = {}, by = 'linking', name = 'acceptInvitation', headers = {}, more = {} } = {} as {
      limits?: object
      more?: object
      by?: keyof typeof services
      name?: string
      headers?: Readonly<Record<string, string>>
    },
  ) => {
    const limited = { designs: ['account-management'], tenant: own, flows: ['acceptInvitation', 'setMfa'], ...limits }
    const { keyId, text } = await keys.newKey('shop', { purpose: 'application', ...limited })
    const sent = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json', 'Subject-Token': token, ...person, ...headers }
    const path = `/v1/account-management/flows/${name}`
    const answer = await called(
      await services[by].request(path, { method: 'POST', headers: sent, body: JSON.stringify({ ...body, ...more }) }),
    )
    return { ...answer, keyId }
  }
  const stateOf = async ({ id }: Pick<Invited, 'id'>) => (await world.table.User.get({ id }, { consistent: true }))?.invitation_status
  const recorded = async (client_id: string, action: string) =>
    (await world.table.auditOfClient({ client_id, from: '2000-01-01', to: '2199-12-31' })).items.filter((item) => item.action === action)

  test('accepts the invitation of the person, who is linked; the audit has user, application, address and agent', async () => {
    const eve = await invited()
    const { status, keyId } = await show(await tokenFor(eve, { org: own }), { id: eve.id, first_name: 'Eve' })
    expect([status, await stateOf(eve)]).toEqual([200, 'accepted'])
    expect(lines.at(-1)).toMatchObject({ key: keyId, issuer: issuer.issuer })
    expect(lines.at(-1)?.as).toBeUndefined()
    expect((await recorded(own, 'acceptInvitation')).filter(({ entity_id }) => entity_id === eve.id)).toMatchObject([
      {
        ...{ user_id: eve.id, ip_address: '203.0.113.9', user_agent: 'Firefox' },
        metadata: { via: `${keyId} shop`, identity_provider: 'google' },
        related_entities: { provider: 'google', subject: eve.subject },
      },
    ])
    // Known by the subject from now on: the token alone says who it is.
    const token = await tokenOf(eve.subject)
    expect((await ask(token, can, { client: own, permission }, 'linking')).status).toBe(200)
    expect(lines.at(-1)).toMatchObject({ as: eve.id })
    const factor = { mfa_type: 'totp', mfa_secret: `kms:${Buffer.from('.'.repeat(40)).toString('base64url')}` }
    expect((await show(token, { id: eve.id, ...factor }, { name: 'setMfa' })).status).toBe(200)
    expect((await recorded(own, 'setMfa')).map(({ user_id }) => user_id)).toEqual([eve.id])
    expect((await show(token, { id: eve.id, as: randomUUID(), ...factor }, { name: 'setMfa' })).status).toBe(403)
  })

  test('accepts it for a user whom an administrator has linked, or whom the token names by its id', async () => {
    const [linked, named] = [await invited(), await invited()]
    await flow('linkIdentity', { provider: 'google', subject: linked.subject, user_id: linked.id })
    expect((await show(await tokenOf(linked.subject), { id: linked.id })).status).toBe(200)
    expect((await show(await tokenOf(named.id.toUpperCase()), { id: named.id }, { by: 'byId' })).status).toBe(200)
  })

  type Called = readonly [token: string, body: object, how?: Parameters<typeof show>[2]]
  test.each<[string, number, string, (mine: Invited) => Promise<Called>]>([
    ['expired', 401, '', async (mine) => [await tokenFor(mine, { exp: 1_000 }), mine]],
    ['of another issuer', 401, '', async (mine) => [await tokenFor(mine, { iss: 'https://evil.example/' }), mine]],
    ['that is none', 401, '', async (mine) => ['x', mine]],
    [
      'of a person whose address is not verified',
      403,
      'EmailNotVerified',
      async (mine) => [await tokenFor(mine, { email_verified: false }), mine],
    ],
    ['without an address', 403, 'EmailNotVerified', async (mine) => [await tokenOf(mine.subject, { email_verified: true }), mine]],
    ['of another tenant', 403, 'ForeignUser', async (mine) => [await tokenFor(mine, { org: other }), mine]],
    ['of another invited person', 403, 'AnotherPerson', async (mine) => [await tokenFor(await invited()), mine]],
    [
      'of a person who is a user already',
      403,
      'AnotherPerson',
      async (mine) => {
        const known = await invited()
        await flow('linkIdentity', { provider: 'google', subject: known.subject, user_id: known.id })
        return [await tokenFor({ ...mine, subject: known.subject }), mine]
      },
    ],
    [
      'of another subject than the linked one',
      403,
      'AnotherSubject',
      async (mine) => {
        await flow('linkIdentity', { provider: 'google', subject: 'another', user_id: mine.id })
        return [await tokenFor(mine), mine]
      },
    ],
    ['of another user by its id', 403, 'AnotherPerson', async (mine) => [await tokenOf((await invited()).id), mine, { by: 'byId' }]],
    ['of an issuer that links nobody', 403, 'UnknownIdentity', async (mine) => [await tokenFor(mine), mine, { by: 'bySubject' }]],
    ['beside a key that does not name the flow', 403, '', async (mine) => [await tokenFor(mine), mine, { limits: { flows: ['setMfa'] } }]],
    ['beside a key of another tenant', 404, '', async (mine) => [await tokenFor(mine), mine, { limits: { tenant: other } }]],
    [
      'beside a key for flows',
      403,
      '',
      async (mine) => [await tokenFor(mine), mine, { limits: { purpose: 'flows', tenant: undefined, flows: undefined } }],
    ],
    [
      'beside an operator’s key',
      403,
      '',
      async (mine) => [await tokenFor(mine), mine, { limits: { purpose: 'operator', tenant: undefined, flows: undefined } }],
    ],
    ['beside `as`', 403, '', async (mine) => [await tokenFor(mine), mine, { more: { as: randomUUID() } }]],
    ['of an issuer for another design', 403, '', async (mine) => [await tokenFor(mine), mine, { by: 'elsewhere' }]],
    ['for a flow of users', 403, '', async (mine) => [await tokenFor(mine), mine, { name: 'setMfa' }]],
    [
      'beside itself',
      403,
      '',
      async (mine) => [await tokenFor(mine), mine, { headers: { Authorization: `Bearer ${await tokenFor(mine)}` } }],
    ],
  ])('accepts nothing by a token %s', async (_, status, reason, made) => {
    const mine = await invited()
    const [token, { id }, how] = (await made(mine)) as [string, Invited, Called[2]]
    const answer = await show(token, { id }, how)
    expect([answer.status, await stateOf(mine)]).toEqual([status, 'open'])
    if (reason === '') return
    const denials = (await recorded(own, 'acceptInvitation')).filter(({ status: done }) => done === 'failure')
    expect(denials[0]?.metadata).toMatchObject({ reason })
  })

  test('accepts nothing where the tenant does not let people of the issuer in, nor once the invitation has ended', async () => {
    const foreign = await invited(other)
    expect(await show(await tokenFor(foreign), { id: foreign.id }, { limits: { tenant: other } })).toMatchObject({ status: 403 })
    const gone = await invited()
    await flow('disableUser', { id: gone.id })
    expect((await show(await tokenFor(gone), { id: gone.id })).status).toBe(409)
    expect([await stateOf(foreign), await stateOf(gone)]).toEqual(['open', 'withdrawn'])
  })

  test('is answered under the same key for the same person alone', async () => {
    const [mine, theirs] = [await invited(), await invited()]
    const { text } = await keys.newKey('shop', { purpose: 'application', designs: ['account-management'], flows: ['acceptInvitation'] })
    const twice = { Authorization: `Bearer ${text}`, 'Idempotency-Key': 'one' }
    const statuses: number[] = []
    for (const by of [mine, mine, theirs]) statuses.push((await show(await tokenFor(by), { id: mine.id }, { headers: twice })).status)
    expect(statuses).toEqual([200, 200, 403])
  })

  test('asks and reads without it', async () => {
    const eve = await invited()
    const { text } = await keys.newKey('shop', { purpose: 'application', designs: ['account-management'] })
    await flow('linkIdentity', { provider: 'google', subject: eve.subject, user_id: eve.id })
    await flow('acceptInvitation', { id: eve.id })
    const headers = { Authorization: `Bearer ${text}`, 'Subject-Token': await tokenFor(eve) }
    // Nor does anybody else show one, for whatever.
    for (const sender of [headers['Subject-Token'], (await keys.newKey('all')).text])
      expect((await services.linking.request('/v1', { headers: { ...headers, Authorization: `Bearer ${sender}` } })).status).toBe(403)
    expect((await services.linking.request(`/v1/account-management/entities/User?id=${eve.id}`, { headers })).status).toBe(403)
    const session = { Cookie: '__Host-freehold_console=of-anybody', 'X-Freehold-Console': '1', 'Subject-Token': headers['Subject-Token'] }
    expect((await services.linking.request('/v1', { headers: session })).status).toBe(403)
  })
})

test('a token that is not valid is a 401, and stands in no log', async () => {
  const token = await tokenOf('x', { aud: 'other' })
  const answer = await ask(token, can)
  expect(answer).toMatchObject({ status: 401, body: { code: 'Denied', detail: 'This token is not valid here.' } })
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="freehold", error="invalid_token"')
  for (const part of token.split('.')) expect(JSON.stringify(lines)).not.toContain(part)
})

function fail(): never {
  throw new Error('There is no answer.')
}
