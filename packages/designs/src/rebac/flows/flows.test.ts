import { beforeEach, describe, expect, test } from 'vitest'
import { removeLiterally, setLiterally } from '../../../test/literal-items.ts'
import { type RebacScene, type RebacWork, rebacScene, rebacWork } from '../../../test/rebac-flows.ts'
import { decideRebac } from '../decide.ts'
import type { RebacFlows } from './flows.ts'

let work: RebacWork
let scene: RebacScene
beforeEach(async () => {
  work = await rebacWork()
  scene = await rebacScene(work)
  work.lines()
})

const denied = (reason: string) => ({ code: 'Denied', details: { reason } })
const may = async (user: string, location: string, page: string) =>
  (await decideRebac(work.table.runtime).can({ user, location, page }, { consistency: 'strong' })).allowed

describe('a calling user', () => {
  test('manages the memberships, groups and roles of a location whose pages it may open', async () => {
    const { lead, here, friend, group } = scene
    const mine = work.as(lead)
    await mine.joinLocation({ userId: friend, locationId: here })
    const { groupId } = await mine.createGroup({ locationId: here, name: 'new', groupType: 'TEACHER' })
    await mine.updateGroup({ groupId, name: 'newer' })
    await mine.giveRole({ groupId, roleName: 'r1' })
    await mine.joinGroup({ userId: friend, groupId })
    expect(await may(friend, here, 'p1')).toBe(true)
    await mine.takeRole({ groupId, roleName: 'r1' })
    await mine.leaveGroup({ userId: friend, groupId })
    await mine.leaveLocation({ userId: friend, locationId: here })
    await mine.deleteGroup({ groupId })
    await mine.joinGroup({ userId: friend, groupId: group })
    expect(await may(friend, here, 'p1')).toBe(false)
  })

  test('may do none of it at another location', async () => {
    const { lead, there, friend, foreign } = scene
    const mine = work.as(lead)
    await work.flows.joinGroup({ userId: lead, groupId: foreign })
    const userId = friend
    const calls = [
      mine.joinLocation({ userId, locationId: there }),
      mine.leaveLocation({ userId: lead, locationId: there }),
      mine.joinGroup({ userId, groupId: foreign }),
      mine.leaveGroup({ userId: lead, groupId: foreign }),
      mine.createGroup({ locationId: there, name: 'mine' }),
      mine.updateGroup({ groupId: foreign, name: 'mine' }),
      mine.deleteGroup({ groupId: foreign }),
      mine.giveRole({ groupId: foreign, roleName: 'r1' }),
      mine.takeRole({ groupId: foreign, roleName: 'r1' }),
    ]
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: denied('NoGrant') })
  })

  test('changes nothing that holds at all locations, and signs nobody in', async () => {
    const { lead, here, friend } = scene
    const mine = work.as(lead)
    const roleName = 'r1'
    const calls = [
      mine.createRole({ roleName: 'mine' }),
      mine.updateRole({ roleName, description: 'mine' }),
      mine.deleteRole({ roleName }),
      mine.renameRole({ roleName, to: 'mine' }),
      mine.renamePage({ pageName: 'p2', to: 'p1' }),
      mine.updatePage({ pageName: 'p2', description: 'mine' }),
      mine.unlinkAccount({ provider: 'google', subject: 's' }),
      mine.createPage({ pageName: 'mine' }),
      mine.deletePage({ pageName: 'p2' }),
      mine.setPermission({ roleName, pageName: 'p2', permission: 'ALLOW' }),
      mine.removePermission({ roleName, pageName: 'p1' }),
      mine.createLocation({ locationCode: 'MINE', name: 'mine' }),
      mine.updateLocation({ locationId: here, locationCode: 'MINE' }),
      mine.deleteLocation({ locationId: here }),
      mine.createUser({ displayName: 'mine' }),
      mine.updateUser({ userId: lead, displayName: 'mine' }),
      mine.setAdmin({ userId: lead, isAdmin: true }),
      mine.deleteUser({ userId: friend }),
      mine.addEmail({ userId: lead, email: 'mine@example.org' }),
      mine.removeEmail({ email: 'lead@example.org' }),
      mine.assignMany({ assignments: [{ userId: lead, groupId: scene.group }] }),
      mine.signIn({ provider: 'google', subject: 's', email: 'lead@example.org', isEmailVerified: true }),
    ]
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: denied('OperatorsOnly') })
  })

  test('grants no page that it may not open itself: neither by a role, nor by a group that has one', async () => {
    const { lead, friend, group } = scene
    const mine = work.as(lead)
    await expect(mine.giveRole({ groupId: group, roleName: 'r2' })).rejects.toMatchObject({ ...denied('NotHeld'), message: /p2/ })
    await work.flows.giveRole({ groupId: group, roleName: 'r2' })
    await expect(mine.joinGroup({ userId: lead, groupId: group })).rejects.toMatchObject(denied('NotHeld'))
    await expect(mine.joinGroup({ userId: friend, groupId: group })).rejects.toMatchObject(denied('NotHeld'))
    await work.flows.setPermission({ roleName: 'lead', pageName: 'p2', permission: 'ALLOW' })
    await mine.joinGroup({ userId: friend, groupId: group })
  })

  describe('where a table of another program has memberships and roles already', () => {
    /** Friend is in a group that grants more than lead has, and not at its location. */
    async function prepare() {
      const { here, friend } = scene
      const { groupId } = await work.flows.createGroup({ locationId: here, name: 'strong' })
      await work.flows.giveRole({ groupId, roleName: 'r2' })
      await work.flows.joinGroup({ userId: friend, groupId })
      await removeLiterally(work.table.runtime, `USER#${friend}`, `LOCATION#${here}`)
      await removeLiterally(work.table.runtime, `LOCATION#${here}`, `USER#${friend}`)
      return groupId
    }
    async function forget(groupId: string) {
      for (const [PK, SK] of [
        [`GROUP#${groupId}`, 'META'],
        [`LOCATION#${scene.here}`, `GROUP#${groupId}`],
        ['DIRECTORY#GROUP', `GROUP#${groupId}`],
      ] as const)
        await removeLiterally(work.table.runtime, PK, SK)
    }
    const joins = {
      joinLocation: (flows: RebacFlows) => flows.joinLocation({ userId: scene.friend, locationId: scene.here }),
      joinGroup: (flows: RebacFlows) => flows.joinGroup({ userId: scene.friend, groupId: scene.group }),
    }

    test.each(['joinLocation', 'joinGroup'] as const)('%s brings nobody to them', async (flow) => {
      await prepare()
      const { lead, here, friend } = scene
      await expect(joins[flow](work.as(lead))).rejects.toMatchObject(denied('NotHeld'))
      expect(await may(friend, here, 'p2')).toBe(false)
      await joins[flow](work.flows)
      expect(await may(friend, here, 'p2')).toBe(true)
    })

    test.each(['joinLocation', 'joinGroup'] as const)('%s is not held up by a membership in a group that is gone', async (flow) => {
      const groupId = await prepare()
      await forget(groupId)
      await joins[flow](work.as(scene.lead))
      expect(await may(scene.friend, scene.here, 'p2')).toBe(false)
    })

    test('createGroup makes no group again that has roles', async () => {
      const { lead, here: locationId } = scene
      const groupId = await prepare()
      await forget(groupId)
      await expect(work.as(lead).createGroup({ locationId, groupId, name: 'x' })).rejects.toMatchObject(denied('NotHeld'))
      await work.table.GroupRole.remove({ groupId, roleName: 'r2' })
      await work.as(lead).createGroup({ locationId, groupId, name: 'x' })
    })
  })

  test('is not denied, but told to try again, while a record that might give it the page is damaged', async () => {
    const { lead, here, friend } = scene
    const { groupId } = await work.flows.createGroup({ locationId: here, name: 'more' })
    await work.flows.giveRole({ groupId, roleName: 'r2' })
    await work.flows.joinGroup({ userId: lead, groupId })
    const edge = { PK: `USER#${lead}`, SK: `GROUP#${groupId}` }
    await setLiterally(work.table.runtime, edge, 'joinedAt', 'once')
    const giving = () => work.as(lead).giveRole({ groupId: scene.group, roleName: 'r2' })
    await expect(giving()).rejects.toMatchObject({ code: 'Unavailable', details: { reason: 'MalformedItem' } })
    // The damage does not matter for what the caller holds by other records.
    await work.as(lead).giveRole({ groupId: scene.group, roleName: 'r1' })
    await setLiterally(work.table.runtime, edge, 'joinedAt', '2026-03-01T00:00:00.000Z')
    await giving()
    await work.as(lead).joinGroup({ userId: friend, groupId: scene.group })
  })

  test('is held to the pages that the deployer names', async () => {
    const { lead, here } = scene
    const { offeredRebacFlows } = await import('./flows.ts')
    const own = offeredRebacFlows({ createGroup: 'p2' }).of(work.table, { actor: { kind: 'user', user_id: lead } })
    await expect(own.createGroup({ locationId: here, name: 'x' })).rejects.toMatchObject(denied('NoGrant'))
    await work.flows.setPermission({ roleName: 'lead', pageName: 'p2', permission: 'ALLOW' })
    await own.createGroup({ locationId: here, name: 'x' })
    expect(() => offeredRebacFlows({ createRole: 'p2' } as never)).toThrow('createRole is no flow that needs a page')
    expect(() => offeredRebacFlows({ createGroup: '' })).toThrow('createGroup')
  })
})

describe('a write that was held up is not applied', () => {
  const lost: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    [
      'its caller left the location',
      'NoMembership',
      () => work.table.UserLocationEdge.remove({ userId: scene.lead, locationId: scene.here }),
    ],
    ['its caller left the group', 'NoGroup', () => work.flows.leaveGroup({ userId: scene.lead, groupId: scene.leads })],
    ['the group lost the role', 'NoGrant', () => work.table.GroupRole.remove({ groupId: scene.leads, roleName: 'lead' })],
    [
      'the role denied the page',
      'NoGrant',
      () => work.table.RolePagePermission.update({ roleName: 'lead', pageName: 'manage-group-roles' }, { permission: 'DENY' }),
    ],
    ['its caller was deleted', 'UnknownUser', () => work.flows.deleteUser({ userId: scene.lead })],
  ]
  test.each(lost)('once %s', async (_, reason, change) => {
    work.meanwhile = change
    await expect(work.as(scene.lead).giveRole({ groupId: scene.group, roleName: 'r1' })).rejects.toMatchObject(denied(reason))
    expect(await work.table.GroupRole.get({ groupId: scene.group, roleName: 'r1' })).toBeUndefined()
  })

  test.each([
    ['the caller lost a page that the role allows', () => work.flows.removePermission({ roleName: 'lead', pageName: 'p1' })],
    ['the caller lost it by other means', () => work.table.RolePagePermission.remove({ roleName: 'lead', pageName: 'p1' })],
    ['the role allowed more', () => work.flows.setPermission({ roleName: 'r1', pageName: 'p2', permission: 'ALLOW' })],
  ])('once %s', async (_, change) => {
    work.meanwhile = change
    await expect(work.as(scene.lead).giveRole({ groupId: scene.group, roleName: 'r1' })).rejects.toMatchObject(denied('NotHeld'))
    expect(await work.table.GroupRole.get({ groupId: scene.group, roleName: 'r1' })).toBeUndefined()
  })

  test('once the group got a role that allows more', async () => {
    const { lead, friend, group } = scene
    work.meanwhile = () => work.flows.giveRole({ groupId: group, roleName: 'r2' })
    await expect(work.as(lead).joinGroup({ userId: friend, groupId: group })).rejects.toMatchObject(denied('NotHeld'))
    expect(await work.table.UserGroupEdge.get({ userId: friend, groupId: group })).toBeUndefined()
  })
})

describe('an identity provider', () => {
  const claims = { provider: 'google', subject: 's', email: 'lead@example.org', isEmailVerified: true } as const

  test('signs people in, and does nothing else', async () => {
    const google = work.by({ actor: { kind: 'identity-provider', name: 'google' } })
    expect(await google.signIn(claims)).toMatchObject({ outcome: 'claimed', user: { userId: scene.lead } })
    expect(await google.signIn(claims)).toMatchObject({ outcome: 'known' })
    expect(await google.signIn({ ...claims, subject: 'other', email: 'new@example.org' })).toMatchObject({ outcome: 'created' })
    expect(work.lines().map(({ entity, actor, related }) => [entity, actor, related?.email])).toEqual([
      ['SignInIdentity', { kind: 'identity-provider', name: 'google' }, 'lead@example.org'],
      ['User', { kind: 'identity-provider', name: 'google' }, 'new@example.org'],
    ])
    for (const call of [
      () => google.createUser({ displayName: 'x' }),
      () => google.createGroup({ locationId: scene.here, name: 'x' }),
      () => google.joinGroup({ userId: scene.friend, groupId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
    ])
      await expect(call()).rejects.toMatchObject(denied('SignInOnly'))
  })

  test('speaks for no other provider', async () => {
    const github = work.by({ actor: { kind: 'identity-provider', name: 'github' } })
    await expect(github.signIn(claims)).rejects.toMatchObject(denied('AnotherProvider'))
    const any = work.by({ actor: { kind: 'identity-provider' } })
    await expect(any.signIn({ ...claims, isEmailVerified: false })).rejects.toMatchObject(denied('EmailNotVerified'))
    expect(await any.signIn(claims)).toMatchObject({ outcome: 'claimed' })
  })
})

test('assignMany assigns each row or tells why not, and changes nothing when it is run again', async () => {
  const { friend, group } = scene
  const assignments = [
    { userId: friend, groupId: group },
    { groupId: group, roleName: 'nobody' },
    { groupId: group, roleName: 'r1' },
    { roleName: 'r1', pageName: 'p2', permission: 'DENY' as const },
    { roleName: 'r1', pageName: 'nowhere' },
    { userId: friend, roleName: 'r1' },
  ]
  const expected = {
    rows: 6,
    done: 3,
    failed: 3,
    failures: [
      { row: 2, code: 'MissingEnd' },
      { row: 5, code: 'NotFound' },
      { row: 6, code: 'InvalidInput' },
    ],
  }
  expect(await work.flows.assignMany({ assignments })).toMatchObject(expected)
  expect(work.lines().map(({ entity, scope }) => [entity, scope])).toEqual([
    ['UserGroupEdge', { locationId: scene.here }],
    ['GroupRole', { locationId: scene.here }],
    ['RolePagePermission', undefined],
  ])
  expect(await work.flows.assignMany({ assignments })).toMatchObject(expected)
  expect(work.lines()).toEqual([])
})
