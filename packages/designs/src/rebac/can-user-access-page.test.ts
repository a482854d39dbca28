import { expect, test } from 'vitest'
import { ownTable } from '../../test/own-table.ts'
import { canUserAccessPage } from './can-user-access-page.ts'

test("the document's own question says what `can` says, by ids and by names, and no where there is nobody", async () => {
  const table = await ownTable()
  const { userId } = await table.User.create({ displayName: 'Ada' })
  await table.EmailIdentity.create({ userId, email: 'ada@example.org', provider: 'google' })
  const { locationId } = await table.Location.create({ locationCode: 'NYC001', name: 'New York' })
  const { groupId } = await table.UserGroup.create({ locationId, name: 'Teachers' })
  await table.Role.create({ roleName: 'teacher' })
  for (const pageName of ['dashboard', 'payroll']) await table.Page.create({ pageName })
  await table.RolePagePermission.create({ roleName: 'teacher', pageName: 'dashboard', permission: 'ALLOW' })
  await table.GroupRole.create({ groupId, roleName: 'teacher' })
  await table.UserLocationEdge.create({ userId, locationId })
  await table.UserGroupEdge.create({ userId, groupId })
  expect(await canUserAccessPage(table, userId, locationId, 'dashboard')).toBe(true)
  expect(await canUserAccessPage(table, 'Ada@example.org', 'nyc001', 'dashboard', { consistency: 'strong' })).toBe(true)
  expect(await canUserAccessPage(table, userId, locationId, 'payroll')).toBe(false)
  expect(await canUserAccessPage(table, 'eve@example.org', locationId, 'dashboard')).toBe(false)
  table.close()
})
