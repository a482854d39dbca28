import type { Stored } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { mentions, wholeTable } from '../../test/whole-table.ts'
import { platform } from './design.ts'

const table = await ownTableOf(platform)

/** Two accounts of one enterprise, each with one of everything; ids begin with the name. */
async function enterprise(name: string) {
  const id = (what: string) => `${name}.${what}`
  await table.Enterprise.create({ id: id('ent'), name: 'Nova' })
  await table.Product.create({ id: id('prd'), name: 'Lens' })
  await table.Service.create({ id: id('srv'), name: 'Support' })
  await table.EnterpriseProduct.create({ enterpriseId: id('ent'), productId: id('prd') })
  await table.EnterpriseService.create({ enterpriseId: id('ent'), serviceId: id('srv') })
  for (const accountId of [id('a'), id('b')]) {
    const of = (what: string) => `${accountId}.${what}`
    await table.Account.create({ id: accountId, name: 'Acme' })
    await table.AccountAddress.create({ id: of('adr'), accountId, line1: '1 High Street', city: 'York', country: 'GB' })
    await table.TechnicalUser.create({ id: of('usr'), accountId, name: 'Ada', email: `${of('usr')}@example.org` })
    await table.User.create({ id: of('usr'), accountId, email: `${of('usr')}@example.org`, firstName: 'Ada', lastName: 'Byron' })
    await table.User.create({ id: of('mir'), accountId, email: `${of('mir')}@example.org`, firstName: 'Bob', lastName: 'Byron' })
    await table.TechnicalUser.create({ id: of('mir'), userId: of('mir'), accountId, name: 'Bob', email: `${of('mir')}@example.org` })
    await table.License.create({ id: of('lic'), accountId, enterpriseId: id('ent'), endDate: '2026-12-31', seats: 5 })
    await table.Workstream.create({ id: of('ws'), accountId, enterpriseId: id('ent'), name: 'Research' })
    await table.Workstream.create({ id: of('own'), accountId, name: 'Own' })
    await table.WorkstreamTool.create({ id: of('tool'), accountId, workstreamId: of('ws'), name: 'Lens' })
    await table.UserWorkstream.create({ userId: of('usr'), workstreamId: of('ws'), accountId })
    await table.LicenseSeat.create({ licenseId: of('lic'), userId: of('usr'), accountId })
    await table.SignInIdentity.create({ provider: 'google', subject: of('usr'), userId: of('usr') })
    await table.Role.create({ id: of('role'), accountId, name: 'Viewer' })
    await table.RolePermission.create({ roleId: of('role'), menuKey: 'dashboard', canView: true })
    await table.Group.create({ id: of('grp'), accountId, name: 'Staff' })
    await table.GroupMember.create({ groupId: of('grp'), userId: of('usr') })
    await table.GroupRole.create({ groupId: of('grp'), roleId: of('role') })
    await table.Provisioning.create({ accountId, job: 'job', steps: [] })
    const [notificationType, state, sendingSince] = ['license_expiry', 'sending', '2026-01-01T00:00:00Z'] as const
    const intent = { accountId, notificationType, state, sendingSince, attempt: 'att', occasion: '2026-12-31.30' }
    await table.NotificationIntent.create({ ...intent, subjectId: 'licence' })
    const audit = { notificationType: 'credentials', recipientEmail: `${of('usr')}@example.org`, deliveryStatus: 'sent' } as const
    await table.NotificationAudit.create({ ...audit, id: of('aud'), accountId, userId: of('usr') })
  }
  return { id, of: (what: string) => `${name}.a.${what}` }
}

/** Whether an item names this id: as a whole segment of a key or a whole attribute. */
function names(item: Stored, id: string): boolean {
  return Object.values(item).some((value) => typeof value === 'string' && value.split('#').includes(id))
}

describe('removing', () => {
  type Names = Awaited<ReturnType<typeof enterprise>>
  const accountId = ({ id }: Names) => id('a')
  test.each<[string, (names: Names) => readonly string[], (names: Names) => Promise<unknown>]>([
    ['User', ({ of }) => [of('usr')], ({ of }) => table.User.remove({ id: of('usr') })],
    ['Role', ({ of }) => [of('role')], ({ of }) => table.Role.remove({ id: of('role') })],
    ['Group', ({ of }) => [of('grp')], ({ of }) => table.Group.remove({ id: of('grp') })],
    [
      'Workstream',
      ({ of }) => [of('ws'), of('tool')],
      (each) => table.Workstream.remove({ accountId: accountId(each), id: each.of('ws') }),
    ],
    ['License', ({ of }) => [of('lic')], (each) => table.License.remove({ accountId: accountId(each), id: each.of('lic') })],
  ])('a %s leaves nothing that names it but audits and the technical user, and everything else as it was', async (kind, gone, remove) => {
    const each = await enterprise(`one-${kind.toLowerCase()}`)
    const before = await wholeTable(table)
    const kept = ['NotificationAudit', 'TechnicalUser']
    const goes = (item: Stored) => !kept.includes(String(item.Type)) && gone(each).some((id) => names(item, id))
    expect(before.filter(goes).length).toBeGreaterThan(gone(each).length)
    await remove(each)
    const after = await wholeTable(table)
    expect(after).toEqual(expect.arrayContaining(before.filter((item) => !goes(item))))
    expect(after).toHaveLength(before.filter((item) => !goes(item)).length)
  })

  test('a user takes the technical user that mirrors it', async () => {
    const { of, id } = await enterprise('mirrored')
    await table.User.remove({ id: of('mir') })
    expect(await mentions(table, of('mir'))).toEqual([])
    const named = { accountId: id('a'), name: 'Eve', email: 'eve@example.org' }
    for (const userId of [of('mir'), `${id('b')}.usr`])
      await expect(table.TechnicalUser.create({ ...named, id: userId, userId })).rejects.toMatchObject({ code: 'MissingEnd' })
  })

  test('an account takes all that is its own, and leaves audits, enterprises, products and the other accounts', async () => {
    const { id, of } = await enterprise('whole')
    const before = await wholeTable(table)
    await table.Account.remove({ id: id('a') })
    const after = await wholeTable(table)
    const goes = (item: Stored) => item.Type !== 'NotificationAudit' && JSON.stringify(item).includes('whole.a')
    const others = [
      'Enterprise',
      'EnterpriseProduct',
      'EnterpriseService',
      'Product',
      'ProductUse',
      'Service',
      'ServiceUse',
      'NotificationAudit',
      'Change',
      'ActorChange',
    ]
    const kinds = Object.keys(platform.entities).filter((kind) => !others.includes(kind))
    expect([...new Set(before.filter(goes).map(({ Type }) => Type))].sort()).toEqual(kinds.sort())
    expect(after).toEqual(expect.arrayContaining(before.filter((item) => !goes(item))))
    expect(after).toHaveLength(before.filter((item) => !goes(item)).length)
    expect(await mentions(table, 'whole.a')).toEqual([`NOTIFICATION_AUDIT#${of('aud')} / METADATA`])
    expect((await table.notificationsOfAccount({ accountId: id('a') })).items).toMatchObject([{ id: of('aud'), userId: of('usr') }])
    expect(await table.jobs.list()).toEqual([])
    await table.User.create({ accountId: id('b'), email: `${of('usr')}@example.org`, firstName: 'Ada', lastName: 'Byron' })
  })
})

describe('in use', () => {
  test('a product or service is not removed, and is as before; once no enterprise has it, it goes', async () => {
    const { id } = await enterprise('used')
    const [product, service] = [await table.Product.get({ id: id('prd') }), await table.Service.get({ id: id('srv') })]
    await expect(table.Product.remove({ id: id('prd') })).rejects.toMatchObject({ code: 'InUse' })
    await expect(table.Service.remove({ id: id('srv') })).rejects.toMatchObject({ code: 'InUse' })
    // It was marked, looked at, and unmarked.
    expect(await table.Product.get({ id: id('prd') })).toEqual({ ...product, version: 3 })
    expect(await table.Service.get({ id: id('srv') })).toEqual({ ...service, version: 3 })
    await table.EnterpriseProduct.remove({ enterpriseId: id('ent'), productId: id('prd') })
    await table.EnterpriseService.remove({ enterpriseId: id('ent'), serviceId: id('srv') })
    await table.Product.remove({ id: id('prd') })
    await table.Service.remove({ id: id('srv') })
    expect([...(await mentions(table, id('prd'))), ...(await mentions(table, id('srv')))]).toEqual([])
  })

  test.each(['a license', 'a workstream'])(
    'an enterprise is not removed while an account has %s of it; then it goes with its products',
    async (last) => {
      const { id } = await enterprise(`kept-by-${last.slice(2)}`)
      const steps = [
        (accountId: string) => table.License.remove({ accountId, id: `${accountId}.lic` }),
        // A workstream may leave its enterprise, and be of none.
        (accountId: string) => table.Workstream.update({ accountId, id: `${accountId}.ws` }, { enterpriseId: null }),
      ]
      for (const leave of last === 'a license' ? steps.reverse() : steps) {
        for (const account of ['a', 'b']) {
          await expect(table.Enterprise.remove({ id: id('ent') })).rejects.toMatchObject({ code: 'InUse' })
          await leave(id(account))
        }
      }
      await table.Enterprise.remove({ id: id('ent') })
      expect(await mentions(table, id('ent'))).toEqual([])
      await table.Product.remove({ id: id('prd') })
    },
  )
})

describe('items that may not be written', () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['a second user of an e-mail address', 'AlreadyExists', () => user({ email: 'FIRST@example.org' })],
    ['a user of no account', 'MissingEnd', () => user({ accountId: 'none' })],
    ['an audit that was written', 'Immutable', () => table.NotificationAudit.update({ id: 'kept' }, { deliveryStatus: 'failed' })],
    ['an audit that goes', 'Immutable', () => table.NotificationAudit.remove({ id: 'kept' })],
    ['the account of a user', 'InvalidInput', () => table.User.update({ id: 'first' }, { accountId: 'other' })],
    ['a role of a menu alone', 'DerivedItem', () => table.repositoryNamed('MenuRole').create({ menuKey: 'users', roleId: 'r-1' })],
    ['the e-mail address of a user alone', 'DerivedItem', () => table.repositoryNamed('UserEmail').remove({ email: 'first@example.org' })],
    [
      'a tool of a workstream of another account',
      'MissingEnd',
      () => table.WorkstreamTool.create({ accountId: 'other', workstreamId: 'first', name: 'Lens' }),
    ],
    [
      'a seat of a license of another account',
      'MissingEnd',
      () => table.LicenseSeat.create({ accountId: 'other', licenseId: 'first', userId: 'first' }),
    ],
    ['an id with the delimiter', 'InvalidInput', () => table.Account.create({ id: 'a#USERS', name: 'Acme' })],
  ])('%s: %s', async (_, code, write) => {
    await expect(write()).rejects.toMatchObject({ code })
  })

  const user = (given: { email?: string; accountId?: string }) =>
    table.User.create({ accountId: 'mine', email: 'second@example.org', firstName: 'Ada', lastName: 'Byron', ...given })

  beforeAll(async () => {
    for (const id of ['mine', 'other']) await table.Account.create({ id, name: 'Acme' })
    await table.User.create({ id: 'first', accountId: 'mine', email: 'first@example.org', firstName: 'Ada', lastName: 'Byron' })
    await table.Workstream.create({ id: 'first', accountId: 'mine', name: 'Research' })
    await table.Enterprise.create({ id: 'mine', name: 'Nova' })
    await table.License.create({ id: 'first', accountId: 'mine', enterpriseId: 'mine', endDate: '2026-12-31', seats: 1 })
    const audit = { id: 'kept', notificationType: 'credentials', recipientEmail: 'first@example.org', deliveryStatus: 'sent' } as const
    await table.NotificationAudit.create(audit)
  })
})
