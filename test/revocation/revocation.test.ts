import { createAuthorizer, readAuthorizerMap } from '@freehold/authorizer'
import type { Issuer } from '@freehold/frame/issuers'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, policies } from '../../packages/authorizer/test/world.ts'
import { accountManagementModule } from '../../packages/designs/src/account-management/index.ts'
import { authorizationModule } from '../../packages/designs/src/authorization/index.ts'
import { operator } from '../../packages/frame/src/flow/actor.ts'
import { createService, type Service } from '../../packages/service/src/index.ts'
import { entering } from '../callers/entering.ts'
import { type ServedPeople, servedPeople } from '../sign-in/served-people.ts'
import { claimsOf, encoded, headerOf, ownKey, signed, strangersKey, issuer as tickets } from '../tokens/signed.ts'

// What is taken away is refused by the next request, wherever it is made: at the service by token, key and session, and at the authorizer. What only
// another process knows, or the memory of this one, is refused after the time that guarantees.md tells. The clock stands until a test moves it.

const issuer: Issuer = { ...tickets, keys: 'https://id.example.org/keys', user: { provider: 'acme' } }
const parts = { module: 'devices', action: 'read', resource: 'camera' }
const permission = 'devices:read:camera'
const password = 'seven green tables in a row'
const acting = { actor: operator }

let people: ServedPeople
let world: Awaited<ReturnType<typeof openWorld>>
/** The keys that the issuer tells. */
let told: readonly object[]
const fetching: typeof fetch = async () => Response.json({ keys: told })

beforeAll(async () => {
  people = await servedPeople()
  world = await openWorld()
})
beforeEach(() => {
  told = [ownKey]
})

const map = readAuthorizerMap(`
token: ${JSON.stringify([issuer])}
tenant: { path: tenant }
routes: [{ route: 'GET /{tenant}/{ticket}', action: closeTicket, resource: { type: Ticket, id: '{ticket}', attributes: { status: open, tenant: { __entity: { type: Tenant, id: '{tenant}' } } } } }]`)

/** A process with service and authorizer, of these issuers. */
function processOf(keys: ServedPeople['apiKeys'], issuers: readonly Issuer[]) {
  const { now, table, signIn } = people
  const tables = new Map([['account-management', { module: accountManagementModule, table }]])
  const service = createService({
    ...{ keys, issuers, tokens: { now, fetch: fetching }, log: () => undefined, signIn: { signIn, product: 'Kontor' } },
    tables,
  })
  const authorizer = createAuthorizer({
    ...{ map: { ...map, issuers }, decider: world.decider, policies, log: () => undefined, now, fetch: fetching },
    identify: ({ provider, subject }) => authorizationModule.flows.userIdentified(world.table, provider, subject),
  })
  return { service, authorizer, enter: entering(keys, tables, issuers) }
}
type Process = ReturnType<typeof processOf>

let count = 0
/** Somebody with a permission and a tenant of its own in both designs, who is let in everywhere. */
async function scene() {
  const subject = `subject-${++count}`
  const client = await people.operator.createClient({ name: subject })
  const role = await people.operator.createRole({ client_id: client.id, name: 'sees', permissions: [parts] })
  const email = `${subject}@ours.example`
  const { id: user } = await people.operator.inviteUser({ client_id: client.id, email, user_type: 'client_admin' })
  await people.operator.acceptInvitation({ id: user, password_hash: await people.hashOf(password) })
  const assignment = { user_id: user, role_id: role.id, scope_type: 'client', scope_id: client.id } as const
  await people.operator.assignRole(assignment)
  await people.operator.linkIdentity({ provider: 'acme', subject, user_id: user })

  const flows = authorizationModule.flows.of(world.table, acting)
  const agent = await world.table.Role.get({ scope: 'tenant', name: 'agent' })
  const { tenantId } = await flows.createTenant({ name: subject })
  const { userId } = await flows.createUser({ email })
  await flows.createGrant({ tenantId, userId, roles: [agent?.roleId ?? ''] })
  await flows.linkIdentity({ provider: 'acme', subject, userId })

  const here = processOf(people.apiKeys, [issuer])
  const key = await people.apiKeys.newKey(subject)
  const seconds = Math.floor(people.now().getTime() / 1000)
  const claims = claimsOf({ sub: subject, iat: seconds, exp: seconds + 86_400 })
  const token = await signed(`${encoded(headerOf())}.${encoded(claims)}`, 'own')
  const open = (path: string, init: { headers: Record<string, string>; body: string }) =>
    here.service.request(path, { method: 'POST', ...init, headers: { Host: 'kontor.example', ...init.headers } }, { address: '192.0.2.1' })
  const cookieOf = (response: Response) => /^[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const pages = cookieOf(
    await open('/sign-in', {
      headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ address: email, password }).toString(),
    }),
  )
  const console = cookieOf(
    await open('/console/session', {
      headers: { 'X-Freehold-Console': '1', 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: key.text }),
    }),
  )
  const person = { provider: 'acme', issuer: String(issuer.issuer), subject, isAddressVerified: false, firstSight: 'refuse' } as const
  const personal = `__Host-freehold_console=${await here.enter('account-management', person, { Host: 'kontor.example' })}`
  return { personal, subject, client, role, user, assignment, flows, tenantId, userId, key, token, pages, console, here }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** The ways in. Each tells whether its request is let in. */
const ways = {
  'a token at the service': async ({ token, client }: Scene, { service }: Process) => {
    const response = await service.request('/v1/account-management/can', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client: client.id, permission }),
    })
    return response.status === 200 && ((await response.json()) as { allowed?: unknown }).allowed === true
  },
  'a token at the authorizer': async ({ token, tenantId }: Scene, { authorizer }: Process) => {
    const header = (name: string) => (name === 'authorization' ? [`Bearer ${token}`] : [])
    return (await authorizer.authorize({ header, asked: { method: 'GET', path: `/${tenantId}/t-1` } })).allowed
  },
  'a session of the pages': async ({ pages }: Scene, { service }: Process) => isIn(service, '/account', { Cookie: pages }),
  'an API key': async ({ key }: Scene, { service }: Process) => isIn(service, '/v1', { Authorization: `Bearer ${key.text}` }),
  'a session of the console by an issuer': async ({ personal }: Scene, { service }: Process) => isIn(service, '/v1', { Cookie: personal }),
  'a session of the console by a key': async ({ console }: Scene, { service }: Process) => isIn(service, '/v1', { Cookie: console }),
} satisfies Readonly<Record<string, (scene: Scene, at: Process) => Promise<boolean>>>
type Way = keyof typeof ways
const isIn = async (service: Service, path: string, headers: Readonly<Record<string, string>>) =>
  (await service.request(path, { headers: { Host: 'kontor.example', ...headers } }, { address: '192.0.2.1' })).status === 200

const names = Object.keys(ways) as readonly Way[]
const outside = async (of: Scene, at: Process) => {
  const out: Way[] = []
  for (const name of names) if (!(await ways[name](of, at))) out.push(name)
  return out
}

const byToken = ['a token at the service', 'a token at the authorizer'] as const
const byPerson = ['a session of the pages', 'a session of the console by an issuer'] as const
const byKey = ['an API key', 'a session of the console by a key'] as const

interface Revocation {
  readonly revoke: (of: Scene) => Promise<unknown>
  readonly refuses: readonly Way[]
  /** After this time, by what each process remembers. Otherwise the next request is refused at once, in every process. */
  readonly after_ms?: number
  /** Only a process that did not revoke it remembers. */
  readonly elsewhere_ms?: number
}

const revocations: Readonly<Record<string, Revocation>> = {
  'a session': {
    revoke: async ({ user }) => {
      for (const { id } of (await people.table.sessionsOfUser({ user_id: user })).items) await people.operator.revokeSession({ id })
    },
    refuses: byPerson,
  },
  'a user who is disabled': {
    revoke: async ({ user }) => people.operator.disableUser({ id: user }),
    refuses: ['a token at the service', ...byPerson],
  },
  'a user who is deleted': {
    revoke: async ({ user, flows, userId }) => [await people.operator.deleteUser({ id: user }), await flows.deleteUser({ userId })],
    refuses: [...byToken, ...byPerson],
  },
  'a client or tenant that is suspended': {
    revoke: async ({ client, flows, tenantId }) => [
      await people.operator.suspendClient({ id: client.id }),
      await flows.suspendTenant({ tenantId }),
    ],
    refuses: [...byToken, ...byPerson],
  },
  'an identity that is unlinked': {
    revoke: async ({ subject, flows }) => [
      await people.operator.unlinkIdentity({ provider: 'acme', subject }),
      await flows.unlinkIdentity({ provider: 'acme', subject }),
    ],
    refuses: [...byToken, 'a session of the console by an issuer'],
  },
  'a permission, with its role or its grant': {
    revoke: async ({ assignment, flows, tenantId, userId }) => [
      await people.operator.revokeRole(assignment),
      await flows.removeGrant({ tenantId, userId }),
    ],
    refuses: byToken,
  },
  'a permission of a role that is remembered': {
    revoke: async ({ role, client }) => people.operator.changeRolePermissions({ client_id: client.id, id: role.id, remove: [parts] }),
    refuses: ['a token at the service'],
    after_ms: 5_000,
  },
  'an API key': {
    revoke: async ({ key }) => people.apiKeys.revoke(key.keyId),
    refuses: byKey,
    elsewhere_ms: 5_000,
  },
  'a key of the issuer that it withdraws': {
    revoke: async () => {
      told = [{ ...strangersKey, kid: 'two', alg: 'RS256' }]
    },
    refuses: byToken,
    after_ms: 10 * 60_000,
  },
}

describe.each(Object.entries(revocations))('%s', (_, { revoke, refuses, after_ms = 0, elsewhere_ms = 0 }) => {
  test('is refused by the next request', async () => {
    const of = await scene()
    const elsewhere = processOf(await people.keysElsewhere(), [issuer])
    const both = [of.here, elsewhere]
    for (const at of both) expect(await outside(of, at)).toEqual([])
    await revoke(of)
    if (after_ms === 0) expect(await outside(of, of.here)).toEqual(refuses)
    if (after_ms + elsewhere_ms === 0) expect(await outside(of, elsewhere)).toEqual(refuses)
    people.pass(Math.max(after_ms, elsewhere_ms))
    for (const at of both) expect(await outside(of, at)).toEqual(refuses)
  })
})

test('an issuer that is taken out of the settings is refused by a process that begins with them', async () => {
  const of = await scene()
  expect(await outside(of, of.here)).toEqual([])
  expect(await outside(of, processOf(await people.keysElsewhere(), []))).toEqual([...byToken, 'a session of the console by an issuer'])
})
