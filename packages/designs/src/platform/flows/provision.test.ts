import { unknownOutcome } from '@freehold/frame/mail'
import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { dyingSender } from '../../../test/dying-sender.ts'
import { engineSender } from '../../../test/own-table.ts'
import { type PlatformWork, platformWork } from '../../../test/platform-flows.ts'
import { type RecordedMails, recordedMails } from '../../../test/recorded-mails.ts'
import { wholeTable } from '../../../test/whole-table.ts'

let mails: RecordedMails
let work: PlatformWork
beforeEach(async () => {
  mails = recordedMails()
  work = await platformWork({ mailing: mails })
  await work.flows.createEnterprise({ id: 'e1', name: 'Works' })
})

const asked = {
  accountId: 'acc-1',
  name: 'Harbour Ltd',
  addresses: [
    { line1: 'Pier 1', city: 'Bremen', country: 'DE', isPrimary: true },
    { line1: 'Pier 2', city: 'Kiel', country: 'DE' },
  ],
  technicalUser: { email: 'tech@harbour.example', firstName: 'Tea', lastName: 'Ch' },
  licenses: [{ enterpriseId: 'e1', seats: 10, endDate: '2099-12-31' }],
  menus: ['dashboard', 'users'],
}
const steps = [
  'account',
  'address 1',
  'address 2',
  'user',
  'technical user',
  'licence 1',
  'workstream',
  'technical role',
  'technical group',
  'credentials',
]
const outcomesOf = ({ steps: all }: { readonly steps: readonly { readonly step: string; readonly outcome: string }[] }) =>
  all.map(({ step, outcome }) => [step, outcome])
/** The items of an account, without the record of how they came about. */
const made = async ({ table }: PlatformWork, accountId: string) =>
  (await wholeTable(table))
    .filter(
      (item) => JSON.stringify(item).includes(accountId) && !['Change', 'ActorChange', 'Job', 'Provisioning'].includes(String(item.Type)),
    )
    .map(({ PK, SK }) => `${PK} ${SK}`.replace(/NOTIFICATION_AUDIT#.*/, 'NOTIFICATION_AUDIT').replaceAll(accountId, 'the account'))
    .filter((place) => !place.startsWith('USER_EMAIL'))
    .sort()

describe('provisioning', () => {
  test('makes all that an account needs to begin, and a second time nothing', async () => {
    expect(outcomesOf(await work.flows.provisionAccount(asked))).toEqual(steps.map((step) => [step, 'done']))
    expect(mails.sent.map(({ to }) => to.address)).toEqual(['tech@harbour.example'])
    const user = 'acc-1.technical'
    for (const [menu, action, allowed] of [
      ['dashboard', 'view', true],
      ['dashboard', 'edit', false],
      ['settings', 'view', false],
    ] as const)
      expect((await work.decide({ user, account: 'acc-1', menu, action })).allowed).toBe(allowed)
    const before = await wholeTable(work.table)
    expect(outcomesOf(await work.flows.provisionAccount(asked))).toEqual(steps.map((step) => [step, 'done before']))
    expect(mails.sent).toHaveLength(1)
    const others = (items: typeof before) => items.filter(({ Type }) => Type !== 'Provisioning' && Type !== 'Job')
    expect(others(await wholeTable(work.table))).toEqual(others(before))
    expect(await work.flows.provisioningReport({ accountId: 'acc-1' })).toMatchObject({ accountId: 'acc-1' })
  })

  test('with other input overwrites nothing and says so', async () => {
    await work.flows.provisionAccount(asked)
    const other = {
      ...asked,
      technicalUser: { ...asked.technicalUser, lastName: 'Other' },
      licenses: [{ enterpriseId: 'e1', seats: 99, endDate: '2099-12-31' }],
    }
    const report = await work.flows.provisionAccount(other)
    expect(report.steps.filter(({ outcome }) => outcome !== 'done before')).toEqual([
      { step: 'user', outcome: 'differs', reason: 'lastName of User acc-1.technical' },
      { step: 'licence 1', outcome: 'differs', reason: 'seats of License acc-1 acc-1.license-1' },
    ])
    expect((await work.table.License.get({ accountId: 'acc-1', id: 'acc-1.license-1' }))?.seats).toBe(10)
    await expect(work.flows.provisionAccount({ ...asked, name: 'Another' })).rejects.toMatchObject({ code: 'AlreadyExists' })
  })

  test('goes on after a step that fails, and says why; a repeat does what was left', async () => {
    mails.next = 'refused'
    const broken = { ...asked, licenses: [{ enterpriseId: 'e2', seats: 1, endDate: '2099-12-31' }] }
    const report = await work.flows.provisionAccount(broken)
    expect(report.steps.filter(({ outcome }) => outcome !== 'done')).toEqual([
      { step: 'licence 1', outcome: 'failed', reason: expect.stringContaining('Enterprise with id "e2"') },
      { step: 'credentials', outcome: 'failed', reason: '550 no such mailbox' },
    ])
    await work.flows.createEnterprise({ id: 'e2', name: 'More works' })
    expect(outcomesOf(await work.flows.provisionAccount(broken)).filter(([, outcome]) => outcome !== 'done before')).toEqual([
      ['licence 1', 'done'],
    ])
  })

  test('killed at each write and run again ends with one of each thing, and at most one mail', async () => {
    let minutes = 0
    const clock = () => new Date(Date.now() + minutes * 60_000)
    const live = await platformWork({ table: work.table.runtime.table, mailing: mails, now: clock })
    await live.flows.provisionAccount(asked)
    const whole = await made(live, 'acc-1')
    const outcomes = new Set<string>()
    for (let writes = 0, isDead = true; isDead; writes++) {
      expect(writes).toBeLessThan(100)
      const own = {
        ...asked,
        accountId: `killed-${writes}`,
        technicalUser: { ...asked.technicalUser, email: `tech${writes}@harbour.example` },
      }
      mails.sent.splice(0)
      const dying = dyingSender(engineSender(), writes)
      const doomed = await platformWork({
        table: live.table.runtime.table,
        mailing: mails,
        now: clock,
        sender: dying.sender,
        patience_ms: 0,
      })
      await doomed.flows.provisionAccount(own).catch(() => undefined)
      isDead = dying.isDead()
      // Its lease holds no more.
      minutes++
      await live.table.jobs.resume()
      await live.flows.provisionAccount(own)
      expect(await made(live, own.accountId)).toEqual(whole)
      const { items } = await live.flows.notifications({ accountId: own.accountId })
      expect(items).toHaveLength(1)
      expect(mails.sent.length).toBe(items[0]?.deliveryStatus === 'sent' ? 1 : mails.sent.length)
      expect(mails.sent.length).toBeLessThanOrEqual(1)
      outcomes.add(`${items[0]?.deliveryStatus} ${mails.sent.length}`)
    }
    expect([...outcomes].sort()).toEqual(['failed 0', 'sent 1'])
  })

  test('killed between the mail and its audit tells that nobody knows, and sends no second mail', async () => {
    let isDead = false
    const mortal = senderAfter(() => {
      if (isDead) throw new Error('this process has ended')
    })
    mails.onSent = () => {
      isDead = true
    }
    const doomed = await platformWork({ table: work.table.runtime.table, mailing: mails, sender: mortal, patience_ms: 0 })
    await expect(doomed.flows.provisionAccount(asked)).rejects.toMatchObject({ code: 'Pending' })
    const later = await platformWork({ table: work.table.runtime.table, mailing: mails, now: () => new Date(Date.now() + 60_000) })
    await later.table.jobs.resume()
    await later.flows.provisionAccount(asked)
    expect(mails.sent).toHaveLength(1)
    const { items } = await later.flows.notifications({ accountId: 'acc-1' })
    expect(items.map(({ deliveryStatus, errorMessage }) => [deliveryStatus, errorMessage])).toEqual([['failed', unknownOutcome]])
  })
})
