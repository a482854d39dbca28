import { beforeEach, describe, expect, test } from 'vitest'
import { type PlatformScene, type PlatformWork, platformScene, platformWork, settingOf } from '../../../test/platform-flows.ts'

let work: PlatformWork
let scene: PlatformScene
beforeEach(async () => {
  work = await platformWork()
  scene = await platformScene(work)
})

const denied = (reason: string) => ({ code: 'Denied', details: { reason } })
const consistent = { consistent: true }

describe('the ends of an edge are of one account, also where an operator writes it', () => {
  test('members and roles of a group', async () => {
    const { group, foreign, stranger, theirs } = scene
    const { id: strange } = await work.flows.createRole({ accountId: theirs, name: 'Strange' })
    await expect(work.flows.addToGroup({ groupId: group, userId: stranger })).rejects.toMatchObject({ code: 'MissingEnd' })
    await expect(work.flows.giveRole({ groupId: group, roleId: strange })).rejects.toMatchObject({ code: 'MissingEnd' })
    await work.flows.addToGroup({ groupId: foreign, userId: stranger })
    await work.flows.giveRole({ groupId: foreign, roleId: strange })
  })

  test('a calling user is told of another account’s as of nothing', async () => {
    const { lead, group, stranger, theirs } = scene
    const { id: strange } = await work.flows.createRole({ accountId: theirs, name: 'Strange' })
    await expect(work.as(lead).addToGroup({ groupId: group, userId: stranger })).rejects.toMatchObject({ code: 'MissingEnd' })
    await expect(work.as(lead).giveRole({ groupId: group, roleId: strange })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.as(lead).copyRole({ id: strange })).rejects.toMatchObject({ code: 'NotFound' })
  })
})

describe('a role of no account', () => {
  test('is written by operators, given to groups of any account, and copied into one', async () => {
    const { lead, ours, group } = scene
    const mine = work.as(lead)
    const { id: roleId, accountId } = await work.flows.createRole({ name: 'Everywhere' })
    expect(accountId).toBeUndefined()
    await work.flows.setMenuPermission({ roleId, menuKey: 'own', canView: true })
    for (const call of [
      () => mine.updateRole({ id: roleId, name: 'mine' }),
      () => mine.setMenuPermission({ roleId, menuKey: 'own', canEdit: true }),
      () => mine.removeMenuPermission({ roleId, menuKey: 'own' }),
      () => mine.replaceMenuPermissions({ roleId, permissions: [] }),
      () => mine.deleteRole({ id: roleId }),
    ])
      await expect(call()).rejects.toMatchObject(denied('OperatorsOnly'))
    await mine.giveRole({ groupId: group, roleId })
    expect(await mine.copyRole({ id: roleId })).toMatchObject({ accountId: ours, name: 'Everywhere' })
    expect(await work.flows.copyRole({ id: roleId, name: 'Another' })).not.toHaveProperty('accountId')
  })
})

test('a member or a role that a group has keeps its first stamps', async () => {
  const { lead, group, friend } = scene
  const roleId = await scene.role('plain', settingOf('own', 'view'))
  const first = [
    await work.as(lead).addToGroup({ groupId: group, userId: friend }),
    await work.as(lead).giveRole({ groupId: group, roleId }),
  ]
  const again = [
    await work.as(lead).addToGroup({ groupId: group, userId: friend }),
    await work.as(lead).giveRole({ groupId: group, roleId }),
  ]
  expect(again).toEqual(first)
})

describe('a write that was held up is not applied', () => {
  const lost: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['its caller left the group', 'NoGroup', () => work.flows.removeFromGroup({ groupId: scene.leads, userId: scene.lead })],
    ['the group lost the role', 'NoGrant', () => work.flows.takeRole({ groupId: scene.leads, roleId: scene.leading })],
    [
      'the role lost the permission',
      'NoGrant',
      () => work.flows.setMenuPermission({ roleId: scene.leading, menuKey: 'groups', canCreate: false }),
    ],
    ['the role was deleted', 'NoGrant', () => work.flows.deleteRole({ id: scene.leading })],
    ['the group was deleted', 'NoGroup', () => work.flows.deleteGroup({ id: scene.leads })],
    ['its caller was deactivated', 'UserNotActive', () => work.flows.deactivateUser({ id: scene.lead })],
    ['its caller’s end is past', 'UserNotActive', () => work.flows.setEndDate({ id: scene.lead, endDate: '2000-01-01' })],
    ['its account was suspended', 'AccountSuspended', () => work.flows.suspendAccount({ id: scene.ours })],
    ['its caller was deleted', 'UnknownUser', () => work.flows.deleteUser({ id: scene.lead })],
  ]
  test.each(lost)('once %s', async (_, reason, change) => {
    work.meanwhile = change
    await expect(work.as(scene.lead).createGroup({ accountId: scene.ours, name: 'late' })).rejects.toMatchObject(denied(reason))
    const { items } = await work.table.groupsOfAccount({ accountId: scene.ours })
    expect(items.filter(({ name }) => name === 'late')).toEqual([])
  })

  /** What the caller holds, or grants, changes before its write. */
  const changed: readonly (readonly [string, (roleId: string) => Promise<unknown>])[] = [
    ['the caller lost the permission', () => work.flows.setMenuPermission({ roleId: scene.leading, menuKey: 'own', canEdit: false })],
    ['the caller’s role lost the menu', () => work.flows.removeMenuPermission({ roleId: scene.leading, menuKey: 'own' })],
    ['another program took it', () => work.table.RolePermission.update({ roleId: scene.leading, menuKey: 'own' }, { canEdit: false })],
    ['the role allowed more', (roleId) => work.flows.setMenuPermission({ roleId, menuKey: 'own', canDelete: true })],
  ]
  test.each(changed)('giving a role, once %s', async (_, change) => {
    const roleId = await scene.role('edit', settingOf('own', 'edit'))
    work.meanwhile = () => change(roleId)
    await expect(work.as(scene.lead).giveRole({ groupId: scene.group, roleId })).rejects.toMatchObject(denied('NotHeld'))
    expect(await work.table.GroupRole.get({ groupId: scene.group, roleId }, consistent)).toBeUndefined()
  })
  test.each(changed.slice(0, 3))('copying a role, or adding to one, once %s', async (_, change) => {
    const roleId = await scene.role('edit', settingOf('own', 'edit'))
    work.meanwhile = () => change(roleId)
    await expect(work.as(scene.lead).copyRole({ id: roleId })).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.setMenuPermission({ roleId: scene.leading, menuKey: 'own', canEdit: true })
    work.meanwhile = () => change(roleId)
    const adding = work.as(scene.lead).setMenuPermission({ roleId: await scene.role('empty'), menuKey: 'own', canEdit: true })
    await expect(adding).rejects.toMatchObject(denied('NotHeld'))
  })

  test('adding a member, once the group got a role that allows more', async () => {
    const { lead, friend, group } = scene
    const roleId = await scene.role('more', settingOf('own', 'delete'))
    work.meanwhile = () => work.flows.giveRole({ groupId: group, roleId })
    await expect(work.as(lead).addToGroup({ groupId: group, userId: friend })).rejects.toMatchObject(denied('NotHeld'))
    expect(await work.table.GroupMember.get({ groupId: group, userId: friend }, consistent)).toBeUndefined()
  })
})
