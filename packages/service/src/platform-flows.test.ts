import { platform, platformModule } from '@freehold/designs/platform'
import { describe, expect, test } from 'vitest'
import { startServiceOf } from '../test/serving.ts'

// An attacker with a key, and one as a user of an account, over HTTP.

const flow = (name: string, input: object) => service.call('POST', `/v1/platform/flows/${name}`, input)
const done = async (name: string, input: object) => {
  const { status, body } = await flow(name, input)
  expect([name, status, body]).toEqual([name, expect.toBeOneOf([200, 204]), body])
}
const service = await startServiceOf(platform, { module: platformModule })
for (const accountId of ['ours', 'theirs']) {
  await done('createAccount', { id: accountId, name: accountId })
  await done('createUser', { accountId, id: `ada-${accountId}`, email: `ada@${accountId}.example`, firstName: 'Ada', lastName: 'Byron' })
  await done('createGroup', { accountId, id: `group-${accountId}`, name: 'Leads' })
  await done('createRole', { accountId, id: `role-${accountId}`, name: 'Lead' })
  for (const menuKey of ['groups', 'group-roles', 'group-members', 'role-permissions'])
    await done('setMenuPermission', { roleId: `role-${accountId}`, menuKey, canView: true, canCreate: true, canEdit: true })
  await done('giveRole', { groupId: `group-${accountId}`, roleId: `role-${accountId}` })
  await done('addToGroup', { groupId: `group-${accountId}`, userId: `ada-${accountId}` })
}
await done('createRole', { accountId: 'ours', id: 'keeper', name: 'Keeper' })
await done('setMenuPermission', { roleId: 'keeper', menuKey: 'vault', canView: true })

describe('a user over HTTP', () => {
  const as = 'ADA@ours.example'

  test('manages groups of its account, by its e-mail address, and of no other', async () => {
    expect(await flow('createGroup', { accountId: 'ours', name: 'mine', as })).toMatchObject({ status: 200, body: { accountId: 'ours' } })
    expect(await flow('createGroup', { accountId: 'theirs', name: 'mine', as })).toMatchObject({ status: 404 })
    expect(await flow('updateGroup', { id: 'group-theirs', name: 'mine', as })).toMatchObject({ status: 404 })
    expect(await flow('createGroup', { accountId: 'ours', name: 'mine', as: 'nobody' })).toMatchObject({ status: 403 })
    expect(await flow('createGroup', { accountId: 'ours', name: 'mine', as: 'no one' })).toMatchObject({ status: 400 })
  })

  test('gives nothing that it may not do itself, to itself or to others', async () => {
    for (const [name, input] of [
      ['giveRole', { groupId: 'group-ours', roleId: 'keeper' }],
      ['setMenuPermission', { roleId: 'role-ours', menuKey: 'vault', canView: true }],
      [
        'replaceMenuPermissions',
        { roleId: 'role-ours', permissions: [{ menuKey: 'vault', canView: true, canCreate: false, canEdit: false, canDelete: false }] },
      ],
      ['createAccount', { id: 'mine', name: 'Mine' }],
      ['createRole', { accountId: 'ours', name: 'Mine' }],
      ['suspendAccount', { id: 'theirs' }],
    ] as const)
      expect(await flow(name, { ...input, as })).toMatchObject({ status: 403, body: { code: 'Denied' } })
    const question = { user: 'ada-ours', account: 'ours', menu: 'vault', action: 'view' }
    expect((await service.call('POST', '/v1/platform/can', question)).body).toMatchObject({ allowed: false })
  })

  test('is recorded with the key that passed its call on', async () => {
    const { items } = await service.table.changesOfActor({ actor: 'ada-ours' }, { consistent: true, limit: 50 })
    expect([...new Set(items.map(({ from }) => from?.via))]).toEqual([expect.stringMatching(/./)])
    expect(items.some(({ status }) => status === 'failure')).toBe(true)
  })
})

describe('a key', () => {
  test.each(['Role', 'RolePermission', 'GroupMember', 'User', 'License', 'LicenseSeat', 'NotificationAudit', 'Change'])(
    'writes no %s past the flows',
    async (entity) => {
      const { status, body } = await service.call('POST', `/v1/platform/entities/${entity}`, {})
      expect({ status, body }).toMatchObject({ status: 403, body: { code: 'Denied' } })
    },
  )
})
