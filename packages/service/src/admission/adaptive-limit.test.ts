import { describe, expect, test } from 'vitest'
import { adaptiveLimit, type LoopSample } from './adaptive-limit.ts'

const options = { min: 16, max: 256, delay_ms_max: 15 } as const
const idleNowAndThen: LoopSample = { delay_ms: 0, utilization: 0.8 }
const busy: LoopSample = { delay_ms: 0, utilization: 0.9 }
const late: LoopSample = { delay_ms: 40, utilization: 1 }

/** The limit after each look of five samples. */
function after(samples: readonly LoopSample[], isWanted = true): readonly number[] {
  const limit = adaptiveLimit(options)
  return samples.map((sample) => {
    for (let count = 0; count < 5; count++) limit.observe(sample, isWanted)
    return limit.current()
  })
}
const often = <T>(value: T, times: number): readonly T[] => Array.from({ length: times }, () => value)

describe('the limit', () => {
  test('rises to its most while the thread is idle now and then', () => {
    expect(after(often(idleNowAndThen, 10)).at(-1)).toBe(256)
  })

  test('comes to its least while the thread is always busy, though no timer is late', () => {
    expect(after(often(busy, 30)).at(-1)).toBe(16)
  })

  test('falls faster while timers are late', () => {
    const [of, beside] = [after([late]), after([busy])]
    expect(of[0]).toBeLessThan(beside[0] ?? 0)
  })

  test('neither rises nor falls for want of places that nobody wants', () => {
    expect(new Set(after([...often(idleNowAndThen, 5), ...often(busy, 5)], false))).toEqual(new Set([64]))
  })

  test('stays about where the thread is just busy', () => {
    // Work for the thread while at most forty run.
    const limit = adaptiveLimit(options)
    const seen: number[] = []
    for (let look = 0; look < 200; look++) {
      for (let count = 0; count < 5; count++) limit.observe(limit.current() > 40 ? busy : idleNowAndThen, true)
      seen.push(limit.current())
    }
    expect(Math.min(...seen.slice(100))).toBeGreaterThan(35)
    expect(Math.max(...seen.slice(100))).toBeLessThan(55)
  })
})
