import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { Site } from '../../test/depot/design.ts'
import { rawItems } from '../../test/depot/raw.ts'
import { codeOf } from '../../test/depot/refused.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { creating } from '../plan/step.ts'
import type { ConnectOptions } from './connect.ts'
import { withDeadline } from './deadline.ts'
import { lease_ms } from './jobs/job.ts'
import { meter } from './meter.ts'
import { writeBudget } from './write-budget.ts'

// Time passes only while somebody sleeps, so that what a budget makes of it is exact.

class Time {
  ms = 0
  readonly monotonic_ms = () => this.ms
  readonly now = () => new Date(Date.parse('2026-03-01T12:00:00Z') + this.ms)
  readonly sleep = async (ms: number) => {
    const until = this.ms + ms
    await new Promise((resolve) => setImmediate(resolve))
    this.ms = Math.max(this.ms, until)
  }
  readonly options: ConnectOptions = { now: this.now, monotonic_ms: this.monotonic_ms, sleep: this.sleep }
}

describe('a budget', () => {
  test('lets a second’s worth begin at once, and then as much as is earned, first come, first served', () => {
    const time = new Time()
    const budget = writeBudget(100, time.monotonic_ms)
    expect([budget.reserve(60), budget.reserve(60), budget.reserve(10), budget.reserve(10)]).toEqual([-1000, -400, 200, 300])
  })

  test('takes what answers say instead of what was set aside', () => {
    const time = new Time()
    const budget = writeBudget(100, time.monotonic_ms)
    budget.reserve(50)
    budget.pay(200)
    budget.release(50)
    expect(budget.paid_ms()).toBe(1000)
  })

  test('does not save more than a second’s worth', () => {
    const time = new Time()
    const budget = writeBudget(100, time.monotonic_ms)
    budget.pay(100)
    time.ms = 3_600_000
    expect(budget.paid_ms()).toBe(3_600_000 - 1000)
  })
})

async function siteOf(table: Depot, rooms: number, site = 'A'): Promise<void> {
  await table.Site.create({ site, name: 'n' })
  await table.Room.createMany(Array.from({ length: rooms }, (_, n) => ({ site, id: `${site}-${n}`, name: `${n}` })))
}

describe('durable jobs', () => {
  test.each([1, 16])('take as long as their write units are worth, with %i requests under way', async (jobRequests_max) => {
    const time = new Time()
    const table = await ownDepot({ ...time.options, jobWriteUnits_per_s: 50, jobRequests_max })
    await siteOf(table, 60)
    await table.Site.remove({ site: 'A' }, { wait: false })
    expect(time.ms).toBe(0)
    const { cost } = await meter(() => table.jobs.resume())
    // The lease was taken before the job began, for one unit. What a second is worth was there at the beginning.
    expect(time.ms).toBe(((cost.writeUnits - 1) / 50) * 1000 - 1000)
    expect(await rawItems(table)).toEqual([])
  })

  test('share one budget, whatever runtime is derived from that of the connection', async () => {
    const time = new Time()
    const table = await ownDepot({ ...time.options, jobWriteUnits_per_s: 50 })
    expect(withDeadline(table.runtime).jobBudget).toBe(table.runtime.jobBudget)
    for (const site of ['A', 'B', 'C']) await siteOf(table, 20, site)
    const { cost } = await meter(() => Promise.all(['A', 'B', 'C'].map((site) => table.Site.remove({ site }))))
    const taken_ms = (cost.writeUnits / 50) * 1000 - 1000
    // The removals themselves are their callers' own: each marks a site and records a job, and takes less than ten units.
    expect(time.ms).toBeLessThan(taken_ms)
    expect(time.ms).toBeGreaterThan(taken_ms - (3 * 10 * 1000) / 50)
  })

  test('write no transaction that is worth more than a second, unless one item is', async () => {
    const time = new Time()
    const most: number[] = []
    const table = await ownDepot({ ...time.options, jobWriteUnits_per_s: 20 })
    await siteOf(table, 30)
    const watched = depotOf(table.runtime.table, {
      ...time.options,
      jobWriteUnits_per_s: 20,
      sender: senderAfter((operation, input) => {
        if (operation === 'TransactWriteItems' && 'TransactItems' in input) most.push(input.TransactItems.length)
      }),
    })
    await watched.Site.remove({ site: 'A' })
    expect(Math.max(...most)).toBe(10)
  })

  test('keep their lease while they wait', async () => {
    const time = new Time()
    const table = await ownDepot(time.options)
    await siteOf(table, 30)
    const other = depotOf(table.runtime.table, time.options)
    const done: number[] = []
    const sleep = async (ms: number) => {
      await time.sleep(ms)
      done.push((await other.jobs.resume()).done)
    }
    await depotOf(table.runtime.table, { ...time.options, sleep, jobWriteUnits_per_s: 2 }).Site.remove({ site: 'A' })
    expect(time.ms).toBeGreaterThan(4 * lease_ms)
    expect(done.length).toBeGreaterThan(4)
    expect(new Set(done)).toEqual(new Set([0]))
  })

  test('of flows wait where they say how far they are', async () => {
    const time = new Time()
    const table: Depot = await ownDepot({
      ...time.options,
      jobWriteUnits_per_s: 10,
      jobHandlers: {
        fill: async ({ runtime, advance }) => {
          for (const site of ['A', 'B', 'C', 'D', 'E', 'F']) {
            await depotOf(runtime.table, time.options).transact({
              a: creating(Site, { site, name: 'n' }),
              b: creating(Site, { site: `${site}2`, name: 'n' }),
            })
            await advance(2)
          }
        },
      },
    })
    const { cost } = await meter(() => table.jobs.start('fill', { subject: 's', input: null }))
    expect(cost.writeUnits).toBeGreaterThan(20)
    expect(time.ms).toBeGreaterThan(0)
    // The record of the job: it is put before the job begins, and taken away when nothing is waited for any more.
    expect(time.ms).toBeLessThanOrEqual((cost.writeUnits / 10) * 1000 - 1000)
  })

  test.each([0, -1, Number.NaN])('have no budget of %f', async (jobWriteUnits_per_s) => {
    expect(await codeOf(Promise.resolve().then(() => depotOf('t', { jobWriteUnits_per_s })))).toBe('InvalidInput')
  })
})
