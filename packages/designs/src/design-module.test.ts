import { ensureTable } from '@freehold/table/runtime'
import { afterAll, expect, expectTypeOf, test } from 'vitest'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { type AccountDecider, type AccountFlows, open as openAccounts } from './account-management/index.ts'
import { operator } from './flow/actor.ts'
import { open as openPlatform } from './platform/index.ts'
import { open as openRebac } from './rebac/index.ts'

const dynamo = { endpoint }
const accounts = openAccounts({ dynamo, table: 'opened-accounts', maxStalenessMs: 0 })
afterAll(() => accounts.close())

test('an opened design has its table, its decisions, its flows for a caller and its jobs', async () => {
  await ensureTable(accounts.table.runtime)
  const flows = accounts.flows({ actor: operator })
  expectTypeOf(flows).toEqualTypeOf<AccountFlows>()
  expectTypeOf(accounts.decide).toEqualTypeOf<AccountDecider>()
  const { id: client } = await flows.createClient({ name: 'Acme' })
  const user = await flows.inviteUser({ client_id: client, email: 'ada@example.org', user_type: 'client_admin' })
  await flows.acceptInvitation({ id: user.id })
  const role = await flows.createRole({
    client_id: client,
    name: 'keeper',
    permissions: [{ module: 'devices', action: 'open', resource: 'door' }],
  })
  await flows.assignRole({ user_id: user.id, role_id: role.id, scope_type: 'client', scope_id: client })
  const question = { user: user.id, client, permission: { module: 'devices', action: 'open', resource: 'door' } }
  expect(await accounts.decide.can(question)).toEqual({ allowed: true })
  // The durable jobs of its flows are known to it: a deletion goes to its end.
  await flows.revokeAllRoles({ user_id: user.id })
  expect(await accounts.decide.can(question, { consistency: 'strong' })).toMatchObject({ allowed: false })
  expect(await accounts.jobs.list()).toEqual([])
  expect(await accounts.table.Client.get({ id: client })).toMatchObject({ name: 'Acme' })
})

test('a caller that is a user is held to its own permissions', async () => {
  const unknown = accounts.flows({ actor: { kind: 'user', user_id: '00000000-0000-4000-8000-000000000000' } })
  await expect(unknown.createClient({ name: 'Other' })).rejects.toMatchObject({ code: 'Denied', details: { reason: 'UnknownUser' } })
})

test('a design without flows, or without decisions, opens without them', () => {
  const rebac = openRebac({ dynamo })
  const platform = openPlatform({ dynamo })
  expect(Object.keys(rebac).sort()).toEqual(['close', 'decide', 'jobs', 'table'])
  expect(Object.keys(platform).sort()).toEqual(['close', 'jobs', 'table'])
  expectTypeOf(rebac).not.toHaveProperty('flows')
  expectTypeOf(platform).not.toHaveProperty('decide')
  rebac.close()
  platform.close()
})
