import { describe, expect, test } from 'vitest'
import { definitionMemory } from './definitions.ts'

/** A clock that a test moves. */
function clock() {
  const at = { ms: 0 }
  return { at, now: () => new Date(at.ms) }
}

/** A load that counts itself, and ends when it is told to. */
function gate<T>() {
  let open: (value: T) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open: (value: T) => open(value), fail: (error: Error) => fail(error) }
}

const weighed = <T>(value: T, weight = 1) => Promise.resolve({ value, weight })

describe('the memory of definitions', () => {
  test('serves bounded questions until the bound, counted from when the read was sent', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    const slow = gate<{ value: string; weight: number }>()
    const first = memory.begin('bounded').take('a', () => slow.promise)
    at.ms = 3000
    slow.open({ value: 'old', weight: 1 })
    expect(await first).toBe('old')
    at.ms = 4999
    expect(await memory.begin('bounded').take('a', () => weighed('new'))).toBe('old')
    at.ms = 5000
    expect(await memory.begin('bounded').take('a', () => weighed('new'))).toBe('new')
  })

  test('serves nothing to a question that has itself outlived the bound', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    const question = memory.begin('bounded')
    expect(await question.take('a', () => weighed(1))).toBe(1)
    at.ms = 5000
    expect(await question.take('a', () => weighed(2))).toBe(2)
  })

  test('serves nothing from before a clock that was set back', async () => {
    const { at, now } = clock()
    at.ms = 10_000
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    await memory.begin('bounded').take('a', () => weighed(1))
    at.ms = 9_000
    expect(await memory.begin('bounded').take('a', () => weighed(2))).toBe(2)
  })

  test('forgets everything when the clock is set back, as ages would be taken for less than they are', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    await memory.begin('bounded').take('a', () => weighed('old'))
    at.ms = 8_000
    await memory.begin('bounded').take('b', () => weighed('other'))
    at.ms = 1_000
    expect(await memory.begin('bounded').take('a', () => weighed('new'))).toBe('new')
    expect(await memory.begin('bounded').take('a', () => weighed('newest'))).toBe('new')
  })

  test('serves a strong question nothing that was sent before it began, even at the same instant and still under way', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const slow = gate<{ value: string; weight: number }>()
    const earlier = memory.begin('bounded').take('a', () => slow.promise)
    expect(await memory.begin('strong').take('a', () => weighed('new'))).toBe('new')
    slow.open({ value: 'old', weight: 1 })
    expect(await earlier).toBe('old')
    // The later read stays, though the earlier one ended after it.
    expect(await memory.begin('bounded').take('a', () => weighed('newest'))).toBe('new')
  })

  test('lets a strong question share what was sent after it began', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const question = memory.begin('strong')
    await memory.begin('strong').take('a', () => weighed('other'))
    expect(await question.take('a', () => weighed('own'))).toBe('other')
  })

  test('sends one read for all who ask at once', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    let loads = 0
    const load = () => {
      loads++
      return weighed(loads)
    }
    const asked = Array.from({ length: 5 }, () => memory.begin('bounded').take('a', load))
    expect(await Promise.all(asked)).toEqual([1, 1, 1, 1, 1])
  })

  test('reads the missing ones of many together, and gives all in order', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const load = async (missing: readonly string[]) => new Map(missing.map((key) => [key, `${key} of ${missing.join('')}`]))
    await memory.begin('bounded').takeAll(['b'], load)
    expect([...(await memory.begin('bounded').takeAll(['a', 'b', 'c'], load)).values()]).toEqual(['a of ac', 'b of b', 'c of ac'])
  })

  test('forgets a read that failed, and fails all who waited for it', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const broken = gate<{ value: number; weight: number }>()
    const asked = [1, 2].map(() => memory.begin('bounded').take('a', () => broken.promise))
    broken.fail(new Error('no answer'))
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await memory.begin('bounded').take('a', () => weighed(2))).toBe(2)
  })

  test('keeps no more items than it may, and drops the least recently used first', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, items_max: 10 })
    const take = (key: string) => memory.begin('bounded').take(key, () => weighed(key, 4))
    await take('a')
    await take('b')
    await take('a')
    await take('c')
    const { holds } = memory.begin('bounded')
    expect(['a', 'b', 'c'].filter(holds)).toEqual(['a', 'c'])
  })

  test('counts long names as more than one item: whoever asks makes them up', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, items_max: 10 })
    const keys = ['a', 'b', 'c'].map((letter) => letter.repeat(400))
    for (const key of keys) await memory.begin('bounded').take(key, () => weighed(key))
    const { holds } = memory.begin('bounded')
    expect(keys.filter(holds)).toEqual(keys.slice(1))
  })
})
