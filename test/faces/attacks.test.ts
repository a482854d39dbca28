import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { authorization } from '@freehold/designs/authorization'
import { createService, openKeys } from '@freehold/service'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { assignment, idOf, role, user } from '../../packages/designs/test/account-items.ts'
import { acme, adaAtHarbour, camera, granting, harbour, pier } from '../../packages/designs/test/account-organisation.ts'
import { called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'

// Attacks that the tests of the library play, as a program with a key makes them over HTTP.

const sender = engineSender()

type Table = Parameters<typeof createService>[0]['tables'] extends ReadonlyMap<string, infer S> ? S : never

/** A service for one table, which may be that of a tenant alone. */
async function serving(served: Table) {
  const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
  const { text: key } = await keys.newKey('test')
  const { name } = served.module.design
  const app = createService({ tables: new Map([[name, served]]), keys, log: () => {} })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return async (method: string, path: string, body?: object) => {
    const { status, body: told } = await called(
      await app.request(`/v1/${name}/${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    )
    return { status, body: told }
  }
}

describe('authorization', () => {
  const newTable = async () => {
    const table = await ownTableOf(authorization, { sender })
    return table
  }

  test('gives nobody a role that is not there, or of the other scope', async () => {
    const table = await newTable()
    const { tenantId } = await table.Tenant.create({ name: 'acme' })
    const { userId } = await table.User.create({ email: 'ada@example.org' })
    const [staff, viewer] = [
      (await table.Role.create({ name: 'staff', scope: 'global' })).roleId,
      (await table.Role.create({ name: 'viewer', scope: 'tenant' })).roleId,
    ]
    const call = await serving({ module: { design: authorization, summary: 'For tests.' }, table })
    const absent = '01J8X2W3Y4Z5A6B7C8D9E0F1G2'
    const missing = { status: 409, body: { code: 'MissingEnd' } }
    for (const roles of [[absent], [staff], [viewer, staff]])
      expect(await call('POST', 'entities/TenantGrant', { tenantId, userId, roles })).toMatchObject(missing)
    for (const roles of [[absent], [viewer], [staff, viewer]])
      expect(await call('POST', 'entities/User', { email: 'eve@example.org', roles })).toMatchObject(missing)
    expect(await call('POST', 'entities/TenantGrant', { tenantId, userId, roles: [viewer] })).toMatchObject({ status: 201 })
    const grant = `entities/TenantGrant?${new URLSearchParams({ tenantId, userId })}`
    expect(await call('PATCH', grant, { roles: [viewer, staff] })).toMatchObject(missing)
    expect(await call('PATCH', `entities/User?userId=${userId}`, { roles: [viewer] })).toMatchObject(missing)
    expect(await call('PATCH', `entities/User?userId=${userId}`, { roles: [staff] })).toMatchObject({ status: 200 })
    expect(await table.TenantGrant.get({ tenantId, userId })).toMatchObject({ roles: [viewer] })
  })

  test('shows a tenant only the users that have a grant in it', async () => {
    const table = await newTable()
    const { tenantId } = await table.Tenant.create({ name: 'acme' })
    const users = await Promise.all(['ada', 'eve'].map((name) => table.User.create({ email: `${name}@example.org` })))
    const [ada = '', eve = ''] = users.map(({ userId }) => userId)
    await table.TenantGrant.create({ tenantId, userId: ada })
    const call = await serving({ module: { design: authorization, summary: 'For tests.' }, table: table.forTenant(tenantId) })
    const read = async (userId: string) => {
      const { status, body } = await call('GET', `entities/User?userId=${userId}`)
      // Each answer to a failure has its own name.
      const { instance: _, ...told } = body
      return [status, JSON.stringify(told).replaceAll(userId, 'ID')]
    }
    expect(await read(ada)).toEqual([200, expect.stringContaining('ada@example.org')])
    expect(await read(eve)).toEqual(await read('01J8X2W3Y4Z5A6B7C8D9E0F1G2'))
    expect((await read(eve))[0]).toBe(404)
  })
})

describe('account-management, served to one tenant,', () => {
  const nobody = idOf('user', 404)
  const ids = { ian: idOf('user', 3), off: idOf('user', 4), guest: idOf('user', 7) }
  const auditor = idOf('role', 3)
  const address = (name: string) => `${name}@example.org`
  const internal = (name: keyof typeof ids, change: Stored = {}) =>
    user(undefined, ids[name], address(name)).map((item) => (item.Type === 'User' ? { ...item, ...change } : item))
  const at = { client: acme, project: harbour, building: pier }
  let ask: (question: string, name: string) => Promise<string>
  beforeAll(async () => {
    const module = designModules.get('account-management')
    if (module === undefined) throw new Error('account-management is not offered')
    const table = await ownTableOf(module.design, { sender })
    await restoreItems(table.runtime, [
      ...adaAtHarbour,
      ...internal('ian'),
      ...internal('off', { status: 'disabled' }),
      ...internal('guest'),
      ...granting(role(undefined, auditor, 'auditor'), camera),
      ...assignment(acme, ids.guest, auditor, 'project', harbour).map((item) => ({ ...item, role_owner: 'SYSTEM' })),
    ])
    const call = await serving({ module, table: table.forTenant(acme) })
    ask = async (question, name) => {
      const asked = { user: name, ...at, ...(question === 'what' ? {} : { permission: camera }) }
      const { status, body } = await call('POST', question, asked)
      return JSON.stringify([status, body]).replaceAll(name, 'NAME')
    }
  })

  test.each(['can', 'why', 'what'])('%s answers about an internal user without a role there as about nobody', async (question) => {
    const unknown = [await ask(question, nobody), await ask(question, address('nobody'))]
    for (const name of ['ian', 'off'] as const)
      expect([await ask(question, ids[name]), await ask(question, address(name))]).toEqual(unknown)
    // With a role there it is somebody.
    expect(await ask(question, ids.guest)).not.toEqual(unknown[0])
    expect(unknown[0]).toContain('Unknown')
  })
})
