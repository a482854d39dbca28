import { describe, expect, test } from 'vitest'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import type { AccountFlows } from '../flows.ts'

let now = new Date('2026-03-01T12:00:00.000Z')
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()
const work = await accountWork({ now: () => now })
const { table } = work
const client = (await table.Client.create({ name: 'Ours' })).id
const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
const building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
const theirs = (await table.Client.create({ name: 'Theirs' })).id
const eve = (await table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

let modules = 0
/** A module that nothing subscribes to yet. */
const fresh = () => ({ scope_type: 'building', scope_id: building, module_id: idOf('module', ++modules) }) as const
const active = async (trial = false) =>
  (await work.flows.activeSubscriptions({ scope_type: 'building', scope_id: building, trial })).items.map(({ module_id }) => module_id)

describe('a subscription', () => {
  test('begins with a trial, is activated, expires and is renewed; each is recorded', async () => {
    const { flows } = work
    const id = fresh()
    const made = await flows.startTrial({ ...id, end_date: inDays(14) })
    expect(made).toMatchObject({ client_id: client, status: 'trial', tier: 'standard', start_date: now.toISOString() })
    expect(await flows.activateSubscription({ ...id, tier: 'premium' })).toMatchObject({ status: 'active', tier: 'premium' })
    expect(await work.table.ServiceSubscription.get(id, { consistent: true })).not.toHaveProperty('end_date')
    expect(await flows.expireSubscription(id)).toMatchObject({ status: 'expired', end_date: now.toISOString() })
    expect(await flows.renewSubscription({ ...id, end_date: inDays(365) })).toMatchObject({ status: 'active', end_date: inDays(365) })
    const entries = (await work.audit(client)).filter(({ entity_id }) => entity_id === made.id)
    // The clock stands still, so that they are in no order.
    expect(Object.fromEntries(entries.map((entry) => [entry.action, changesOf(entry)]))).toEqual({
      startTrial: expect.objectContaining({ status: { after: 'trial' } }),
      activateSubscription: {
        status: { before: 'trial', after: 'active' },
        tier: { before: 'standard', after: 'premium' },
        end_date: { before: inDays(14) },
      },
      expireSubscription: { status: { before: 'active', after: 'expired' }, end_date: { after: now.toISOString() } },
      renewSubscription: { status: { before: 'expired', after: 'active' }, end_date: { before: now.toISOString(), after: inDays(365) } },
    })
  })

  test('is one of a module and scope, of however many that begin at once', async () => {
    const id = fresh()
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => work.flows.startTrial(id)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of begun) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'AlreadyExists' })
    await work.flows.activateSubscription(id)
    await expect(work.flows.startTrial(id)).rejects.toMatchObject({ code: 'AlreadyExists' })
  })

  test('does not begin where it is, and is not renewed where it has not begun', async () => {
    const { flows } = work
    const id = fresh()
    await expect(flows.renewSubscription({ ...id, end_date: null })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await flows.activateSubscription(id)).toMatchObject({ status: 'active' })
    await expect(flows.activateSubscription(id)).rejects.toMatchObject({ code: 'CheckFailed' })
    await flows.expireSubscription(id)
    await expect(flows.activateSubscription(id)).rejects.toMatchObject({ code: 'CheckFailed' })
    await expect(flows.changeSubscriptionTier({ ...id, tier: 'premium' })).rejects.toMatchObject({ code: 'CheckFailed' })
    await expect(flows.renewSubscription({ ...id, end_date: inDays(-1) })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('is tried for 14 days, unless another end is given, or null for none', async () => {
    const { flows } = work
    expect(await flows.startTrial(fresh())).toMatchObject({ end_date: inDays(14) })
    expect(await flows.startTrial({ ...fresh(), end_date: inDays(30) })).toMatchObject({ end_date: inDays(30) })
    expect(await flows.startTrial({ ...fresh(), end_date: null })).not.toHaveProperty('end_date')
  })

  test('is renewed to a later end or, where that is said, to none', async () => {
    const { flows } = work
    const id = fresh()
    await flows.activateSubscription({ ...id, end_date: inDays(30) })
    for (const end_date of [undefined, inDays(29), inDays(30)])
      await expect(flows.renewSubscription({ ...id, end_date })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await flows.renewSubscription({ ...id, end_date: inDays(31) })).toMatchObject({ end_date: inDays(31) })
    expect(await flows.renewSubscription({ ...id, end_date: null })).not.toHaveProperty('end_date')
    await expect(flows.renewSubscription({ ...id, end_date: inDays(31) })).rejects.toMatchObject({ code: 'InvalidInput' })
    await flows.expireSubscription(id)
    expect(await flows.renewSubscription({ ...id, end_date: inDays(1) })).toMatchObject({ end_date: inDays(1), status: 'active' })
  })

  test('whose end is past is expired for every flow, whether a sweep has said so or not', async () => {
    const { flows, table } = work
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        ({ code, message }) => `${code}: ${message}`,
      )
    const asked: readonly [string, (id: ReturnType<typeof fresh>) => Promise<unknown>][] = [
      ['activate', (id) => flows.activateSubscription(id)],
      ['tier', (id) => flows.changeSubscriptionTier({ ...id, tier: 'premium' })],
      ['use', (id) => flows.consumeQuota({ ...id, counter: 'seats' })],
      ['trial', (id) => flows.startTrial(id)],
      ['renew', (id) => flows.renewSubscription({ ...id, end_date: inDays(9) })],
    ]
    const ids = ['swept', 'not swept'].flatMap((how) => ['trial', 'active'].map((status) => ({ how, status, id: fresh() }) as const))
    for (const { status, id } of ids)
      await table.ServiceSubscription.create({ ...id, status: status as 'trial', end_date: inDays(1), usage_quota: { seats: 3 } })
    now = new Date(inDays(2))
    const answers: Record<string, string[]> = {}
    for (const { how, status, id } of ids) {
      if (how === 'swept') await table.ServiceSubscription.update(id, { status: 'expired' })
      answers[`${status}, ${how}`] = []
      for (const [, ask] of asked) answers[`${status}, ${how}`]?.push(await outcome(ask(id)))
      expect(await table.ServiceSubscription.get(id, { consistent: true })).toMatchObject({ status: 'active', end_date: inDays(9) })
    }
    const again = 'renewSubscription lets it run again.'
    const same = [
      `CheckFailed: This subscription is of status expired, and must be trial: ${again}`,
      `CheckFailed: This subscription is of status expired, and must be active or trial: ${again}`,
      `CheckFailed: This subscription is of status expired, and must be active or trial: ${again}`,
      `AlreadyExists: This building has a subscription of this module already, of status expired: ${again}`,
      'done',
    ]
    expect(answers).toEqual({ 'trial, swept': same, 'active, swept': same, 'trial, not swept': same, 'active, not swept': same })
  })

  test('that is cancelled runs out at its end; without one it ends at once', async () => {
    const { flows } = work
    const running = fresh()
    await flows.activateSubscription({ ...running, end_date: inDays(30), auto_renew: true })
    expect(await flows.cancelSubscription(running)).toMatchObject({ status: 'active', auto_renew: false, end_date: inDays(30) })
    expect(await active()).toContain(running.module_id)
    const endless = fresh()
    await flows.activateSubscription({ ...endless, auto_renew: true })
    expect(await flows.cancelSubscription(endless)).toMatchObject({ status: 'expired', auto_renew: false, end_date: now.toISOString() })
  })

  test('is active until its end, or renews itself past it; a trial is where it is asked for', async () => {
    const { flows } = work
    const [ends, renews, trial] = [fresh(), fresh(), fresh()]
    await flows.activateSubscription({ ...ends, end_date: inDays(1) })
    await flows.activateSubscription({ ...renews, end_date: inDays(1), auto_renew: true })
    await flows.startTrial(trial)
    const of = async (withTrial?: boolean) =>
      (await active(withTrial)).filter((id) => [ends, renews, trial].some(({ module_id }) => module_id === id))
    expect(await of()).toEqual([ends.module_id, renews.module_id])
    expect(await of(true)).toEqual([ends.module_id, renews.module_id, trial.module_id])
    now = new Date(inDays(1))
    expect(await of()).toEqual([renews.module_id])
  })
})

describe('a quota', () => {
  test('is used up to nothing and no further, however many use it at once', async () => {
    const { flows } = work
    const id = fresh()
    await flows.activateSubscription({ ...id, usage_quota: { reports: 10, seats: 3 } })
    const used = await Promise.allSettled(Array.from({ length: 8 }, () => flows.consumeQuota({ ...id, counter: 'reports', amount: 2 })))
    const left = used.flatMap((each) => (each.status === 'fulfilled' ? [each.value.left] : []))
    expect(left.sort((a, b) => a - b)).toEqual([0, 2, 4, 6, 8])
    for (const each of used)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'CheckFailed', details: { amount: 2 } })
    expect(await work.table.ServiceSubscription.get(id, { consistent: true })).toMatchObject({ usage_quota: { reports: 0, seats: 3 } })
    expect((await work.audit(client)).filter(({ action }) => action === 'consumeQuota')).toHaveLength(5)
  })

  test.each([
    ['of a counter that is not there', { counter: 'unheard of' }, 'CheckFailed'],
    ['of a name that every object has', { counter: 'constructor' }, 'CheckFailed'],
    ['of less than one', { counter: 'seats', amount: 0 }, 'InvalidInput'],
    ['of less than nothing', { counter: 'seats', amount: -1 }, 'InvalidInput'],
    ['of a part', { counter: 'seats', amount: 0.5 }, 'InvalidInput'],
  ])('%s is refused', async (_what, use, code) => {
    const id = fresh()
    await work.flows.activateSubscription({ ...id, usage_quota: { seats: 3 } })
    await expect(work.flows.consumeQuota({ ...id, ...use })).rejects.toMatchObject({ code })
    expect(await work.table.ServiceSubscription.get(id, { consistent: true })).toMatchObject({ usage_quota: { seats: 3 } })
  })

  test('is not used where the subscription is not active any more', async () => {
    const id = fresh()
    await work.flows.activateSubscription({ ...id, end_date: inDays(1), usage_quota: { seats: 3 } })
    now = new Date(inDays(2))
    await expect(work.flows.consumeQuota({ ...id, counter: 'seats' })).rejects.toMatchObject({ code: 'CheckFailed' })
  })

  test('of a counter that is not there is told apart from one that is used up', async () => {
    const id = fresh()
    await work.flows.activateSubscription({ ...id, usage_quota: { seats: 0 } })
    const message = async (counter: string) => work.flows.consumeQuota({ ...id, counter }).catch((error: Error) => error.message)
    expect([await message('seat'), await message('seats')]).toEqual([
      "This subscription has no counter 'seat'.",
      "There is less than 1 left of 'seats'.",
    ])
  })

  test('is of whole numbers from 0', async () => {
    for (const seats of [-1, 0.5, '3'])
      await expect(work.flows.startTrial({ ...fresh(), usage_quota: { seats } })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

describe('the terms of a subscription', () => {
  const permission = (action: string) => ({ module: 'account-management', action, resource: 'subscription' })
  const premium = { tier: 'premium', usage_quota: { seats: 9 }, auto_renew: true } as const
  /** A user who may activate and renew, and nothing else. */
  async function renewer(): Promise<AccountFlows> {
    const role = { client_id: client, name: 'Renewer', permissions: [permission('activate'), permission('renew')] }
    const { id: role_id } = await work.table.Role.create(role)
    const { id: user_id } = await work.table.User.create({ client_id: client, email: 'renew@ours.example', user_type: 'client_admin' })
    const scope = { scope_type: 'client', scope_id: client } as const
    await work.table.UserRoleAssignment.create({ user_id, role_id, role_owner: client, ...scope })
    return checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })
  }

  test('are changed by none who may renew or activate it only', async () => {
    const flows = await renewer()
    const [trial, running] = [fresh(), fresh()]
    await work.flows.startTrial(trial)
    await work.flows.activateSubscription({ ...running, end_date: inDays(1) })
    for (const terms of [premium, ...Object.entries(premium).map((one) => Object.fromEntries([one]))]) {
      const asked = { ...running, ...terms, end_date: inDays(5) }
      await expect(flows.renewSubscription(asked)).rejects.toMatchObject({
        code: 'Denied',
        message: expect.stringContaining('update:subscription'),
      })
      await expect(flows.activateSubscription({ ...trial, ...terms })).rejects.toMatchObject({ code: 'Denied' })
    }
    expect(await flows.renewSubscription({ ...running, end_date: inDays(5) })).toMatchObject({ tier: 'standard', auto_renew: false })
    expect(await flows.activateSubscription(trial)).toMatchObject({ status: 'active', tier: 'standard' })
  })

  test('are changed with a renewal by one who may update it, too', async () => {
    const id = fresh()
    await work.flows.activateSubscription(id)
    const { id: user_id } = await work.table.User.create({ client_id: client, email: 'both@ours.example', user_type: 'client_admin' })
    const user = work.acting(user_id)
    expect(await user.flows.renewSubscription({ ...id, ...premium, end_date: null })).toMatchObject(premium)
    const questions = user.asked as { readonly question: { readonly permission: unknown } }[]
    expect(questions.map((each) => each.question.permission)).toEqual([permission('renew'), permission('update')])
  })
})

test('a user is asked about at the place, and one of another client finds nothing', async () => {
  const id = fresh()
  const refused = work.acting(eve)
  await expect(refused.flows.startTrial(id)).rejects.toMatchObject({ code: 'NotFound' })
  expect(refused.asked).toEqual([])
  const { id: ada } = await work.table.User.create({ client_id: client, email: 'ada@ours.example', user_type: 'client_admin' })
  await expect(work.acting(ada, false).flows.startTrial(id)).rejects.toMatchObject({ code: 'Denied' })
  const user = work.acting(ada)
  expect(await user.flows.startTrial(id)).toMatchObject({ created_by: ada })
  const permission = { module: 'account-management', action: 'start', resource: 'subscription' }
  expect(user.asked).toEqual([{ question: { user: ada, client, project, building, permission }, how: { consistency: 'strong' } }])
})

test('subscriptions that are active, and more than 1 MB together, are told a page at a time only', async () => {
  const { table, flows } = work
  const { id: scope_id } = await table.Building.create({ project_id: project, name: 'Full' })
  const scope = { scope_type: 'building', scope_id } as const
  const usage_quota = { counter: 'x'.repeat(380_000) }
  const full = (status: 'active' | 'expired') => table.ServiceSubscription.create({ ...fresh(), ...scope, status, usage_quota })
  await Promise.all([full('active'), full('active'), full('expired'), full('expired')])
  expect((await flows.activeSubscriptions(scope)).items.length).toBe(2)
  await full('active')
  await expect(flows.activeSubscriptions(scope)).rejects.toMatchObject({
    code: 'TooLarge',
    message: expect.stringContaining('subscriptionsOfScope'),
  })
  // By a flow, none is so large.
  const many = { ['x'.repeat(16_384)]: 1 }
  await expect(flows.startTrial({ ...fresh(), ...scope, usage_quota: many })).rejects.toMatchObject({ code: 'InvalidInput' })
})
