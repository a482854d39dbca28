import { expect, test } from 'vitest'
import { refusal } from '../../test/depot/refused.ts'
import { depotOf, directSender, ownDepot } from '../../test/depot/table.ts'
import type { Sender } from '../dynamo/sender.ts'
import { creating } from '../plan/step.ts'

// A call ends within its patience and one attempt, by a clock that nobody sets.

/** Each request takes so long on the monotonic clock before it is sent, or fails as `failure` says. */
function slow(each_ms: number, isWrite: (operation: string) => boolean, name: string) {
  let at_ms = 0
  const limits: number[] = []
  const sender: Sender = {
    send: async (operation, input, options = {}) => {
      limits.push(options.timeoutMs ?? Number.POSITIVE_INFINITY)
      at_ms += Math.min(each_ms, options.timeoutMs ?? each_ms)
      if (isWrite(operation)) throw Object.assign(new Error(name), { name })
      return directSender().send(operation, input)
    },
    close: () => {},
  }
  const sleep = async (ms: number) => {
    at_ms += ms
  }
  return { sender, sleep, limits, monotonic_ms: () => at_ms }
}

const writes = (operation: string) => operation === 'TransactWriteItems' || operation === 'UpdateItem'

test.each([
  ['throttled to the end', 'ThrottlingException', 'Busy', false],
  ['never answered', 'TimeoutError', 'Unavailable', true],
])('a transaction that is %s ends in time, its reads included', async (_, name, code, uncertain) => {
  const table = await ownDepot()
  await table.Site.create({ site: 'A', name: 'n' })
  const { limits, ...clock } = slow(4_000, writes, name)
  const faulty = depotOf(table.runtime.table, clock)
  const error = await refusal(faulty.Room.create({ site: 'A', name: 'hall' }))
  expect(error).toMatchObject({ code, details: { uncertain } })
  expect(clock.monotonic_ms()).toBeLessThanOrEqual(10_000 + 5_000)
  expect(limits.every((limit) => limit <= 5_000)).toBe(true)
})

test('a transaction that is planned again and again ends in time', async () => {
  const table = await ownDepot()
  await table.Person.create({ id: 'ada', email: 'ada@x.org' })
  const { limits, ...clock } = slow(100, () => false, '')
  let count = 0
  const sender: Sender = {
    ...clock.sender,
    send: async (operation, input, options) => {
      if (operation === 'UpdateItem') await table.Person.update({ id: 'ada' }, { size: ++count })
      return clock.sender.send(operation, input, options)
    },
  }
  const error = await refusal(depotOf(table.runtime.table, { ...clock, sender }).Person.update({ id: 'ada' }, { city: 'Bern' }))
  expect(error).toMatchObject({ code: 'Busy' })
  expect(clock.monotonic_ms()).toBeLessThanOrEqual(10_000 + 5_000)
  expect(limits.length).toBeGreaterThan(5)
})

test('a clock that is set back changes no deadline', async () => {
  const table = await ownDepot()
  const { limits: _, ...clock } = slow(1_000, writes, 'ThrottlingException')
  const start = Date.parse('2026-03-01T12:00:00Z')
  const now = () => new Date(start - clock.monotonic_ms() * 1_000)
  const error = await refusal(
    depotOf(table.runtime.table, { ...clock, now }).transact({ site: creating(table.Site.entity, { site: 'B', name: 'n' }) }),
  )
  expect(error.code).toBe('Busy')
  expect(clock.monotonic_ms()).toBeLessThanOrEqual(10_000 + 5_000)
})

test('a call without patience sends each of its requests once, and none after the limit of one attempt', async () => {
  const table = await ownDepot()
  await table.Site.create({ site: 'C', name: 'n' })
  const hasty = (each_ms: number) => {
    const { limits, ...clock } = slow(each_ms, () => false, '')
    return {
      limits,
      update: depotOf(table.runtime.table, { ...clock, patience_ms: 0 }).Site.update({ site: 'C' }, { name: 'm' }, { wait: false }),
    }
  }
  const quick = hasty(1)
  expect(await quick.update).toMatchObject({ name: 'm' })
  expect(quick.limits).toEqual([5_000, 4_999])
  const late = hasty(5_000)
  expect(await refusal(late.update)).toMatchObject({ code: 'Unavailable', details: { uncertain: false } })
  expect(late.limits).toEqual([5_000])
})

test('an attempt gets no more than its limit', async () => {
  const table = await ownDepot({ attempt_ms: 700 })
  const { limits, ...clock } = slow(10, () => false, '')
  await depotOf(table.runtime.table, { ...clock, attempt_ms: 700 }).Site.get({ site: 'A' })
  expect(limits).toEqual([700])
})
