import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { kinds, memoryEngine, outcome, tableInput } from '../../test/engines.ts'
import type { Engine } from '../engine.ts'

const hour_ms = 60 * 60 * 1000
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const put = (engine: Engine, sk: string, until: number) =>
  engine.execute('PutItem', { TableName: 'items', Item: { pk: { S: 'p' }, sk: { S: sk }, until: { N: String(until) } } })

async function keysLeft(engine: Engine): Promise<unknown[]> {
  const { Items = [] } = await outcome(engine, 'Scan', { TableName: 'items' })
  return Items.map(({ sk }) => Object(sk).S)
}

describe.each(kinds)('an engine $kind', ({ open }) => {
  test('removes expired items every hour, also after a round that failed, until it is closed', async () => {
    const clock = { ms: Date.UTC(2026, 0, 1), isBroken: false }
    const now = () => {
      if (clock.isBroken) throw new Error('The clock is broken.')
      return new Date(clock.ms)
    }
    const engine = await open({ now })
    await engine.execute('CreateTable', tableInput())
    await engine.execute('UpdateTimeToLive', { TableName: 'items', TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' } })
    const seconds = clock.ms / 1000
    // More than one part.
    await Promise.all(Array.from({ length: 600 }, (_, at) => put(engine, `expired ${at}`, seconds - 1)))
    await put(engine, 'live', seconds + 1)

    clock.isBroken = true
    vi.advanceTimersByTime(hour_ms)
    await new Promise(setImmediate)
    clock.isBroken = false
    expect(await keysLeft(engine)).toHaveLength(601)

    vi.advanceTimersByTime(hour_ms)
    while ((await keysLeft(engine)).length > 1) await new Promise(setImmediate)
    expect(await keysLeft(engine)).toEqual(['live'])
    await put(engine, 'expired', seconds - 1)
    vi.advanceTimersByTime(hour_ms)
    // A round is under way.
    await engine.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('an engine that is unkind removes them when it is told to', async () => {
  await memoryEngine({ unkind: { seed: 1 } })
  expect(vi.getTimerCount()).toBe(0)
})
