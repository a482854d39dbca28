import { attemptMax_ms, unknownOutcome } from '@freehold/frame/mail'
import { beforeEach, describe, expect, test } from 'vitest'
import { platformWork } from '../../../test/platform-flows.ts'
import { recordedMails } from '../../../test/recorded-mails.ts'
import { wholeTable } from '../../../test/whole-table.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const mails = recordedMails()
const work = await platformWork({ mailing: mails, now: () => new Date(now) })

let count = 0
let accountId: string
let userId: string
const user = async (id: string, more: object = {}) =>
  (await work.flows.createUser({ accountId, id, email: `${id}@example.org`, firstName: 'Ada <b>', lastName: 'King', ...more })).id
beforeEach(async () => {
  mails.sent.splice(0)
  accountId = (await work.flows.createAccount({ id: `a${++count}`, name: 'Löwe & Söhne' })).id
  userId = await user(`u${count}`)
})
const audits = async () => (await work.flows.notifications({ accountId })).items
const outcomes = async () =>
  (await audits()).map(({ deliveryStatus, errorMessage, skipReason }) => [deliveryStatus, errorMessage ?? skipReason])

describe('credentials', () => {
  test('go out once, with a link and without a secret in table or log; the audit has every attribute', async () => {
    const first = await work.flows.sendCredentials({ userId })
    expect(first).toEqual({ outcome: 'sent', auditId: expect.any(String) })
    expect(await work.flows.sendCredentials({ userId })).toEqual({ outcome: 'passed', reason: 'sent before' })
    const [mail, ...others] = mails.sent
    expect(others).toEqual([])
    expect(mail?.to).toEqual({ address: `${userId}@example.org`, name: 'Ada <b> King' })
    expect(mail?.subject).toBe('Your account at Löwe & Söhne')
    expect(mail?.html).toContain('Hello Ada &lt;b&gt;,')
    expect(mail?.html).toContain(`href="https://portal.example/welcome?secret-of=${userId}"`)
    expect(mail?.text).toContain(`\nhttps://portal.example/welcome?secret-of=${userId}\n`)
    expect(await audits()).toEqual([
      {
        Type: 'NotificationAudit',
        version: 1,
        id: first.auditId,
        notificationType: 'credentials',
        recipientEmail: `${userId}@example.org`,
        recipientFirstName: 'Ada <b>',
        recipientLastName: 'King',
        accountId,
        accountName: 'Löwe & Söhne',
        userId,
        deliveryStatus: 'sent',
        sesMessageId: `<${first.auditId}@portal.example>`,
        senderEmail: 'no-reply@portal.example',
        subject: mail?.subject,
        sentAt: new Date(now).toISOString(),
        createdAt: new Date(now).toISOString(),
        metadata: { subjectId: userId, occasion: 'once' },
      },
    ])
    expect(JSON.stringify(await wholeTable(work.table))).not.toContain('secret-of')
    expect(JSON.stringify(work.lines())).not.toContain('secret-of')
  })

  test('of fifty who ask at once, one sends', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => work.flows.sendCredentials({ userId })))
    expect(all.filter(({ outcome }) => outcome === 'sent')).toHaveLength(1)
    expect(all.filter(({ outcome }) => outcome === 'passed')).toHaveLength(49)
    expect(mails.sent).toHaveLength(1)
  })

  test('that were refused are sent again when somebody asks, and then no more', async () => {
    mails.next = 'refused'
    const failed = await work.flows.sendCredentials({ userId })
    expect(failed).toMatchObject({ outcome: 'failed', reason: '550 no such mailbox' })
    expect(await work.flows.sendCredentials({ userId })).toEqual({ outcome: 'passed', reason: 'failed before' })
    expect(mails.sent).toEqual([])
    now += 1000
    expect(await work.flows.resendNotification({ auditId: failed.auditId ?? '' })).toMatchObject({ outcome: 'sent' })
    now += 1000
    expect(await work.flows.resendNotification({ auditId: failed.auditId ?? '' })).toMatchObject({
      outcome: 'skipped',
      reason: 'sent before',
    })
    expect(mails.sent).toHaveLength(1)
    expect(await outcomes()).toEqual([
      ['skipped', 'sent before'],
      ['sent', undefined],
      ['failed', '550 no such mailbox'],
    ])
  })

  test('whose answer was lost are one failed audit, and are not sent again by themselves', async () => {
    mails.next = 'unanswered'
    const lost = await work.flows.sendCredentials({ userId })
    expect(lost).toMatchObject({ outcome: 'failed', reason: unknownOutcome })
    expect(await work.flows.sendCredentials({ userId })).toEqual({ outcome: 'passed', reason: 'unknown before' })
    await work.flows.sweep({})
    expect(mails.sent).toHaveLength(1)
    expect(await outcomes()).toEqual([['failed', unknownOutcome]])
  })

  test('of who may not have them are skipped, with the reason; they can be sent later', async () => {
    await work.flows.deactivateUser({ id: userId })
    const skipped = await work.flows.sendCredentials({ userId })
    expect(skipped).toMatchObject({ outcome: 'skipped', reason: 'the user is inactive' })
    await work.flows.reactivateUser({ id: userId })
    await work.flows.suspendAccount({ id: accountId })
    now += 1000
    const again = await work.flows.resendNotification({ auditId: skipped.auditId ?? '' })
    expect(again).toMatchObject({ outcome: 'skipped', reason: 'the account is not active' })
    await work.flows.activateAccount({ id: accountId })
    expect(await work.flows.resendNotification({ auditId: again.auditId ?? '' })).toMatchObject({ outcome: 'sent' })
  })

  test('whose link cannot be made, or whose audit cannot be written, fail no flow', async () => {
    const { credentialLink } = mails
    Object.assign(mails, { credentialLink: () => Promise.reject(new Error('s3cret')) })
    expect(await work.flows.sendCredentials({ userId })).toMatchObject({
      outcome: 'failed',
      reason: 'The link for credentials could not be made.',
    })
    Object.assign(mails, { credentialLink })
    const other = await user(`other${count}`)
    mails.onSent = () => {
      work.meanwhile = async () => {
        throw Object.assign(new Error('full'), { name: 'ValidationException', $metadata: { httpStatusCode: 400 } })
      }
    }
    expect(await work.flows.sendCredentials({ userId: other })).toMatchObject({ outcome: 'sent' })
    mails.onSent = undefined
    expect(await outcomes()).toEqual([['failed', 'The link for credentials could not be made.']])
    // Its attempt is open: a later sweep tells that nobody knows.
    await work.flows.sweep({})
    expect(await outcomes()).toHaveLength(1)
    now += attemptMax_ms
    expect((await work.flows.sweep({})).items[0]).toMatchObject({ outcomes_unknown: 1 })
    expect((await work.flows.sweep({})).items[0]).toMatchObject({ outcomes_unknown: 0 })
    expect(await outcomes()).toEqual([
      ['failed', unknownOutcome],
      ['failed', 'The link for credentials could not be made.'],
    ])
    expect(mails.sent.map(({ to }) => to.address)).toEqual([`${other}@example.org`])
  })
})

test('an attempt whose outcome is unknown is audited with the recipient that it had, though this one has another address now', async () => {
  const before = await work.table.User.get({ id: userId }, { consistent: true })
  mails.onSent = () => {
    work.meanwhile = () =>
      Promise.reject(Object.assign(new Error('full'), { name: 'ValidationException', $metadata: { httpStatusCode: 400 } }))
  }
  await work.flows.sendCredentials({ userId })
  mails.onSent = undefined
  await work.flows.updateUser({ id: userId, email: `new-${userId}@example.org`, firstName: 'Eve' })
  await work.flows.deleteUser({ id: userId })
  now += attemptMax_ms
  expect((await work.flows.sweep({})).items[0]).toMatchObject({ outcomes_unknown: 1 })
  const { email: recipientEmail, firstName: recipientFirstName, lastName: recipientLastName } = before ?? {}
  const told = { recipientEmail, recipientFirstName, recipientLastName, userId, accountName: 'Löwe & Söhne' }
  const sender = { subject: 'Your account at Löwe & Söhne', senderEmail: 'no-reply@portal.example' }
  expect(await audits()).toMatchObject([{ ...told, ...sender, deliveryStatus: 'failed', errorMessage: unknownOutcome }])
  const intent = { accountId, notificationType: 'credentials', subjectId: userId, occasion: 'once' } as const
  expect(await work.table.NotificationIntent.get(intent, { consistent: true })).not.toHaveProperty('told')
})

describe('lists', () => {
  test('are recent first, with both ends of a period, filtered, paged and counted', async () => {
    now += 60_000
    const start = now
    const people: string[] = []
    for (let index = 0; index < 6; index++) {
      const id = await user(`p${count}-${index}`)
      people.push(id)
      if (index % 3 === 1) mails.next = 'refused'
      if (index % 3 === 2) await work.flows.deactivateUser({ id })
      await work.flows.sendCredentials({ userId: id })
      now += 60_000
    }
    const at = (index: number) => new Date(start + index * 60_000).toISOString()
    const ids = async (asked: object) =>
      (await work.flows.notifications({ accountId, ...asked })).items.map(({ userId }) => people.indexOf(userId ?? ''))
    expect(await ids({})).toEqual([5, 4, 3, 2, 1, 0])
    expect(await ids({ from: at(1), to: at(4) })).toEqual([4, 3, 2, 1])
    expect(await ids({ status: 'failed' })).toEqual([4, 1])
    expect(await ids({ recipient: `${people[3]}@example.org` })).toEqual([3])
    expect(await ids({ type: 'user_expiry' })).toEqual([])
    const first = await work.flows.notifications({ accountId, status: 'sent', limit: 1 })
    expect(first.items).toHaveLength(1)
    const second = await work.flows.notifications({ accountId, status: 'sent', limit: 1, cursor: first.cursor })
    expect([...first.items, ...second.items].map(({ userId }) => people.indexOf(userId ?? ''))).toEqual([3, 0])
    const all = await work.flows.notifications({ status: 'skipped', from: at(0), to: at(5) })
    expect(all.items.map(({ userId }) => people.indexOf(userId ?? ''))).toEqual([5, 2])
    expect(await work.flows.notificationSummary({ accountId, from: at(0), to: at(4) })).toEqual({
      counts: [
        { status: 'failed', type: 'credentials', count: 2 },
        { status: 'sent', type: 'credentials', count: 2 },
        { status: 'skipped', type: 'credentials', count: 1 },
      ],
      total: 5,
      isWhole: true,
    })
    expect(await work.flows.notificationSummary({ from: at(0), to: at(5) })).toMatchObject({ total: 6 })
    await expect(work.flows.notifications({})).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(work.flows.notifications({ accountId, from: at(2), to: at(1) })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})
