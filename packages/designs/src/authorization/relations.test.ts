import { creating, type Table } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { authorization, Role, TenantGrant } from './design.ts'

let table: Table<typeof authorization>
let acme: string
let ada: string
beforeEach(async () => {
  table = await ownTableOf(authorization)
  acme = (await table.Tenant.create({ name: 'acme' })).tenantId
  ada = (await table.User.create({ email: 'ada@example.org', phone: '+4930123456' })).userId
})

/** Types and keys of all items that name any of these texts. */
async function naming(...texts: string[]): Promise<string[]> {
  const items = await wholeTable(table)
  return items.filter((item) => texts.some((text) => JSON.stringify(item).includes(text))).map(({ Type, PK, SK }) => `${Type} ${PK} ${SK}`)
}

const conflict = (guard: string) => ({ code: 'AlreadyExists', category: 'conflict', details: { guard } })

describe('of two items', () => {
  test('of one name or id, the second is refused, though no index could', async () => {
    await expect(table.Tenant.create({ name: ' acme ' })).rejects.toMatchObject(conflict('TenantName'))
    await expect(table.User.create({ email: 'ADA@example.org' })).rejects.toMatchObject(conflict('UserEmail'))
    await expect(table.User.create({ email: 'b@example.org', phone: '+49 30 123456' })).rejects.toMatchObject(conflict('UserPhone'))
    const { roleId } = await table.Role.create({ name: 'admin', scope: 'tenant' })
    await expect(table.Role.create({ name: 'admin', scope: 'tenant' })).rejects.toMatchObject({ code: 'AlreadyExists' })
    await expect(table.Role.create({ roleId, name: 'other', scope: 'global' })).rejects.toMatchObject(conflict('RoleById'))
    await table.Policy.create({ policyId: 'p-1', name: 'one' })
    await expect(table.Policy.create({ policyId: 'p-1', name: 'two' })).rejects.toMatchObject(conflict('PolicyById'))
  })

  test('names in another case are two, and so is a role name in both scopes', async () => {
    await table.Tenant.create({ name: 'Acme' })
    await table.Role.create({ name: 'admin', scope: 'tenant' })
    await table.Role.create({ name: 'admin', scope: 'global' })
  })

  test('without a phone number or a name, neither is refused', async () => {
    await table.User.create({ email: 'b@example.org', preferredUsername: null })
    await table.User.create({ email: 'c@example.org' })
  })
})

describe('a new name', () => {
  test('of a tenant moves its guard and its place in the index, and frees the old one', async () => {
    await table.Tenant.update({ tenantId: acme }, { name: 'apex' })
    expect((await table.tenantByName({ name: 'apex' })).items).toMatchObject([{ tenantId: acme }])
    expect((await table.tenantByName({ name: 'acme' })).items).toEqual([])
    expect(await naming('acme')).toEqual([])
    await table.Tenant.create({ name: 'acme' })
  })

  test('of a role or a policy moves it with its guard; ids stay', async () => {
    const { roleId } = await table.Role.create({ name: 'admin', scope: 'tenant' })
    await table.Role.move({ scope: 'tenant', name: 'admin' }, { name: 'owner' })
    await table.Policy.create({ policyId: 'p-1', name: 'admin' })
    await table.Policy.move({ name: 'admin' }, { name: 'owner' })
    expect(await naming('admin')).toEqual([])
    expect(await table.roleOfId({ roleId })).toMatchObject({ scope: 'tenant', name: 'owner' })
    expect((await table.roleById({ roleId })).items).toMatchObject([{ name: 'owner' }])
    expect(await table.policyOfId({ policyId: 'p-1' })).toMatchObject({ name: 'owner' })
    await expect(table.Role.move({ scope: 'tenant', name: 'owner' }, { scope: 'global' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

describe('a grant', () => {
  test('needs its tenant and its user', async () => {
    const nobody = '01J8YZZQ3V8PZKQ0ZKX4C2M7FM'
    await expect(table.TenantGrant.create({ tenantId: acme, userId: nobody })).rejects.toMatchObject({ code: 'MissingEnd' })
    await expect(table.TenantGrant.create({ tenantId: nobody, userId: ada })).rejects.toMatchObject({ code: 'MissingEnd' })
  })

  test('is one for each user and tenant, and tells the same from all sides when its roles change', async () => {
    const { tenantGrantId = '' } = await table.TenantGrant.create({ tenantId: acme, userId: ada })
    await expect(table.TenantGrant.create({ tenantId: acme, userId: ada })).rejects.toMatchObject({ code: 'AlreadyExists' })
    const roles = [(await table.Role.create({ name: 'admin', scope: 'tenant' })).roleId]
    await table.TenantGrant.update({ tenantId: acme, userId: ada }, { roles })
    expect((await table.grantsOfUserOnTable({ userId: ada }, { consistent: true })).items).toMatchObject([{ tenantGrantId, roles }])
    expect((await table.grantsOfUser({ userId: ada })).items).toMatchObject([{ tenantGrantId, roles }])
    expect((await table.grantById({ tenantGrantId })).items).toMatchObject([{ roles }])
    expect(await table.grantOfId({ tenantGrantId })).toMatchObject({ tenantId: acme, userId: ada })
  })

  test('has tenant roles that exist, and a user global ones; each is checked as it is added', async () => {
    const [global, viewer, editor] = [
      (await table.Role.create({ name: 'staff', scope: 'global' })).roleId,
      (await table.Role.create({ name: 'viewer', scope: 'tenant' })).roleId,
      (await table.Role.create({ name: 'editor', scope: 'tenant' })).roleId,
    ]
    const missing = { code: 'MissingEnd', details: { guard: 'RoleById' } }
    const absent = '01J8X2W3Y4Z5A6B7C8D9E0F1G2'
    for (const roles of [[absent], [global], [viewer, global]])
      await expect(table.TenantGrant.create({ tenantId: acme, userId: ada, roles })).rejects.toMatchObject(missing)
    for (const roles of [[absent], [viewer], [global, viewer]])
      await expect(table.User.create({ email: 'b@example.org', roles })).rejects.toMatchObject(missing)
    await table.User.update({ userId: ada }, { roles: [global, global] })
    const scoped = table.forTenant(acme)
    await scoped.TenantGrant.create({ tenantId: acme, userId: ada, roles: [viewer] })
    await expect(scoped.TenantGrant.update({ tenantId: acme, userId: ada }, { roles: [viewer, global] })).rejects.toMatchObject(missing)
    // The id of a role that has gone stays and grants nothing. Other roles can be added and taken all the same, and it cannot come back.
    await table.Role.remove({ scope: 'tenant', name: 'viewer' })
    await scoped.TenantGrant.update({ tenantId: acme, userId: ada }, { roles: [viewer, editor] })
    await scoped.TenantGrant.update({ tenantId: acme, userId: ada }, { roles: [editor] })
    await expect(scoped.TenantGrant.update({ tenantId: acme, userId: ada }, { roles: [viewer] })).rejects.toMatchObject(missing)
    const many = Array.from({ length: 91 }, () => editor)
    await expect(scoped.TenantGrant.update({ tenantId: acme, userId: ada }, { roles: many })).rejects.toMatchObject({
      code: 'InvalidInput',
    })
  })

  test('has ninety roles at most, which one transaction checks', async () => {
    const roles: string[] = []
    for (let each = 0; each < 90; each++) roles.push((await table.Role.create({ name: `role ${each}`, scope: 'tenant' })).roleId)
    await table.TenantGrant.create({ tenantId: acme, userId: ada, roles })
    expect((await table.TenantGrant.get({ tenantId: acme, userId: ada }))?.roles).toEqual(roles)
    const { userId: ben } = await table.User.create({ email: 'ben@example.org' })
    await table.TenantGrant.create({ tenantId: acme, userId: ben })
    await table.TenantGrant.update({ tenantId: acme, userId: ben }, { roles })
  })

  test('is not made while its role is removed: one of the two loses', async () => {
    for (let times = 0; times < 5; times++) {
      const { roleId } = await table.Role.create({ name: 'racing', scope: 'tenant' })
      const { userId } = await table.User.create({ email: `r${times}@example.org` })
      const [grant] = await Promise.allSettled([
        table.TenantGrant.create({ tenantId: acme, userId, roles: [roleId] }),
        table.Role.remove({ scope: 'tenant', name: 'racing' }),
      ])
      if (grant.status === 'rejected') expect(grant.reason).toMatchObject({ code: 'MissingEnd' })
      expect(await table.roleOfId({ roleId }, { consistent: true })).toBeUndefined()
    }
  })

  test('with a role of the same transaction is written, unless that role is of the other scope', async () => {
    const roleId = '01J8X2W3Y4Z5A6B7C8D9E0F1G2'
    const steps = (scope: 'tenant' | 'global') => ({
      role: creating(Role, { roleId, name: 'new', scope }),
      grant: creating(TenantGrant, { tenantId: acme, userId: ada, roles: [roleId] }),
    })
    await expect(table.transact(steps('global'))).rejects.toMatchObject({ details: { failures: { grant: { code: 'MissingEnd' } } } })
    await table.transact(steps('tenant'))
    expect((await table.TenantGrant.get({ tenantId: acme, userId: ada }))?.roles).toEqual([roleId])
  })

  test('goes with its tenant, and with its user, and leaves no trace', async () => {
    const { tenantId: apex } = await table.Tenant.create({ name: 'apex' })
    const { userId: ben } = await table.User.create({ email: 'ben@example.org' })
    const grants = await table.TenantGrant.createMany(
      [acme, apex].flatMap((tenantId) => [ada, ben].map((userId) => ({ tenantId, userId }))),
    )
    expect(grants).toHaveLength(4)
    await table.Tenant.remove({ tenantId: acme })
    expect(await naming(acme, 'acme')).toEqual([])
    await table.User.remove({ userId: ada })
    expect(await naming(ada, 'ada@', '+4930123456')).toEqual([])
    const left = (await wholeTable(table)).map(({ Type }) => Type).sort()
    expect(left).toEqual(['Tenant', 'TenantGrant', 'TenantGrantById', 'TenantName', 'User', 'UserEmail', 'UserTenantGrant'])
  })
})

describe('work for one tenant', () => {
  test('sees and writes its own grants only, of users and roles that all tenants share', async () => {
    const { tenantId: apex } = await table.Tenant.create({ name: 'apex' })
    const { userId: ben } = await table.User.create({ email: 'ben@example.org' })
    const { tenantGrantId = '' } = await table.TenantGrant.create({ tenantId: apex, userId: ada })
    const scoped = table.forTenant(acme)
    await scoped.TenantGrant.create({ tenantId: acme, userId: ben })
    expect((await scoped.grantsOfTenant({ tenantId: acme })).items).toMatchObject([{ userId: ben }])
    // Of ada, who has no grant there, it learns as much as of nobody.
    expect(await scoped.user({ userId: ben })).toMatchObject({ userId: ben })
    expect(await scoped.user({ userId: ada })).toBeUndefined()
    expect(await scoped.User.get({ userId: ada })).toBeUndefined()
    expect(await scoped.User.getMany([{ userId: ada }, { userId: ben }])).toMatchObject([undefined, { userId: ben }])
    await scoped.TenantGrant.remove({ tenantId: acme, userId: ben })
    expect(await scoped.User.get({ userId: ben }, { consistent: true })).toBeUndefined()

    const denied = { code: 'Denied', category: 'denied' }
    await expect(scoped.TenantGrant.create({ tenantId: apex, userId: ben })).rejects.toMatchObject(denied)
    await expect(scoped.grantsOfTenant({ tenantId: apex })).rejects.toMatchObject(denied)
    await expect(scoped.grantsOfUser({ userId: ada })).rejects.toMatchObject(denied)
    await expect(scoped.grantsOfUserOnTable({ userId: ada })).rejects.toMatchObject(denied)
    await expect(scoped.Role.create({ name: 'admin', scope: 'tenant' })).rejects.toMatchObject(denied)
    await expect(scoped.User.update({ userId: ada }, { givenName: 'Eve' })).rejects.toMatchObject(denied)
    expect(await scoped.tenant({ tenantId: apex })).toBeUndefined()
    expect((await scoped.tenantByName({ name: 'apex' })).items).toEqual([])
    expect(await scoped.tenantIdOfName({ name: 'apex' })).toBeUndefined()
    expect(await scoped.grant({ tenantId: apex, userId: ada })).toBeUndefined()
    expect((await scoped.grantById({ tenantGrantId })).items).toEqual([])
    expect(await scoped.grantOfId({ tenantGrantId })).toBeUndefined()
  })
})
