import type { Decider } from '@freehold/frame/decision'
import { connect } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { engineSender, ownTableOf } from '../../test/own-table.ts'
import * as as from '../../test/platform-items.ts'
import { adaEdits, adaOfAcme } from '../../test/platform-organisation.ts'
import { decidePlatform, type PlatformDecider } from './decide.ts'
import { platform } from './design.ts'

const table = await ownTableOf(platform)
const { table: name } = table.runtime
await restoreItems(table.runtime, [
  ...adaOfAcme,
  as.role('auditor'),
  ...as.permission('auditor', 'audit', { canView: true }),
  ...as.groupRole('staff', 'auditor', 'acme'),
  as.account('rival'),
  as.workstream('rival', 'research'),
  ...as.user('rival', 'eve', 'eve@example.org'),
  ...as.inWorkstream('rival', 'eve', 'research'),
  as.group('others', 'rival'),
  as.accountGroup('others', 'rival'),
  ...as.member('others', 'eve', 'rival'),
  ...as.groupRole('others', 'auditor', 'rival'),
  as.role('boss', 'rival'),
  ...as.groupRole('others', 'boss', 'rival'),
  ...as.permission('boss', 'dashboard', { canEdit: true, accountId: 'rival' }),
])
const ofTenant = (tenant: string) => decidePlatform(connect(platform, { table: name, sender: engineSender(), tenant }).runtime)
const operator = decidePlatform(table.runtime)
const acme = ofTenant('acme')
const rival = ofTenant('rival')

const evesEdit = { ...adaEdits, user: 'eve', account: 'rival' }
const ask = async (decider: Decider, { user, menu, action, ...place }: typeof adaEdits | typeof evesEdit) => ({
  can: await decider.can({ user, ...place, menu, action }),
  what: await decider.what({ user, ...place }),
  who: await decider.who({ ...place, menu, action }),
  where: await decider.where({ user, menu, action }, { expand: true }),
})

describe.each(['bounded', 'strong'] as const)('asked for one account, %s', (consistency) => {
  test('answers of it are those that an operator gets', async () => {
    const expected = await ask(operator, adaEdits)
    expect(expected).toMatchObject({ can: { allowed: true }, what: { items: [{}, {}] }, who: { items: [{}] }, where: { items: [{}, {}] } })
    expect(await ask(acme, adaEdits)).toEqual(expected)
    expect(await ask(rival, evesEdit)).toEqual(await ask(operator, evesEdit))
  })

  test('another account, and its users by id and address, are unknown, as those that there are not', async () => {
    const codeOf = async (question: object) => (await acme.can({ ...adaEdits, ...question }, { consistency })).reason?.code
    expect(await codeOf({ user: 'eve', account: 'rival' })).toBe('UnknownUser')
    expect(await codeOf({ user: 'eve@example.org' })).toBe('UnknownUser')
    expect(await codeOf({ account: 'rival' })).toBe('UnknownAccount')
    const { can, what, who, where } = await ask(acme, evesEdit)
    const nobody = await ask(acme, { ...evesEdit, user: 'nobody' as 'eve', account: 'nowhere' as 'rival' })
    expect([can, what, where].map(({ reason }) => reason?.code)).toEqual(['UnknownUser', 'UnknownUser', 'UnknownUser'])
    expect(who).toMatchObject({ items: [], reason: { code: 'UnknownAccount' } })
    expect([can, what, who, where].map(({ reason }) => reason?.code)).toEqual(
      [nobody.can, nobody.what, nobody.who, nobody.where].map(({ reason }) => reason?.code),
    )
  })

  test('an unscoped role is of every account, and lists no user of another', async () => {
    const whoViews = (decider: PlatformDecider, account: string) =>
      decider.who({ account, menu: 'audit', action: 'view' }, { consistency }).then(({ items }) => items.map(({ userId }) => userId))
    expect(await whoViews(acme, 'acme')).toEqual(['ada'])
    expect(await whoViews(rival, 'rival')).toEqual(['eve'])
    expect(await whoViews(operator, 'acme')).toEqual(['ada'])
    expect(await whoViews(acme, 'rival')).toEqual([])
  })

  test('a cursor of one account is refused for another', async () => {
    const { cursor } = await acme.where({ user: 'ada', menu: 'audit', action: 'view' }, { expand: true, limit: 1 })
    expect(cursor).toBeDefined()
    const again = { expand: true, limit: 1, cursor }
    await expect(rival.where({ user: 'ada', menu: 'audit', action: 'view' }, again)).rejects.toMatchObject({ code: 'InvalidCursor' })
    await expect(acme.where({ user: 'eve', menu: 'audit', action: 'view' }, again)).rejects.toMatchObject({ code: 'InvalidCursor' })
  })
})
