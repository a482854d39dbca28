import { describe, expect, test } from 'vitest'
import { collectGarbage } from '../../../../test/collect-garbage.ts'
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

const loaded = <T>(value: T) => Promise.resolve(value)

describe('the memory of definitions', () => {
  test('serves bounded questions until the bound, counted from when the read was sent', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    const slow = gate<string>()
    const first = memory.begin('bounded').take('a', () => slow.promise)
    at.ms = 3000
    slow.open('old')
    expect(await first).toBe('old')
    at.ms = 4999
    expect(await memory.begin('bounded').take('a', () => loaded('new'))).toBe('old')
    at.ms = 5000
    expect(await memory.begin('bounded').take('a', () => loaded('new'))).toBe('new')
  })

  test('serves nothing to a question that has itself outlived the bound', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    const question = memory.begin('bounded')
    expect(await question.take('a', () => loaded(1))).toBe(1)
    at.ms = 5000
    expect(await question.take('a', () => loaded(2))).toBe(2)
  })

  test('serves nothing from before a clock that was set back', async () => {
    const { at, now } = clock()
    at.ms = 10_000
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    await memory.begin('bounded').take('a', () => loaded(1))
    at.ms = 9_000
    expect(await memory.begin('bounded').take('a', () => loaded(2))).toBe(2)
  })

  test('forgets everything when the clock is set back, as ages would be taken for less than they are', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    await memory.begin('bounded').take('a', () => loaded('old'))
    at.ms = 8_000
    await memory.begin('bounded').take('b', () => loaded('other'))
    at.ms = 1_000
    expect(await memory.begin('bounded').take('a', () => loaded('new'))).toBe('new')
    expect(await memory.begin('bounded').take('a', () => loaded('newest'))).toBe('new')
  })

  test('serves a strong question nothing that was sent before it began, even at the same instant and still under way', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const slow = gate<string>()
    const earlier = memory.begin('bounded').take('a', () => slow.promise)
    expect(await memory.begin('strong').take('a', () => loaded('new'))).toBe('new')
    slow.open('old')
    expect(await earlier).toBe('old')
    // The later read stays, though the earlier one ended after it.
    expect(await memory.begin('bounded').take('a', () => loaded('newest'))).toBe('new')
  })

  test('lets a strong question share what was sent after it began', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const question = memory.begin('strong')
    await memory.begin('strong').take('a', () => loaded('other'))
    expect(await question.take('a', () => loaded('own'))).toBe('other')
  })

  test('sends one read for all who ask at once', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    let loads = 0
    const load = () => {
      loads++
      return loaded(loads)
    }
    const asked = Array.from({ length: 5 }, () => memory.begin('bounded').take('a', load))
    expect(await Promise.all(asked)).toEqual([1, 1, 1, 1, 1])
  })

  test('reads the missing ones of many together, and gives all in order', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const load = async (missing: readonly string[]) => new Map(missing.map((key) => [key, `${key} of ${missing.join('')}`]))
    await memory.begin('bounded').takeAll(['b'], load)
    expect(await memory.begin('bounded').takeAll(['a', 'b', 'c'], load)).toEqual(['a of ac', 'b of b', 'c of ac'])
  })

  test('loads the missing ones of many side by side, and gives all in order', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const sent: number[] = []
    const load = (index: number) => {
      sent.push(index)
      return loaded(`new ${index}`)
    }
    await memory.begin('bounded').take('b', () => loaded('old'))
    expect(await memory.begin('bounded').takeEach(['a', 'b', 'c'], load)).toEqual(['new 0', 'old', 'new 2'])
    expect(sent).toEqual([0, 2])
  })

  test('loads a definition once that many ask for twice, or that another question loads while they wait for a place', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const keys = Array.from({ length: 200 }, (_, index) => `${index}`)
    const sent: string[] = []
    const reading = (all: readonly string[]) => (index: number) => {
      const key = all[index] ?? ''
      sent.push(key)
      return loaded(key)
    }
    for (const consistency of ['bounded', 'strong'] as const) {
      const twice = [`${consistency} a`, `${consistency} b`, `${consistency} a`]
      expect(await memory.begin(consistency).takeEach(twice, reading(twice))).toEqual(twice)
      expect(sent.splice(0)).toEqual(twice.slice(0, 2))
    }
    const questions = [memory.begin('bounded'), memory.begin('bounded')]
    expect(await Promise.all(questions.map((question) => question.takeEach(keys, reading(keys))))).toEqual([keys, keys])
    expect(sent.toSorted()).toEqual(keys.toSorted())
  })

  test('gives what is there without a promise, and nothing of what is still on its way', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const slow = gate<string>()
    const never = () => Promise.reject(new Error('It is there.'))
    const first = memory.begin('bounded').take('a', () => slow.promise)
    const others = [memory.begin('bounded').take('a', never), memory.begin('bounded').takeEach(['a'], never)]
    for (const each of others) expect(each).toBeInstanceOf(Promise)
    slow.open('there')
    await Promise.all([first, ...others])
    expect(memory.begin('bounded').take('a', never)).toBe('there')
    expect(memory.begin('bounded').takeEach(['a', 'a'], never)).toEqual(['there', 'there'])
    expect(memory.begin('bounded').takeAll(['a'], never)).toEqual(['there'])
  })

  test('forgets a read that failed, and fails all who waited for it', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const broken = gate<number>()
    const asked = [1, 2].map(() => memory.begin('bounded').take('a', () => broken.promise))
    broken.fail(new Error('no answer'))
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await memory.begin('bounded').take('a', () => loaded(2))).toBe(2)
  })

  const kilobytes = (count: number) => 'x'.repeat(count * 512)

  test('keeps no more bytes than it may, and drops the least recently used first', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    const take = (key: string) => memory.begin('bounded').take(key, () => loaded(kilobytes(4)))
    await take('a')
    await take('b')
    await take('a')
    await take('c')
    const { holds } = memory.begin('bounded')
    expect(['a', 'b', 'c'].filter(holds)).toEqual(['a', 'c'])
  })

  test('keeps of many that are read together what there is room for', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    const keys = ['a', 'b', 'c']
    const all = await memory.begin('bounded').takeAll(keys, async () => new Map(keys.map((key) => [key, key + kilobytes(4)])))
    expect(all.map((text) => text[0])).toEqual(keys)
    expect(keys.filter(memory.begin('bounded').holds)).toEqual(['b', 'c'])
  })

  test('does not keep what alone is more than it may, and lets nothing go for it', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    await memory.begin('bounded').take('a', () => loaded('small'))
    expect(await memory.begin('bounded').take('b', () => loaded(kilobytes(11)))).toHaveLength(11 * 512)
    const { holds } = memory.begin('bounded')
    expect(['a', 'b'].filter(holds)).toEqual(['a'])
  })

  test('makes room for what is read anew only once', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    const take = (key: string) => memory.begin('bounded').take(key, () => loaded(kilobytes(4)))
    for (let count = 0; count < 10; count++) {
      await take('a')
      await take('b')
      at.ms += 5000
    }
    expect(await Promise.all([take('a'), take('b')])).toHaveLength(2)
    const { holds } = memory.begin('bounded')
    expect(['a', 'b'].filter(holds)).toEqual(['a', 'b'])
  })

  test('counts a definition that there is nothing of, too: there is no end of names that stand for nothing', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    const keys = Array.from({ length: 100 }, (_, index) => `group ${index}`)
    for (const key of keys) await memory.begin('bounded').take(key, () => loaded([]))
    const held = keys.filter(memory.begin('bounded').holds)
    expect(held).toEqual(keys.slice(-held.length))
    expect(held.length).toBeLessThan(30)
  })

  test('counts names, also of what is still being read: whoever asks makes them up', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    const keys = ['a', 'b', 'c'].map((letter) => letter.repeat(2048))
    for (const key of keys) memory.begin('bounded').take(key, () => new Promise(() => {}))
    const isRead = (key: string): boolean => {
      let reads = 0
      memory.begin('bounded').take(key, () => new Promise(() => reads++))
      return reads > 0
    }
    // Backwards, since what is read takes the room of the oldest.
    expect(keys.toReversed().map(isRead)).toEqual([false, false, true])
  })

  test('what is still being read is not held: a question would wait for it', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000 })
    const question = memory.begin('strong')
    const taken = memory.begin('strong').take('a', async () => 'role')
    expect(question.holds('a')).toBe(false)
    await taken
    expect(question.holds('a')).toBe(true)
  })

  /** Says of definitions whether the memory has let them go, which only the collector tells. */
  async function areGone(values: readonly WeakRef<object>[]): Promise<boolean> {
    for (let count = 0; count < 20 && values.some((each) => each.deref() !== undefined); count++) {
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
    }
    return values.every((each) => each.deref() === undefined)
  }

  test('lets go, when another is loaded, of what is past the bound, however recently it was used', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    const take = async (key: string) => new WeakRef(await memory.begin('bounded').take(key, () => loaded({ key })))
    const first = await take('a')
    at.ms = 4999
    const other = await take('b')
    expect(await take('a')).toEqual(first)
    expect(await areGone([first])).toBe(false)
    at.ms = 5000
    await take('c')
    expect(await areGone([first])).toBe(true)
    expect(await areGone([other])).toBe(false)
  })

  test.each(['strong', 'bounded'] as const)(
    'lets a %s question take again what it has taken, where that is not kept for others',
    async (consistency) => {
      const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 1 })
      const question = memory.begin(consistency)
      await question.take('a', () => loaded(1))
      expect(question.holds('a')).toBe(true)
      expect(await question.take('a', () => loaded(2))).toBe(1)
      expect(await question.takeAll(['a', 'b'], async () => new Map([['b', 3]]))).toEqual([1, 3])
      expect(memory.begin(consistency).holds('a')).toBe(false)
    },
  )

  test('lets a question take again what it had of another, though it was let go since', async () => {
    const memory = definitionMemory({ now: clock().now, maxStalenessMs: 5000, bytes_max: 10 * 1024 })
    const others = kilobytes(6)
    await memory.begin('bounded').take('a', () => loaded(others))
    const question = memory.begin('bounded')
    expect(await question.take('a', () => loaded('own'))).toBe(others)
    await memory.begin('bounded').take('b', () => loaded(kilobytes(6)))
    expect(memory.begin('bounded').holds('a')).toBe(false)
    expect(await question.take('a', () => loaded('own'))).toBe(others)
  })

  test('lets a strong question take again what it has taken, however long ago', async () => {
    const { at, now } = clock()
    const memory = definitionMemory({ now, maxStalenessMs: 5000 })
    const question = memory.begin('strong')
    await question.take('a', () => loaded(1))
    at.ms = 500_000
    await question.take('b', () => loaded(1))
    expect(await question.take('a', () => loaded(2))).toBe(1)
  })

  test('serves a bounded question nothing that it took before the clock was set back', async () => {
    const { at, now } = clock()
    at.ms = 10_000
    const question = definitionMemory({ now, maxStalenessMs: 5000 }).begin('bounded')
    await question.take('a', () => loaded(1))
    at.ms = 9_000
    expect(await question.take('a', () => loaded(2))).toBe(2)
  })

  test('lets a question that a read failed read again', async () => {
    const question = definitionMemory({ now: clock().now, maxStalenessMs: 5000 }).begin('strong')
    await expect(question.take('a', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(question.holds('a')).toBe(false)
    expect(await question.take('a', () => loaded(2))).toBe(2)
  })
})
