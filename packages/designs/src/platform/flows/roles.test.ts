import { describe, expect, test } from 'vitest'
import { dyingSender } from '../../../test/dying-sender.ts'
import { platformScene, platformWork, settingOf } from '../../../test/platform-flows.ts'

const lease_ms = 5000
let now_ms = Date.parse('2026-03-15T12:00:00.000Z')
const now = () => new Date(now_ms)
const work = await platformWork({ now })
const scene = await platformScene(work)

const denied = (reason: string) => ({ code: 'Denied', details: { reason } })
const settings = async (roleId: string) => {
  const found = []
  for await (const permission of work.table.permissionsOfRole.all({ roleId }, { consistent: true })) {
    const { menuKey, canView, canCreate, canEdit, canDelete, accountId } = permission
    found.push({ menuKey, canView, canCreate, canEdit, canDelete, accountId })
  }
  return found
}
const ours = (setting: ReturnType<typeof settingOf>) => ({ ...setting, accountId: scene.ours })
const many = (count: number, ...actions: Parameters<typeof settingOf>[1][]) =>
  Array.from({ length: count }, (_, index) => settingOf(`m${String(index).padStart(3, '0')}`, ...actions))

describe('a calling user', () => {
  test('makes roles of its account, of what it may do itself', async () => {
    const mine = work.as(scene.lead)
    const { id, accountId } = await mine.createRole({ name: 'Editors' })
    expect(accountId).toBe(scene.ours)
    expect(await mine.setMenuPermission({ roleId: id, menuKey: 'own', canView: true })).toMatchObject({ canView: true, canEdit: false })
    expect(await mine.setMenuPermission({ roleId: id, menuKey: 'own', canEdit: true })).toMatchObject({ canView: true, canEdit: true })
    expect(await settings(id)).toEqual([ours(settingOf('own', 'view', 'edit'))])
    const copied = await mine.copyRole({ id, name: 'Others', description: null })
    expect(copied).toMatchObject({ name: 'Others', accountId: scene.ours })
    expect(await settings(copied.id)).toEqual(await settings(id))
    await mine.replaceMenuPermissions({ roleId: id, permissions: [settingOf('users', 'view')] })
    expect(await settings(id)).toEqual([ours(settingOf('users', 'view'))])
    await mine.deleteRole({ id })
    expect(await settings(id)).toEqual([])
  })

  test('grants nothing that it may not do itself, and takes away what it likes', async () => {
    const mine = work.as(scene.lead)
    const more = await scene.role('more', settingOf('own', 'edit', 'delete'))
    const { id } = await mine.createRole({ name: 'Editors' })
    for (const call of [
      () => mine.setMenuPermission({ roleId: id, menuKey: 'own', canDelete: true }),
      () => mine.replaceMenuPermissions({ roleId: id, permissions: [settingOf('own', 'delete')] }),
      () => mine.copyRole({ id: more }),
      () => mine.giveRole({ groupId: scene.group, roleId: more }),
    ])
      await expect(call()).rejects.toMatchObject({ ...denied('NotHeld'), message: expect.stringContaining('delete own') })
    // The role has it already: nobody gets more.
    await mine.setMenuPermission({ roleId: more, menuKey: 'own', canEdit: false })
    expect(await settings(more)).toEqual([ours(settingOf('own', 'delete'))])
    await mine.replaceMenuPermissions({ roleId: more, permissions: [settingOf('own', 'view', 'delete')] })
    await mine.removeMenuPermission({ roleId: more, menuKey: 'own' })
  })
})

test('what is not said of a menu stays as it is, and what is the same writes nothing', async () => {
  const roleId = await scene.role('same', settingOf('own', 'view'))
  work.lines()
  expect(await work.flows.setMenuPermission({ roleId, menuKey: 'own', canView: true })).toMatchObject({ canView: true, version: 1 })
  await work.flows.replaceMenuPermissions({ roleId, permissions: [settingOf('own', 'view')] })
  expect(work.lines().filter(({ entity }) => entity === 'Role')).toEqual([])
  expect(await settings(roleId)).toEqual([ours(settingOf('own', 'view'))])
})

test('a menu is said once, and a version that the caller names is the last', async () => {
  const roleId = await scene.role('twice')
  const twice = { roleId, permissions: [settingOf('own'), settingOf('own', 'view')] }
  await expect(work.flows.replaceMenuPermissions(twice)).rejects.toMatchObject({ code: 'InvalidInput' })
  await expect(work.flows.replaceMenuPermissions({ roleId, permissions: [], version: 7 })).rejects.toMatchObject({
    code: 'VersionConflict',
  })
})

describe('a role of many menus', () => {
  test('is copied, and replaced, by a durable job', async () => {
    const roleId = await scene.role('large')
    await work.flows.replaceMenuPermissions({ roleId, permissions: many(120, 'view') })
    expect(await settings(roleId)).toHaveLength(120)
    const copied = await work.flows.copyRole({ id: roleId })
    expect(await settings(copied.id)).toEqual(await settings(roleId))
    const left = many(100, 'view', 'edit').slice(20)
    await work.flows.replaceMenuPermissions({ roleId, permissions: left })
    expect(await settings(roleId)).toEqual(left.map(ours))
  })

  test('is held to what the caller may do itself', async () => {
    const large = await scene.role('own', ...many(60, 'view'))
    await expect(work.as(scene.lead).copyRole({ id: large })).rejects.toMatchObject(denied('NotHeld'))
    const { id } = await work.as(scene.lead).createRole({ name: 'Mine' })
    const asked = { roleId: id, permissions: many(60, 'view') }
    await expect(work.as(scene.lead).replaceMenuPermissions(asked)).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.replaceMenuPermissions({
      roleId: scene.leading,
      permissions: [...(await settings(scene.leading)).map(plain), ...many(60, 'view')],
    })
    await work.as(scene.lead).replaceMenuPermissions(asked)
    expect(await settings((await work.as(scene.lead).copyRole({ id })).id)).toHaveLength(60)
  })

  test('is not copied over another', async () => {
    const large = await scene.role('taking', ...many(60, 'view'))
    const other = await work.flows.createRole({ accountId: scene.theirs, name: 'Theirs' })
    await expect(work.flows.copyRole({ id: large, newId: other.id })).rejects.toMatchObject({ code: 'AlreadyExists' })
    expect(await settings(other.id)).toEqual([])
  })

  test('is whole in the end, if its process ends after any write', async () => {
    const source = await scene.role('source', ...many(80, 'view'))
    let isDead = true
    for (let writes = 0; isDead; writes++) {
      const newId = `copy-${writes}`
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await platformWork({ table: work.table.runtime.table, now, sender: dying.sender, patience_ms: 0 })
      await doomed.flows.copyRole({ id: source, newId }).catch(() => {})
      isDead = dying.isDead()
      now_ms += lease_ms
      await work.table.jobs.resume()
      expect(await work.table.jobs.list()).toEqual([])
      const made = await work.table.Role.get({ id: newId }, { consistent: true })
      // Before its job was recorded nothing was done.
      expect(await settings(newId)).toEqual(made === undefined ? [] : await settings(source))
    }
    expect(await work.table.Role.get({ id: 'copy-1' })).toBeDefined()
  })
})

/** A setting without its account. */
function plain({
  menuKey,
  canView = false,
  canCreate = false,
  canEdit = false,
  canDelete = false,
}: Awaited<ReturnType<typeof settings>>[number]) {
  return { menuKey, canView, canCreate, canEdit, canDelete }
}
