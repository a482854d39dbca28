import { localEngine } from '@freehold/frame/cedar'
import { meter } from '@freehold/table'
import { expect, test } from 'vitest'
import { setLiterally } from '../../../test/literal-items.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { decideAuthorization } from '../decide.ts'
import { authorization } from '../design.ts'
import { starterFiles } from '../policies/starter.ts'

const { 'schema.cedarschema': schema = '', ...texts } = starterFiles
const policies = new Map(Object.entries(texts).filter(([name]) => name.endsWith('.cedar')))
const engine = await localEngine({ schema, policies })

const id = (start: string) => start.padEnd(26, '0')
const [ada, ben, acme] = [id('01HA'), id('01HB'), id('01HC')]
// The order of their ids is not that of their names.
const [owner, agent, auditor, support] = [id('01HF'), id('01HE'), id('01HD'), id('01HG')]

async function open() {
  const table = await ownTableOf(authorization)
  for (const [roleId, name] of [
    [owner, 'owner'],
    [agent, 'agent'],
    [auditor, 'auditor'],
  ] as const)
    await table.Role.create({ roleId, name, scope: 'tenant' })
  await table.Role.create({ roleId: support, name: 'owner', scope: 'global' })
  await table.Tenant.create({ tenantId: acme, name: 'acme' })
  for (const [userId, name] of [
    [ada, 'ada'],
    [ben, 'ben'],
  ] as const)
    await table.User.create({ userId, email: `${name}@example.org` })
  await table.TenantGrant.create({ tenantId: acme, userId: ada, roles: [owner] })
  await table.TenantGrant.create({ tenantId: acme, userId: ben, roles: [agent] })
  return table
}

const asked = { user: ada, tenant: acme, resource: { type: 'Role' } }
const grants = (roleId: string) => ({ id: roleId, actions: ['grant'], policies: ['owners-grant-roles'] })

test('what lists the roles that a user may grant, in the order of their ids, as can decides', async () => {
  const table = await open()
  const decider = decideAuthorization(engine)(table.runtime)
  expect(await decider.what(asked)).toEqual({ items: [grants(agent), grants(owner)] })
  expect(await decider.what({ ...asked, action: 'grant' })).toEqual({ items: [grants(agent), grants(owner)] })
  expect(await decider.what({ ...asked, user: ben })).toEqual({ items: [] })
  for (const role of [owner, agent, auditor, support]) {
    const { allowed } = await decider.can({ user: ada, tenant: acme, action: 'grant', resource: { type: 'Role', id: role } })
    expect(allowed).toBe(role === owner || role === agent)
  }
})

test('pages go on after the last id, and a page reads the roles once', async () => {
  const table = await open()
  const decider = decideAuthorization(engine)(table.runtime)
  const first = await decider.what(asked, { limit: 1 })
  expect(first).toEqual({ items: [grants(agent)], cursor: expect.any(String) })
  expect(await decider.what(asked, { limit: 1, cursor: first.cursor })).toEqual({ items: [grants(owner)] })
  expect((await meter(() => decider.what(asked))).cost.roundTrips).toBe(2)
})

test('a tenant sees them within its scope, and a malformed one is told', async () => {
  const table = await open()
  const { runtime } = table.forTenant(acme)
  expect(await decideAuthorization(engine)(runtime).what(asked)).toEqual({ items: [grants(agent), grants(owner)] })
  await setLiterally(table.runtime, { PK: 'ROLE_SCOPE#tenant', SK: 'ROLE_NAME#agent' }, 'roleId', 'none')
  const page = await decideAuthorization(engine)(table.runtime).what(asked)
  expect(page).toMatchObject({ items: [grants(owner)], malformed: [{ key: { SK: 'ROLE_NAME#agent' } }] })
})
