import { beforeEach, describe, expect, test } from 'vitest'
import { dyingSender } from '../../../test/dying-sender.ts'
import { engineSender } from '../../../test/own-table.ts'
import { type PlatformWork, platformWork } from '../../../test/platform-flows.ts'
import { recordedMails } from '../../../test/recorded-mails.ts'

const day_ms = 86_400_000
let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now)
const inDays = (days: number) => new Date(now + days * day_ms).toISOString().slice(0, 10)
const mails = recordedMails()
const work = await platformWork({ mailing: mails, now: clock })
await work.flows.createEnterprise({ id: 'e1', name: 'Works' })

let count = 0
let accountId: string
beforeEach(async () => {
  // The items of an earlier test are past all stages.
  now += 400 * day_ms
  await swept()
  mails.sent.splice(0)
  accountId = (await work.flows.createAccount({ id: `s${++count}`, name: 'Ours' })).id
  await work.flows.setTechnicalUser({ accountId, name: 'Tea Ch', email: `tech${count}@example.org` })
})

type Counts = Awaited<ReturnType<typeof work.flows.sweep>>['items'][number]
/** Sweeps to the end, so many items at a time. */
async function swept(
  by: Pick<PlatformWork, 'flows'> = work,
  asked: { readonly limit?: number; readonly stages?: number[] } = {},
): Promise<Partial<Counts>> {
  const total: Record<string, number> = {}
  let cursor: string | undefined
  do {
    const page = await by.flows.sweep({ ...asked, cursor })
    for (const each of page.items)
      for (const [name, value] of Object.entries(each)) if (name !== 'looked_at') total[name] = (total[name] ?? 0) + value
    cursor = page.cursor
  } while (cursor !== undefined)
  return Object.fromEntries(Object.entries(total).filter(([, value]) => value > 0))
}
const license = async (id: string, endDate: string) =>
  (await work.table.License.create({ accountId, id: `${id}-${count}`, enterpriseId: 'e1', seats: 1, startDate: '2020-01-01', endDate })).id
const user = async (id: string, endDate: string) =>
  (
    await work.flows.createUser({
      accountId,
      id: `${id}-${count}`,
      email: `${id}${count}@example.org`,
      firstName: id,
      lastName: 'X',
      endDate,
    })
  ).id
const titles = () =>
  mails.sent.map(({ to, text }) => `${to.address.split('@')[0]?.replace(/\d+$/, '')} ${/ends with (\S+)/.exec(text)?.[1]}`).sort()

describe('a sweep', () => {
  test('writes the status of what is past its end, once, and moves it to the other partition', async () => {
    const [over, last] = [await license('over', inDays(-1)), await license('last', inDays(0))]
    const [gone, here] = [await user('gone', inDays(-1)), await user('here', inDays(0))]
    expect(await swept()).toMatchObject({ licenses_expired: 1, users_ended: 1 })
    expect(await swept()).toEqual({})
    const statuses = async () => [
      (await work.table.License.get({ accountId, id: over }))?.status,
      (await work.table.License.get({ accountId, id: last }))?.status,
      (await work.table.User.get({ id: gone }))?.status,
      (await work.table.User.get({ id: here }))?.status,
    ]
    expect(await statuses()).toEqual(['expired', 'active', 'inactive', 'active'])
    const expired = (await work.table.expiredLicenses({})).items.filter(({ id }) => id === over)
    expect(expired).toHaveLength(1)
    expect((await work.table.activeLicensesByEnd({})).items.map(({ id }) => id)).not.toContain(over)
    const line = work.lines().find(({ entity, id }) => entity === 'License' && id === over)
    expect(line).toMatchObject({ flow: 'sweep', changes: { status: { before: 'active', after: 'expired' } } })
  })

  test('reminds once for each stage, the tightest one that has begun, and anew of a new end', async () => {
    const id = await license('far', inDays(31))
    await user('ada', inDays(8))
    const first = [inDays(31), inDays(8)]
    expect(await swept()).toEqual({ reminders_sent: 1 })
    expect(titles()).toEqual([`ada ${first[1]}`])
    now += day_ms
    // 30 days and 7 days before.
    expect(await swept()).toEqual({ reminders_sent: 2 })
    expect(await swept()).toEqual({})
    now += 25 * day_ms
    expect(await swept()).toMatchObject({ reminders_sent: 1, users_ended: 1 })
    now += 4 * day_ms
    expect(await swept()).toEqual({ reminders_sent: 1 })
    expect(titles()).toEqual([`ada ${first[1]}`, `ada ${first[1]}`, `tech ${first[0]}`, `tech ${first[0]}`, `tech ${first[0]}`])
    await work.table.License.update({ accountId, id }, { endDate: inDays(20) })
    expect(await swept()).toEqual({ reminders_sent: 1 })
    expect(titles().at(-1)).toBe(`tech ${inDays(20)}`)
  })

  test('takes other stages, a few items at a time, and skips with a reason where there is nobody to remind', async () => {
    for (let index = 0; index < 5; index++) await user(`p${index}`, inDays(40 + index))
    expect(await swept(work, { stages: [30] })).toEqual({})
    expect(await swept(work, { stages: [42, 60], limit: 2 })).toEqual({ reminders_sent: 5 })
    const { id: other } = await work.flows.createAccount({ id: `other${count}`, name: 'Other' })
    await work.table.License.create({ accountId: other, enterpriseId: 'e1', seats: 1, startDate: '2020-01-01', endDate: inDays(1) })
    expect(await swept()).toEqual({ reminders_skipped: 1 })
    expect(await swept()).toEqual({})
    expect((await work.flows.notifications({ accountId: other })).items.map(({ skipReason }) => skipReason)).toEqual([
      'the account has no technical user',
    ])
  })

  test('of many at once, each reminder goes out once', async () => {
    for (let index = 0; index < 5; index++) await license(`l${index}`, inDays(index))
    const all = await Promise.all(Array.from({ length: 8 }, () => swept()))
    expect(all.reduce((sum, each) => sum + (each.reminders_sent ?? 0), 0)).toBe(5)
    expect(mails.sent).toHaveLength(5)
  })

  test('killed at each write and run again sends no reminder twice', async () => {
    for (let writes = 0, isDead = true; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      mails.sent.splice(0)
      await license(`k${writes}`, inDays(5))
      await license(`o${writes}`, inDays(-1))
      await user(`k${writes}`, inDays(5))
      const dying = dyingSender(engineSender(), writes)
      const doomed = await platformWork({
        table: work.table.runtime.table,
        mailing: mails,
        now: clock,
        sender: dying.sender,
        patience_ms: 0,
      })
      await swept(doomed).catch(() => undefined)
      isDead = dying.isDead()
      await swept()
      now += 11 * 60_000
      await swept()
      expect(await swept()).toEqual({})
      const ids = mails.sent.map(({ to, text }) => `${to.address} ${text}`)
      expect(new Set(ids).size).toBe(ids.length)
      expect(await work.table.openNotifications({ before: '9999-12-31T00:00:00.000Z' })).toEqual({ items: [] })
      const attempts = (await work.flows.notifications({ accountId })).items
      expect(attempts).toHaveLength(2 * (writes + 1))
    }
  })
})
