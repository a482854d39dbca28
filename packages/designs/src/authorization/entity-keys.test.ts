import { indexKeys, type Stored, tableKeyIfPresent } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { authorization } from './design.ts'

// The identifiers of the document's representative examples.
const tenantId = '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'
const userId = '01J8YZZQ3V8PZKQ0ZKX4C2M7FM'
const tenantGrantId = '01J8Z3Q3TQ6T0C9J2W0G7N2B6V'
const [adminId, otherId] = ['01J8X2W3Y4Z5A6B7C8D9E0F1G2', '01J8X2W3Y4Z5A6B7C8D9E0F1H3']
const changedAt = '2026-03-01T12:00:00.000Z'

type Values = Readonly<Record<string, unknown>>
type Keys = Readonly<Record<string, string>>

/** Every entity with the keys that the document gives it, in the table and in each index, and those that the additions are declared with. */
const expected: Readonly<Record<keyof typeof authorization.entities, readonly [values: Values, keys: Keys]>> = {
  Tenant: [
    { tenantId, name: 'acme' },
    {
      PK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
      SK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
      GSI1PK: 'TENANT_NAME#acme',
      GSI1SK: 'TENANT_NAME#acme',
    },
  ],
  User: [
    { userId, email: 'ada@example.org', phone: '+4930123456', preferredUsername: 'ada' },
    { PK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM', SK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM' },
  ],
  UserEmail: [{ email: 'ada@example.org' }, { PK: 'USER_EMAIL#ada@example.org', SK: 'USER_EMAIL#ada@example.org' }],
  UserPhone: [{ phone: '+4930123456' }, { PK: 'USER_PHONE#+4930123456', SK: 'USER_PHONE#+4930123456' }],
  UserPreferredUsername: [{ preferredUsername: 'ada' }, { PK: 'USER_PREFERREDUSERNAME#ada', SK: 'USER_PREFERREDUSERNAME#ada' }],
  Role: [
    { roleId: adminId, name: 'admin', scope: 'tenant' },
    {
      PK: 'ROLE_SCOPE#tenant',
      SK: 'ROLE_NAME#admin',
      GSI1PK: 'ROLE#01J8X2W3Y4Z5A6B7C8D9E0F1G2',
      GSI1SK: 'ROLE#01J8X2W3Y4Z5A6B7C8D9E0F1G2',
    },
  ],
  TenantGrant: [
    { tenantGrantId, tenantId, userId },
    {
      PK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
      SK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
      GSI1PK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
      GSI1SK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
      GSI2PK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V',
      GSI2SK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V',
    },
  ],
  Policy: [
    { policyId: 'p-abc123', name: 'ticket-tenant-enforce' },
    { PK: 'GLOBAL', SK: 'POLICY_NAME#ticket-tenant-enforce', GSI1PK: 'POLICY#p-abc123', GSI1SK: 'POLICY#p-abc123' },
  ],
  TenantName: [{ name: 'acme' }, { PK: 'TENANT_NAME#acme', SK: 'TENANT_NAME#acme' }],
  RoleById: [{ roleId: adminId }, { PK: 'ROLE#01J8X2W3Y4Z5A6B7C8D9E0F1G2', SK: 'ROLE#01J8X2W3Y4Z5A6B7C8D9E0F1G2' }],
  TenantGrantById: [{ tenantGrantId }, { PK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V', SK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V' }],
  PolicyById: [{ policyId: 'p-abc123' }, { PK: 'POLICY#p-abc123', SK: 'POLICY#p-abc123' }],
  UserTenantGrant: [
    { userId, tenantId },
    { PK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM', SK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C' },
  ],
  SignInIdentity: [
    { provider: 'google', subject: 's#1' },
    { PK: 'IDENTITY#google#s#1', SK: 'IDENTITY#google#s#1' },
  ],
  UserSignInEdge: [
    { userId, provider: 'google' },
    { PK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM', SK: 'IDENTITY#google' },
  ],
  Resource: [
    { tenantId, type: 'Shop::Order', id: 'o#1' },
    { PK: 'RESOURCES#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C#Shop::Order', SK: 'o#1' },
  ],
  TenantResource: [
    { tenantId, type: 'Shop::Order', id: 'o#1' },
    { PK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', SK: 'RESOURCE#Shop::Order#o#1' },
  ],
  Change: [
    { tenantId, changedAt, changeId: otherId },
    { PK: 'CHANGES#TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', SK: `CHANGE#${changedAt}#${otherId}` },
  ],
  ActorChange: [
    { actor: 'operator', changedAt, changeId: otherId },
    { PK: 'CHANGES#ACTOR#operator', SK: `CHANGE#${changedAt}#${otherId}` },
  ],
}

function keysOf(name: string, values: Values): Values | undefined {
  const entity = authorization.form.entities.get(name)
  const key = entity && tableKeyIfPresent(entity, values)
  return entity && key && { ...key, ...indexKeys(entity, values) }
}

describe('every entity has the keys of the document, in the table and in each index', () => {
  test.each(Object.entries(expected))('%s', (name, [values, keys]) => {
    expect(keysOf(name, values)).toEqual(keys)
  })

  test('no entity and no index is left out', () => {
    expect(Object.keys(expected).sort()).toEqual([...authorization.form.entities.keys()].sort())
    for (const [name, { form }] of authorization.form.entities) {
      const [, keys] = expected[name as keyof typeof expected]
      expect([name, Object.keys(keys).length]).toEqual([name, 2 + 2 * Object.keys(form.indexes).length])
    }
  })
})

describe('sparse keys are absent', () => {
  test.each([
    ['UserPhone', { userId, email: 'ada@example.org' }],
    ['UserPreferredUsername', { userId, email: 'ada@example.org', preferredUsername: null }],
  ])('%s of a user without one', (name, values) => {
    expect(keysOf(name, values)).toBeUndefined()
  })
})

/** The document's representative examples, without the type descriptors of the protocol. */
const examples: Readonly<Record<'Tenant' | 'TenantGrant' | 'Role' | 'Policy', Values>> = {
  Tenant: {
    PK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    SK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    GSI1PK: 'TENANT_NAME#acme',
    GSI1SK: 'TENANT_NAME#acme',
    Type: 'Tenant',
    tenantId: '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    name: 'acme',
  },
  TenantGrant: {
    PK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    SK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
    GSI1PK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
    GSI1SK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    GSI2PK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V',
    GSI2SK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V',
    Type: 'TenantGrant',
    tenantId: '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    userId: '01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
    roles: ['01J8X2W3Y4Z5A6B7C8D9E0F1G2', '01J8X2W3Y4Z5A6B7C8D9E0F1H3'],
  },
  Role: {
    PK: 'ROLE_SCOPE#tenant',
    SK: 'ROLE_NAME#admin',
    GSI1PK: 'ROLE#01J8X2W3Y4Z5A6B7C8D9E0F1G2',
    GSI1SK: 'ROLE#01J8X2W3Y4Z5A6B7C8D9E0F1G2',
    Type: 'Role',
    roleId: '01J8X2W3Y4Z5A6B7C8D9E0F1G2',
    name: 'admin',
    scope: 'tenant',
  },
  Policy: {
    PK: 'GLOBAL',
    SK: 'POLICY_NAME#ticket-tenant-enforce',
    GSI1PK: 'POLICY#p-abc123',
    GSI1SK: 'POLICY#p-abc123',
    Type: 'Policy',
    name: 'ticket-tenant-enforce',
    policyId: 'p-abc123',
  },
}

describe('written through the repository', () => {
  async function written(user: { phone?: string; preferredUsername?: string }): Promise<Stored[]> {
    const table = await ownTableOf(authorization)
    await table.Tenant.create({ tenantId, name: 'acme' })
    await table.User.create({ userId, email: 'Ada@Example.org', ...user })
    await table.Role.create({ roleId: adminId, name: 'admin', scope: 'tenant' })
    await table.Role.create({ roleId: otherId, name: 'other', scope: 'tenant' })
    await table.TenantGrant.create({ tenantGrantId, tenantId, userId, roles: [adminId, otherId] })
    // The grant keeps its id, and the table holds one of each.
    await table.Role.remove({ scope: 'tenant', name: 'other' })
    await table.Policy.create({ policyId: 'p-abc123', name: 'ticket-tenant-enforce' })
    await table.SignInIdentity.create({ provider: 'google', subject: 's#1', userId })
    await table.Resource.create({ tenantId, type: 'Shop::Order', id: 'o#1' })
    const change = { changeId: '01J8X2W3Y4Z5A6B7C8D9E0F1H3', changedAt: '2026-03-01T12:00:00Z', flow: 'test', actor: 'operator' }
    await table.Change.create({ ...change, tenantId })
    return wholeTable(table)
  }
  const places = (items: readonly Stored[]) =>
    Object.fromEntries(
      items.map((item) => [item.Type, Object.fromEntries(Object.entries(item).filter(([name]) => /^(GSI\d)?[PS]K$/.test(name)))]),
    )

  test('one of each lies where the document says, in the table and in each index, and nothing lies elsewhere', async () => {
    const items = await written({ phone: '+49 30 123456', preferredUsername: 'Ada' })
    expect(items).toHaveLength(Object.keys(expected).length)
    expect(places(items)).toEqual(Object.fromEntries(Object.entries(expected).map(([name, [, keys]]) => [name, keys])))
  })

  test('a user without phone number and name has no guard of them', async () => {
    const items = await written({})
    expect(places(items)).toEqual(
      Object.fromEntries(Object.entries(expected).flatMap(([name, [, keys]]) => (/^UserP/.test(name) ? [] : [[name, keys]]))),
    )
  })

  test("the document's examples are what is written, with what is added to them", async () => {
    const items = await written({})
    const more: Readonly<Record<string, Values>> = { Tenant: { status: 'active' }, TenantGrant: { tenantGrantId } }
    for (const [name, example] of Object.entries(examples)) {
      expect(items.find(({ Type }) => Type === name)).toEqual({ ...example, ...more[name], version: 1 })
    }
  })
})
