import { beforeAll, describe, expect, test } from 'vitest'
import { Policy, Site } from '../../test/depot/design.ts'
import { ConflictingSender, WatchedSender } from '../../test/depot/senders.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { checking, creating } from '../plan/step.ts'
import { meter } from './meter.ts'

// Transactions whose extra checks name the same item.

let table: Depot
beforeAll(async () => {
  table = await ownDepot()
})

let count = 0
const own = (name: string) => `${name}-${++count}`
const shared = async () => {
  const id = own('shared')
  await table.Policy.create({ id, name: id })
  return id
}

/** Creates a policy; the check says that the shared item has this name. */
const join = (depot: Depot, id: string, policy: string, name = policy) =>
  depot.transact(
    { made: creating(Policy, { id, name: id }) },
    { extraChecks: { table: depot, checks: { rests: checking(Policy, { id: policy }, { where: { name } }) } } },
  )
const others = (length: number) => Array.from({ length }, () => own('policy'))
const there = async (ids: readonly string[]) => (await table.Policy.getMany(ids.map((id) => ({ id })))).map((each) => each?.id)

describe('transactions that check the same item at once', () => {
  test('go together while one is under way, and cancel each other never', async () => {
    const policy = await shared()
    const sender = new ConflictingSender()
    const depot = depotOf(table.runtime.table, { sender })
    const ids = others(40)
    await Promise.all(ids.map((id) => join(depot, id, policy)))
    expect(await there(ids)).toEqual(ids)
    // On a machine that stalls, one is waited for no more.
    expect(sender.underWay.conflicts).toBeLessThanOrEqual(1)
    // The first goes alone; of the others each needs two actions beside the check that all share.
    expect(sender.transactions).toBeLessThanOrEqual(5)
  })

  test('each learn of their own failure, and the others are applied', async () => {
    const policy = await shared()
    const [taken = '', ...ids] = others(9)
    await table.Policy.create({ id: taken, name: taken })
    const outcomes = await Promise.allSettled([...ids.slice(0, 4), taken, ...ids.slice(4)].map((id) => join(table, id, policy)))
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected', ...Array(4).fill('fulfilled')])
    expect(outcomes[4]).toMatchObject({ reason: { code: 'TransactionFailed', details: { failures: { made: { code: 'AlreadyExists' } } } } })
    expect(await there(ids)).toEqual(ids)
  })

  test('each learn of their own refusal: an item that is too large is one caller’s alone', async () => {
    const policy = await shared()
    const ids = others(8)
    const tooLarge = () =>
      table.transact(
        { made: creating(Site, { site: 'LARGE', name: 'x'.repeat(420_000) }) },
        { extraChecks: { table, checks: { rests: checking(Policy, { id: policy }, { where: { name: policy } }) } } },
      )
    const outcomes = await Promise.allSettled([
      join(table, ids[0] ?? '', policy),
      tooLarge(),
      ...ids.slice(1).map((id) => join(table, id, policy)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(7).fill('fulfilled')])
    expect(outcomes[1]).toMatchObject({ reason: { code: 'TooLarge' } })
    expect(await there(ids)).toEqual(ids)
  })

  test('check it by their own conditions: who expects something else is refused alone', async () => {
    const policy = await shared()
    const ids = others(6)
    const outcomes = await Promise.allSettled(ids.map((id, index) => join(table, id, policy, index % 2 === 0 ? policy : 'another')))
    expect(outcomes.map(({ status }) => status)).toEqual(ids.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')))
    expect(outcomes[1]).toMatchObject({ reason: { details: { failures: { rests: { code: 'CheckFailed' } } } } })
    expect(await there(ids)).toEqual(ids.map((id, index) => (index % 2 === 0 ? id : undefined)))
  })

  test('write one item once: of those that make the same one wins', async () => {
    const policy = await shared()
    const [id = ''] = others(1)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => join(table, id, policy)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'TransactionFailed' })
  })

  test('do not wait for one that hangs', async () => {
    const policy = await shared()
    let release = () => {}
    const hanging = new Promise<void>((resolve) => {
      release = resolve
    })
    let isFirst = true
    const sender = new WatchedSender(async (operation) => {
      if (operation !== 'TransactWriteItems' || !isFirst) return
      isFirst = false
      await hanging
    })
    const depot = depotOf(table.runtime.table, { sender })
    const [slow = '', ...ids] = others(4)
    const first = join(depot, slow, policy)
    await Promise.all(ids.map((id) => join(depot, id, policy)))
    expect(await there([slow, ...ids])).toEqual([undefined, ...ids])
    release()
    await first
    expect(await there([slow])).toEqual([slow])
  })

  test('of another table or of another item, or alone, go as they are', async () => {
    const [one, other] = [await shared(), await shared()]
    const sender = new ConflictingSender()
    const depot = depotOf(table.runtime.table, { sender })
    const [first = '', second = '', third = ''] = others(3)
    const { cost } = await meter(() => join(depot, first, one))
    expect(cost).toMatchObject({ requests: 1, roundTrips: 1 })
    await Promise.all([join(depot, second, one), join(depot, third, other)])
    expect(sender.transactions).toBe(3)
  })
})
