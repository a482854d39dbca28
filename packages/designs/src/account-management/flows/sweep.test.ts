import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AccountWork, accountWork, changesOf } from '../../../test/account-flows.ts'
import { idOf } from '../../../test/account-items.ts'
import { wholeTable } from '../../../test/whole-table.ts'

const day_ms = 86_400_000
let now = Date.parse('2026-03-01T12:00:00.000Z')
const inDays = (days: number) => new Date(now + days * day_ms).toISOString()
let work: AccountWork
let client: string
let building: string
beforeAll(async () => {
  work = await accountWork({ now: () => new Date(now) })
})
beforeEach(async () => {
  const { table } = work
  client = (await table.Client.create({ name: 'Ours' })).id
  const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
  building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
})
afterAll(() => work.table.close())

let count = 0
const subscribe = (more: object) =>
  work.table.ServiceSubscription.create({ scope_type: 'building', scope_id: building, module_id: idOf('module', ++count), ...more })
const invite = async () =>
  (await work.flows.inviteUser({ client_id: client, email: `i${++count}@ours.example`, user_type: 'external_tenant' })).id
const actions = async () => (await work.audit(client)).filter(({ action }) => action === 'sweep')

describe('a sweep', () => {
  test('writes what counts already: a subscription past its end, which does not renew itself, is expired', async () => {
    const over = await subscribe({ end_date: inDays(1) })
    const trial = await subscribe({ end_date: inDays(1), status: 'trial' })
    await subscribe({ end_date: inDays(1), auto_renew: true })
    await subscribe({ end_date: inDays(9) })
    await subscribe({})
    now += day_ms
    expect(await work.flows.sweep({ client_id: client })).toMatchObject({
      subscriptions_expired: 2,
      invitations_ended: 0,
      items_removed: 0,
    })
    const page = await work.table.subscriptionsOfScope({ scope_type: 'building', scope_id: building }, { consistent: true })
    expect(page.items.filter(({ status }) => status === 'expired').map(({ id }) => id)).toEqual([over.id, trial.id])
    expect((await actions()).map((entry) => [entry.entity_id, changesOf(entry)]).sort()).toEqual(
      [
        [over.id, { status: { before: 'active', after: 'expired' } }],
        [trial.id, { status: { before: 'trial', after: 'expired' } }],
      ].sort(),
    )
    expect(await work.flows.sweep({ client_id: client })).toMatchObject({ subscriptions_expired: 0 })
  })

  test('ends an invitation that nobody has accepted for as long as is said', async () => {
    const [old, accepted] = [await invite(), await invite()]
    await work.flows.acceptInvitation({ id: accepted })
    now += 8 * day_ms
    const recent = await invite()
    expect(await work.flows.sweep({ client_id: client })).toMatchObject({ invitations_ended: 0 })
    expect(await work.flows.sweep({ client_id: client, invitation_days: 7 })).toMatchObject({ invitations_ended: 1 })
    expect(await work.table.User.get({ id: old }, { consistent: true })).not.toHaveProperty('invitation_expires_at')
    expect(await work.table.User.get({ id: accepted }, { consistent: true })).toMatchObject({ status: 'active' })
    expect(await work.flows.acceptInvitation({ id: recent })).toMatchObject({ status: 'active' })
  })

  test('takes what is past its end out of the table, with what leads to it, and nothing else', async () => {
    const { table } = work
    const { id: user_id } = await table.User.create({ client_id: client, email: `u${++count}@ours.example`, user_type: 'client_admin' })
    const short = { user_id, expires_at: inDays(1) }
    const gone = [
      (await table.AuthToken.create({ ...short, token_type: 'api' })).id,
      (await table.LoginSession.create(short)).id,
      (await table.AuditLog.create({ client_id: client, action: 'seen', expires_at: inDays(1) })).id,
    ]
    const stays = [(await table.AuthToken.create({ user_id, token_type: 'api' })).id, (await table.LoginSession.create({ user_id })).id]
    now += day_ms
    expect(await work.flows.sweep({ client_id: client })).toMatchObject({ items_removed: 3 })
    const left = (await wholeTable(table)).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
    for (const id of gone) expect(left).not.toContain(id)
    for (const id of stays) expect(left.filter((each) => each === id)).toHaveLength(2)
  })

  test('by many at once changes everything once', async () => {
    for (let each = 0; each < 6; each++) await subscribe({ end_date: inDays(1) })
    now += day_ms
    const results = await Promise.all(Array.from({ length: 4 }, () => work.flows.sweep({ client_id: client })))
    expect(results.reduce((sum, { subscriptions_expired }) => sum + subscriptions_expired, 0)).toBe(6)
    expect(await actions()).toHaveLength(6)
  })

  test('goes on where its limit has ended it, and through one client after another', async () => {
    const { table, flows } = work
    await flows.sweep({ limit: 100_000 })
    const mine = await subscribe({ end_date: inDays(1) })
    const other = (await table.Client.create({ name: 'Next' })).id
    const { id } = await table.Project.create({ client_id: other, name: 'p' })
    await table.ServiceSubscription.create({ scope_type: 'project', scope_id: id, module_id: idOf('module', 1), end_date: inDays(1) })
    now += day_ms
    let expired = 0
    let looked = 0
    let cursor: string | undefined
    do {
      const result = await flows.sweep({ limit: 3, cursor })
      expect(result.items_looked_at).toBeLessThanOrEqual(3)
      expired += result.subscriptions_expired
      looked += result.items_looked_at
      cursor = result.cursor
    } while (cursor !== undefined)
    expect(expired).toBe(2)
    const { scope_type, scope_id, module_id } = mine
    expect(await table.ServiceSubscription.get({ scope_type, scope_id, module_id }, { consistent: true })).toMatchObject({
      status: 'expired',
    })
    // Each item once, but for what the sweep itself has written meanwhile.
    expect(looked).toBe((await flows.sweep({ limit: 100_000 })).items_looked_at)
  })

  test('is for operators only', async () => {
    const { id } = await work.table.User.create({ client_id: client, email: `u${++count}@ours.example`, user_type: 'client_admin' })
    await expect(work.acting(id).flows.sweep({ client_id: client })).rejects.toMatchObject({ code: 'Denied' })
    await expect(work.flows.sweep({ client_id: idOf('client', 404) })).rejects.toMatchObject({ code: 'NotFound' })
  })
})
