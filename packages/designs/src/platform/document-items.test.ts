import { describe, expect, test } from 'vitest'
import { entityOf, foreignTable, itemsOf, putItems } from '../../test/documents/written.ts'
import { type PlatformWork, platformWork } from '../../test/platform-flows.ts'
import { decidePlatform, type PlatformAccessQuestion } from './decide.ts'
import { platform } from './design.ts'
import { offeredPlatformFlows } from './flows/flows.ts'

const items = itemsOf('platform')
const [account, user, group, role, menu] = ['acc-1', 'usr-1', 'grp-1', 'rol-1', 'dashboard'] as const

type Change = Readonly<Record<string, unknown>>
const written = (changes: Readonly<Record<string, Change | undefined>> = {}) =>
  Object.entries(items).flatMap(([name, item]) => (name in changes && changes[name] === undefined ? [] : [{ ...item, ...changes[name] }]))

async function filled(changes?: Parameters<typeof written>[0]): Promise<PlatformWork> {
  const work = await platformWork()
  await putItems(work.table.runtime.table, written(changes))
  return work
}

/** The user is in the group, which has the role: additions, which no other program writes. */
async function granted(changes?: Parameters<typeof written>[0]): Promise<PlatformWork> {
  const work = await filled(changes)
  await work.flows.setGroupAccount({ id: group, accountId: account })
  await work.flows.giveRole({ groupId: group, roleId: role })
  await work.flows.addToGroup({ groupId: group, userId: user })
  return work
}

const denied = (code: string) => ({ allowed: false, reason: { code } })
const canView = { RolePermission: { canView: true } }
const question = { user, account, menu, action: 'view' } as const

describe('what has keys alone', () => {
  test('denies by policy, and nothing is malformed', async () => {
    const { table } = await filled()
    const decider = decidePlatform(table.runtime)
    expect(await decider.can(question)).toMatchObject(denied('NoGroup'))
    expect((await decider.why(question)).missing).toMatchObject([{ step: 'group membership', state: 'missing' }])
    expect(await decider.what({ user, account })).toEqual({ items: [] })
    expect(await decider.can({ ...question, user: 'usr-2' })).toMatchObject(denied('UserInactive'))
    expect(await decider.can({ ...question, workstream: 'none' })).toMatchObject(denied('UnknownWorkstream'))
  })

  test('grants by its groups, once an operator has given them their account', async () => {
    const work = await filled(canView)
    await work.flows.giveRole({ groupId: group, roleId: role })
    await work.flows.addToGroup({ groupId: group, userId: user })
    expect(await work.decide(question)).toMatchObject(denied('NoGroup'))
    await expect(work.as(user).setGroupAccount({ id: group, accountId: account })).rejects.toMatchObject({ code: 'Denied' })
    expect(await work.flows.setGroupAccount({ id: group, accountId: account })).toMatchObject({ accountId: account, version: 2 })
    expect(await work.decide(question)).toEqual({ allowed: true })
    await expect(work.flows.setGroupAccount({ id: group, accountId: 'other' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test.each<[string, Parameters<typeof written>[0], PlatformAccessQuestion, object]>([
    ['flags that are not there allow nothing', {}, question, denied('NoGrant')],
    ['a flag that is there allows', canView, question, { allowed: true }],
    ['in a workstream of the user', canView, { ...question, workstream: 'ws-1' }, { allowed: true }],
    [
      'in a workstream that the user is not in',
      { ...canView, UserWorkstream: undefined },
      { ...question, workstream: 'ws-1' },
      denied('NoMembership'),
    ],
    ['a suspended account', { ...canView, Account: { status: 'suspended' } }, question, denied('AccountSuspended')],
    ['a user past its end, which GSI3 tells', { ...canView, User: { GSI3SK: '2025-01-01#usr-1' } }, question, denied('UserInactive')],
    ['a user without an end', { ...canView, User: { GSI3SK: '9999-12-31#usr-1' } }, question, { allowed: true }],
    ['a user in no index of a status', { ...canView, User: { GSI3PK: undefined, GSI3SK: undefined } }, question, denied('UserInactive')],
    ['a permission of another account', { RolePermission: { canView: true, accountId: 'other' } }, question, denied('NoGrant')],
    ['an attribute that contradicts its index key', { ...canView, User: { status: 'inactive' } }, question, denied('MalformedItem')],
    ['a Type that contradicts the keys', { ...canView, Account: { Type: 'User' } }, question, denied('MalformedItem')],
    ['an unknown attribute of an odd kind', { ...canView, User: { photo: new Uint8Array([1]) } }, question, { allowed: true }],
  ])('%s', async (_, changes, asked, answer) => {
    const { table } = await granted(changes)
    expect(await decidePlatform(table.runtime).can(asked)).toMatchObject(answer)
    expect(await decidePlatform(table.forTenant(account).runtime).can(asked)).toMatchObject(answer)
    expect(await decidePlatform(table.forTenant('other').runtime).can(asked)).toMatchObject({ allowed: false })
  })

  test('no index leads from an e-mail address to a user: the answer says what to do', async () => {
    const table = await foreignTable(platform, Object.values(items))
    const { reason } = await decidePlatform(table.runtime).can({ ...question, user: 'ada@example.org' })
    expect(reason).toMatchObject({
      code: 'UnknownUser',
      message: expect.stringMatching(/not adopted.*ask by id, or run `freehold adopt platform`/),
    })
    await expect(offeredPlatformFlows().actorNamed(table, 'ada@example.org')).rejects.toMatchObject({ code: 'NotAdopted' })
  })

  test('a licence entitles as the document says, and gives no seat until a number is set', async () => {
    const { flows, table } = await filled()
    const of = { accountId: account, enterpriseId: 'ent-1' }
    expect(await flows.licenseCapacity(of)).toEqual({ seats: 0, used: 0, free: 0 })
    const seat = { accountId: account, licenseId: 'lic-1', userId: user }
    await expect(flows.assignSeat(seat)).rejects.toMatchObject({ code: 'CheckFailed', details: { reason: 'SeatLimitExceeded' } })
    expect(await flows.changeSeats({ accountId: account, id: 'lic-1', seats: 1 })).toMatchObject({
      seats: 1,
      seatsUsed: 0,
      endDate: '2099-03-15',
    })
    await flows.assignSeat(seat)
    expect(await flows.licenseCapacity(of)).toEqual({ seats: 1, used: 1, free: 0 })
    expect((await table.expiredLicenses({})).items.map(({ id }) => id)).toEqual(['lic-2'])
    expect((await flows.licensesExpiring({ days: 36_500 })).items.map(({ id }) => id)).toEqual(['lic-1'])
  })

  test('is listed by account', async () => {
    const { table, flows } = await filled()
    const types = async (page: Promise<{ readonly items: readonly { readonly Type: string }[]; readonly malformed?: unknown }>) => {
      const { items: found, malformed } = await page
      expect(malformed).toBeUndefined()
      return found.map(({ Type }) => Type).sort()
    }
    expect(await types(table.accountWithAll({ accountId: account }))).toEqual([
      'Account',
      'AccountAddress',
      'License',
      'License',
      'TechnicalUser',
      'Workstream',
    ])
    expect(await types(table.usersOfAccount({ accountId: account }))).toEqual(['User', 'User'])
    expect((await flows.inactiveUsers({})).items.map(({ id }) => id)).toEqual(['usr-2'])
    expect(await types(table.notificationsOfAccount({ accountId: account }))).toEqual(['NotificationAudit', 'NotificationAudit'])
    // No tenant sees what does not say whose it is, and would be another's.
    const other = table.forTenant('other')
    expect(await types(other.roleWithPermissions({ roleId: role }))).toEqual([])
    expect(Object.keys(items).map(entityOf)).toContain('RolePermission')
  })
})
