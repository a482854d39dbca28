import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type PlatformScene, type PlatformWork, platformScene, platformWork, settingOf } from '../../../test/platform-flows.ts'

let work: PlatformWork
let scene: PlatformScene
const tables: PlatformWork[] = []
beforeEach(async () => {
  work = await platformWork()
  tables.push(work)
  scene = await platformScene(work)
  work.lines()
})
afterAll(() => {
  for (const { table } of tables) table.close()
})

const denied = (reason: string) => ({ code: 'Denied', details: { reason } })
const settings = async (roleId: string) => {
  const found = []
  for await (const { menuKey, canView, canCreate, canEdit, canDelete, accountId } of work.table.permissionsOfRole.all(
    { roleId },
    { consistent: true },
  ))
    found.push({ menuKey, canView, canCreate, canEdit, canDelete, accountId })
  return found
}

describe('a calling user', () => {
  test('makes roles of its account, of what it may do itself', async () => {
    const mine = work.as(scene.lead)
    const { id, accountId } = await mine.createRole({ name: 'Editors' })
    expect(accountId).toBe(scene.ours)
    expect(await mine.setMenuPermission({ roleId: id, menuKey: 'own', canView: true })).toMatchObject({ canView: true, canEdit: false })
    expect(await mine.setMenuPermission({ roleId: id, menuKey: 'own', canEdit: true })).toMatchObject({ canView: true, canEdit: true })
    expect(await settings(id)).toEqual([{ ...settingOf('own', 'view', 'edit'), accountId: scene.ours }])
    const copied = await mine.copyRole({ id, name: 'Others' })
    expect(copied).toMatchObject({ name: 'Others', accountId: scene.ours })
    expect(await settings(copied.id)).toEqual(await settings(id))
    await mine.replaceMenuPermissions({ roleId: id, permissions: [settingOf('users', 'view')] })
    expect(await settings(id)).toEqual([{ ...settingOf('users', 'view'), accountId: scene.ours }])
    await mine.giveRole({ groupId: scene.group, roleId: id })
    await mine.addToGroup({ groupId: scene.group, userId: scene.friend })
    await mine.removeMenuPermission({ roleId: id, menuKey: 'users' })
    await mine.deleteRole({ id })
    expect(await settings(id)).toEqual([])
  })
  test('grants nothing that it may not do itself', async () => {
    const mine = work.as(scene.lead)
    const more = await scene.role('more', settingOf('own', 'delete'))
    const { id } = await mine.createRole({ name: 'Editors' })
    const refused = [
      () => mine.setMenuPermission({ roleId: id, menuKey: 'own', canDelete: true }),
      () => mine.replaceMenuPermissions({ roleId: id, permissions: [settingOf('own', 'delete')] }),
      () => mine.copyRole({ id: more }),
      () => mine.giveRole({ groupId: scene.group, roleId: more }),
    ]
    for (const each of refused) await expect(each()).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.giveRole({ groupId: scene.group, roleId: more })
    for (const userId of [scene.lead, scene.friend])
      await expect(mine.addToGroup({ groupId: scene.group, userId })).rejects.toMatchObject(denied('NotHeld'))
  })
})
test('a large role', async () => {
  const permissions = Array.from({ length: 120 }, (_, index) => settingOf(`m${index}`, 'view'))
  const { id } = await work.flows.createRole({ accountId: scene.ours, name: 'Large' })
  await work.flows.replaceMenuPermissions({ roleId: id, permissions })
  expect(await settings(id)).toHaveLength(120)
  const copied = await work.flows.copyRole({ id })
  expect(await settings(copied.id)).toEqual(await settings(id))
  await work.flows.replaceMenuPermissions({ roleId: id, permissions: permissions.slice(100).map((each) => ({ ...each, canEdit: true })) })
  expect(await settings(id)).toHaveLength(20)
})
