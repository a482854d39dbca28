import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { rebac } from '@freehold/designs/rebac'
import { type AccessLine, createService, openKeys, type Service, type UserOfToken } from '@freehold/service'
import { connect } from '@freehold/table'
import { ensureTable, type Stored, scanItems } from '@freehold/table/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type World, worldAt } from '../../packages/designs/test/isolation/world.ts'
import { type Called, called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { issuer, tokenOf } from './tokens.ts'

// Users who call for themselves by a token of an issuer.

const sender = engineSender()
const people = connect(rebac, { sender, table: `users-${randomUUID()}` })
const lines: AccessLine[] = []
let world: World
let services: Readonly<Record<'byId' | 'byEmail' | 'bySubject', Service>>
const users: Stored[] = []
const permission = 'devices:read:camera'

beforeAll(async () => {
  world = await worldAt(`users-${randomUUID()}`)
  for await (const page of scanItems(world.table.runtime)) users.push(...page.filter(({ Type }) => Type === 'User'))
  await ensureTable(people.runtime)
  const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
  const moduleOf = (name: string) => designModules.get(name) ?? { design: rebac, summary: '' }
  const tables = new Map([
    ['account-management', { module: moduleOf('account-management'), table: world.table }],
    ['rebac', { module: moduleOf('rebac'), table: people }],
  ])
  const serving = (user: UserOfToken) => createService({ tables, keys, issuers: [{ ...issuer, user }], log: (line) => lines.push(line) })
  services = { byId: serving({ claim: 'sub' }), byEmail: serving({ claim: 'mail' }), bySubject: serving({ provider: 'google' }) }
})
afterAll(() => {
  world.close()
  sender.close()
})

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
