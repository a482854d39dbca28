import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import type { KeyLimits } from '@freehold/service'
import { createService, openKeys, serveOnNode } from '@freehold/service'
import type { ConnectedTable } from '@freehold/table'
import { keyPlaceholders, type Stored, scanItems } from '@freehold/table/runtime'
import { afterAll, describe, expect, test } from 'vitest'
import { worldAt } from '../../packages/designs/test/isolation/world.ts'
import { newWorld } from '../../packages/designs/test/isolation-platform/world.ts'
import { type Called, called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'
import { entering } from './entering.ts'
import { issuer, tokenOf } from './tokens.ts'

// Every route is called as each kind of caller. The answers are compared with callers.yaml, line by line, so that a route which the table lacks fails.
// `npx vitest run -u test/callers` writes the table anew: read what changed before you commit it.

/** A user of a tenant, who calls by a token. */
const user = 'user'
/** People who signed in to the console: one who administers that tenant, and one who does not. */
const people = ['administrator', 'person']

const limitsOf: Readonly<Record<string, KeyLimits>> = {
  operator: {},
  'operator-of-rebac': { purpose: 'operator', designs: ['rebac'] },
  tenant: { purpose: 'tenant', designs: ['account-management'] },
  decisions: { purpose: 'decisions' },
  'decisions-of-platform': { purpose: 'decisions', designs: ['platform'] },
  read: { purpose: 'read' },
  flows: { purpose: 'flows' },
  application: { purpose: 'application', designs: ['account-management'], flows: ['updateProject'] },
}

const ofTenant = new Set(['tenant', 'application'])

const texts = new Map<string, string>()
const sessions = new Map<string, string>()
const tables = new Map<string, ConnectedTable>()
let asked = 0

/** A session by its cookie at each of the faces. */
const cookiesOf = (session: string) => `__Host-freehold_console=${session}; freehold_console_${new URL(serving.address).port}=${session}`

/** Asks by the faces of the service in turn, by Node each fourth time. */
async function ask(caller: string | undefined, method: string, path: string, body?: unknown): Promise<Called> {
  const [text, session] = [texts, sessions].map((of) => of.get(caller ?? ''))
  const headers = {
    ...(text === undefined ? {} : { Authorization: `Bearer ${text}` }),
    ...(session === undefined ? {} : { Cookie: cookiesOf(session), 'X-Freehold-Console': '1' }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  return called(await (asked++ % 4 > 0 ? service.request(path, init) : fetch(serving.address + path, init)))
}

/** Two tenants of each of these designs: a design, its tenants, and its planted table. */
const tenants: Record<string, readonly [string, string]> = { platform: ['acc-mark-aa', 'acc-mark-bb'] }

const sender = engineSender()
const accounts = await worldAt(`callers-${randomUUID()}`)
const clients: string[] = []
const users: Stored[] = []
for await (const page of scanItems(accounts.table.runtime)) {
  users.push(...page.filter(({ Type, status }) => Type === 'User' && status === 'active'))
  for (const item of page) if (item.Type === 'Client') clients.push(String(item.id))
}
const [first = '', second = ''] = clients.sort()
tenants['account-management'] = [first, second]
tables.set('account-management', accounts.table)
tables.set('platform', (await newWorld()).table)
for (const [name, { design }] of designModules) {
  if (tables.has(name)) continue
  const table = await ownTableOf(design, { sender })
  tables.set(name, table)
}
const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
for (const [caller, limits] of Object.entries(limitsOf))
  texts.set(caller, (await keys.newKey(caller, ofTenant.has(caller) ? { ...limits, tenant: first } : limits)).text)
for (const [design, both] of Object.entries(tenants))
  for (const tenant of both)
    texts.set(`${design} ${tenant}`, (await keys.newKey(tenant, { purpose: 'tenant', designs: [design], tenant })).text)
const served = [...designModules].flatMap(([name, module]) => {
  const table = tables.get(name)
  return table === undefined ? [] : [[name, { module, table }] as const]
})
const issuers = [{ ...issuer, user: { claim: 'sub' } }]
const idAt = (tenant: string, name: string) =>
  String(users.find(({ client_id, email }) => client_id === tenant && String(email).startsWith(name))?.id)
texts.set(user, await tokenOf(idAt(first, 'reader')))
const enter = entering(keys, new Map(served), issuers)
sessions.set('administrator', await enter('account-management', { id: idAt(first, 'admin') }))
sessions.set('person', await enter('account-management', { id: idAt(first, 'reader') }))
for (const tenant of [first, second])
  sessions.set(`account-management administrator ${tenant}`, await enter('account-management', { id: idAt(tenant, 'admin') }))
for (const tenant of tenants.platform ?? [])
  sessions.set(`platform administrator ${tenant}`, await enter('platform', { id: tenant.replace('acc', 'lead') }))
const service = createService({
  tables: new Map(served),
  keys,
  issuers,
  log: () => {},
  outbox: { list: async () => [] },
  publicUrl: 'https://api.example.com',
})
const serving = await serveOnNode(service, { port: 0, grace_ms: 0 })
afterAll(() => serving.close())

interface Refusal {
  readonly code?: unknown
  readonly detail?: unknown
}

/** What a caller gets at a route: its word in the table. Undefined for a refusal. */
function outcome(caller: string, { status, body }: Called): string | undefined {
  const { code, detail }: Refusal = body
  if (status === 401) return undefined
  if (status === 403 && code === 'Denied' && detail === 'This caller may not do this, or there is nothing here.') return undefined
  // A caller that may call flows is told that it needs a user, and nothing else.
  return status === 403 && String(detail).startsWith('This caller runs flows as a user') ? `${caller}(as)` : caller
}

test('each caller may use the routes that the table says, and no others', async () => {
  const routes = [
    ...new Set(service.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${path}`)),
  ].sort()
  const lines = new Map(routes.map((route) => [route, '']))
  // A person who is signed out is nobody at the next route.
  const last = 'DELETE /console/session'
  for (const route of [...routes.filter((each) => each !== last), last]) {
    const [method = '', path = ''] = route.split(' ')
    const words: string[] = []
    for (const caller of [...Object.keys(limitsOf), user, ...people, 'nobody']) {
      // Every body is refused by the routes themselves: nothing is written, and what gets there is not a 401 or this 403.
      const answer = await ask(caller, method, path, method === 'GET' || method === 'DELETE' ? undefined : { nothing: 1 })
      const word = outcome(caller, answer)
      if (word !== undefined) words.push(word)
    }
    lines.set(route, `${route}: ${words.join(' ')}`)
  }
  await expect(
    `# Who may use which route; (as): as a user alone. Written by callers.test.ts.\n${[...lines.values()].join('\n')}\n`,
  ).toMatchFileSnapshot('./callers.yaml')
})

describe.each(['account-management', 'platform'])('keys and administrators of two tenants of %s', (name) => {
  const own = async () => {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`${name} is not served.`)
    const items: Stored[] = []
    for await (const page of scanItems(table.runtime)) items.push(...page)
    const { entities, tenantOf } = table.design.form
    return items.flatMap((item) => {
      const entity = entities.get(String(item.Type))
      if (entity === undefined || tenantOf === undefined) return []
      const { attribute, isShared } = tenantOf(entity)
      const owner = attribute === undefined ? undefined : item[attribute]
      const query = new URLSearchParams(
        keyPlaceholders(entity).flatMap((each): [string, string][] => (item[each] === undefined ? [] : [[each, String(item[each])]])),
      )
      return [{ path: `/v1/${name}/entities/${entity.name}`, query, owner, isForAll: owner === undefined && isShared, item }]
    })
  }

  test('read what is their own or for all; what another has looks like nothing', async () => {
    const counts = { own: 0, shared: 0, foreign: 0 }
    for (const { path, query, owner, isForAll, item } of await own()) {
      const { status: asOperator } = await ask('operator', 'GET', `${path}?${query}`)
      // Items that the world has damaged are read by nobody.
      if (asOperator !== 200) continue
      for (const tenant of tenants[name] ?? []) {
        const mayRead = owner === tenant || isForAll
        const [byKey, byAdministrator] = [
          await ask(`${name} ${tenant}`, 'GET', `${path}?${query}`),
          await ask(`${name} administrator ${tenant}`, 'GET', `${path}?${query}`),
        ]
        expect([item.Type, tenant, owner, byKey.status]).toEqual([item.Type, tenant, owner, mayRead ? 200 : 404])
        const { instance: _, ...told } = byKey.body
        expect(byAdministrator).toMatchObject({ status: byKey.status, body: told })
        counts[owner === tenant ? 'own' : isForAll ? 'shared' : 'foreign']++
        if (!mayRead) expect(byKey.body).toMatchObject({ code: 'NotFound', detail: expect.stringMatching(/^There is no /) })
      }
    }
    expect(Math.min(counts.own, counts.foreign, counts.shared)).toBeGreaterThan(3)
  })

  test('write nothing that another has: the answer is that to nothing', async () => {
    const scan = async () => JSON.stringify(await own())
    const before = await scan()
    for (const { path, query, owner, isForAll } of await own()) {
      for (const tenant of tenants[name] ?? []) {
        if (owner === tenant || isForAll) continue
        const { status, body } = await ask(`${name} ${tenant}`, 'DELETE', `${path}?${query}`)
        expect([403, 404]).toContain(status)
        expect(['Denied', 'NotFound']).toContain(body.code)
      }
    }
    expect(await scan()).toEqual(before)
  })

  test('run flows as their own users alone: another user looks like none', async () => {
    const users = (await own()).filter(({ item }) => item.Type === 'User')
    const [flow] = designModules.get(name)?.flows?.declared(tables.get(name)?.design ?? fail()) ?? []
    const path = `/v1/${name}/flows/${flow?.name}`
    const nobody = name === 'platform' ? 'nobody-at-all' : '00000000-0000-4000-8000-00000000dead'
    let [ownSeen, foreignSeen] = [0, 0]
    for (const tenant of tenants[name] ?? []) {
      const asNobody = await ask(`${name} ${tenant}`, 'POST', path, { as: nobody })
      for (const { owner, item } of users) {
        const { status, body } = await ask(`${name} ${tenant}`, 'POST', path, { as: item.id })
        const isAlike = status === asNobody.status && body.detail === asNobody.body.detail
        expect([item.id, tenant, isAlike]).toEqual([item.id, tenant, owner !== tenant])
        if (owner === tenant) ownSeen++
        else foreignSeen++
        if (owner === tenant || typeof item.email !== 'string') continue
        // The same by its address.
        const byEmail = await ask(`${name} ${tenant}`, 'POST', path, { as: item.email })
        expect([item.email, byEmail.status, byEmail.body.detail]).toEqual([item.email, asNobody.status, asNobody.body.detail])
      }
    }
    expect(Math.min(ownSeen, foreignSeen)).toBeGreaterThan(1)
  })
})

function fail(): never {
  throw new Error('It is not served.')
}
