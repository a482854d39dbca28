import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PlaceBounds, places } from './places.ts'

/** Places. The test gives those of a caller back when it likes. */
function admitting(bounds: PlaceBounds) {
  const admitted = places(bounds)
  const running: { readonly caller: string; leave(): void }[] = []
  const begun: string[] = []
  const refused: string[] = []
  const ask = (caller: string) =>
    admitted.enter(
      caller,
      (leave) => {
        begun.push(caller)
        running.push({ caller, leave })
      },
      () => refused.push(caller),
    )
  const askAll = (callers: string) => [...callers].map(ask)
  const end = (caller?: string) => {
    const at = running.findIndex((each) => caller === undefined || each.caller === caller)
    running.splice(at, 1)[0]?.leave()
  }
  return { admitted, running, begun, refused, ask, askAll, end }
}

describe('among callers', () => {
  test('turns go round, also if one caller has many requests in the line', () => {
    const { askAll, begun, end } = admitting({ running_max: 1, waiting_max: 10 })
    askAll('aaaaabbc')
    for (let count = 0; count < 7; count++) end()
    expect(begun.join('')).toBe('aabcabaa')
  })

  test('one has seven eighths of the places at most, and another begins at once', () => {
    const { askAll, begun, admitted } = admitting({ running_max: 8, waiting_max: 10 })
    askAll('aaaaaaaaaab')
    expect(begun.join('')).toBe('aaaaaaab')
    expect(admitted).toMatchObject({ running: 8, waiting: 3 })
  })

  test('one that has a free place begins though another waits for its own', () => {
    const { askAll, end, begun } = admitting({ running_max: 8, waiting_max: 10 })
    askAll('aaaaaaaaab')
    end('b')
    askAll('b')
    expect(begun.join('')).toBe('aaaaaaabb')
  })

  test('the one with most in a full line gives up its newest for one of another', () => {
    const { askAll, refused, begun, end } = admitting({ running_max: 1, waiting_max: 4 })
    askAll('aaaaa')
    expect(refused).toEqual([])
    askAll('b')
    expect(refused).toEqual(['a'])
    // It has fewer than this one would make it have.
    askAll('bb')
    expect(refused).toEqual(['a', 'a', 'b'])
    askAll('a')
    expect(refused).toEqual(['a', 'a', 'b', 'a'])
    for (let count = 0; count < 5; count++) end()
    expect(begun.join('')).toBe('aabab')
  })
})

test('a flood of one takes neither the places nor the line from another', () => {
  const { ask, askAll, refused, end, begun } = admitting({ running_max: 8, waiting_max: 16 })
  let few = 0
  for (let turn = 0; turn < 200; turn++) {
    askAll('floodfloodflood'.replaceAll(/./g, 'f'))
    if (turn % 4 === 0) {
      ask('k')
      few++
    }
    end()
    end()
  }
  expect(refused).not.toContain('k')
  expect(begun.filter((caller) => caller === 'k').length).toBeGreaterThan(few - 3)
})

/** What may happen, in random order. */
const step = fc.record({ does: fc.constantFrom('ask', 'ask', 'ask', 'end', 'go away'), which: fc.nat(20) })

test('each request goes on once or is refused once, no more run or wait than may, nobody waits beside a free place, and all come back', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 9 }), fc.nat(6), (steps, running_max, waiting_max) => {
      const admitted = places({ running_max, waiting_max })
      const ends: ('goes' | 'refused' | 'went away' | undefined)[] = []
      const callers: string[] = []
      const running: { readonly caller: string; leave(): void }[] = []
      const waits = new Map<number, () => void>()
      const end = (index: number, how: 'goes' | 'refused' | 'went away') => {
        expect(ends[index]).toBeUndefined()
        ends[index] = how
        waits.delete(index)
      }
      for (const { does, which } of steps) {
        if (does === 'ask') {
          const [index, caller] = [ends.push(undefined) - 1, `key ${which % 3}`]
          callers.push(caller)
          const wouldRefuse = admitted.isFull(caller)
          const goes = (leave: () => void) => {
            end(index, 'goes')
            running.push({ caller, leave })
          }
          const goAway = admitted.enter(caller, goes, () => end(index, 'refused'))
          expect(ends[index] === 'refused').toBe(wouldRefuse)
          if (ends[index] === undefined) waits.set(index, goAway)
        } else if (does === 'end') {
          const [ended] = running.splice(which % Math.max(1, running.length), 1)
          ended?.leave()
          ended?.leave()
        } else {
          const [index, goAway] = [...waits][which % Math.max(1, waits.size)] ?? []
          if (index === undefined) continue
          end(index, 'went away')
          goAway?.()
          goAway?.()
        }
        const own = (caller: string) => running.filter((each) => each.caller === caller).length
        const mostOfOne = Math.ceil((running_max * 7) / 8)
        expect(admitted).toMatchObject({ running: running.length, waiting: waits.size })
        expect(running.length).toBeLessThanOrEqual(running_max)
        expect(waits.size).toBeLessThanOrEqual(waiting_max)
        for (const caller of new Set(callers)) expect(own(caller)).toBeLessThanOrEqual(mostOfOne)
        if (running.length < running_max) for (const index of waits.keys()) expect(own(callers[index] ?? '')).toBe(mostOfOne)
      }
      while (running.length > 0) running.shift()?.leave()
      expect(admitted).toMatchObject({ running: 0, waiting: 0 })
      expect(waits.size).toBe(0)
    }),
  )
})
