import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Outcome, type Simulated, type Stream, simulate } from '../../test/simulated-loop.ts'
import { type Admission, admission, type Place, type Refusal } from './admission.ts'
import { type AdmissionLimits, admissionUnlessGiven } from './limits.ts'
import { weights } from './weights.ts'

/** A `can` takes 0.5 ms of CPU: the thread can serve 2,000 of them in a second. */
const can = { cpu_ms: 0.5 } as const
const capacity = 2_000
const counted_s = 4
const refusal_ms = 0.02

const run = (streams: readonly Stream[], more: Partial<Parameters<typeof simulate>[0]> = {}): Promise<Simulated> =>
  simulate({ seconds: counted_s + 1, refusal_ms, streams, ...more })
const goodput = (outcome: Outcome | undefined) => (outcome?.good ?? Number.NaN) / counted_s

describe('with more requests than the thread can serve', () => {
  test.each([1.2, 2, 4])('at %d times as many, goodput stays at four fifths, and a turn of the loop is short', async (factor) => {
    const { outcomes, turn_ms_max } = await run([{ caller: 'a', rate: capacity * factor, ...can }])
    expect(goodput(outcomes[0])).toBeGreaterThan(capacity * 0.8)
    expect(turn_ms_max).toBeLessThan(60)
  })

  test('those that are served are served in time, and the others told in time', async () => {
    const { outcomes } = await run([{ caller: 'a', rate: capacity * 4, ...can }])
    expect(outcomes[0]?.good).toBe(outcomes[0]?.served)
    expect(outcomes[0]?.refused.share).toBe(0)
  })

  test('without them nothing is refused', async () => {
    const { outcomes } = await run([{ caller: 'a', rate: capacity * 0.9, ...can }])
    expect(outcomes[0]?.refused).toEqual({ share: 0, overload: 0 })
  })
})

test('a table that answers slowly has more requests at once, and one that answers at once has few', async () => {
  const slow = await run([{ caller: 'a', rate: 1_000, ...can }], { table_ms: 60 })
  expect(slow.running_max).toBeGreaterThan(100)
  expect(slow.outcomes[0]?.refused).toEqual({ share: 0, overload: 0 })
  expect((await run([{ caller: 'a', rate: capacity * 4, cpu_ms: 2 }])).end.limit).toBeLessThan(64)
})

describe('among keys', () => {
  test('the one with few requests gets all of them, and the other is told that it has more than its share', async () => {
    const { outcomes } = await run([
      { caller: 'many', rate: capacity * 4, ...can },
      { caller: 'few', rate: capacity / 10, ...can },
    ])
    const [many, few] = outcomes
    // Those of the last moments are under way.
    expect(goodput(few)).toBeGreaterThan((capacity / 10) * 0.95)
    expect(few?.refused.overload).toBe(0)
    expect(goodput(many)).toBeGreaterThan(capacity * 0.6)
    expect(many?.refused.share).toBeGreaterThan(0)
    expect(few?.refused.share).toBe(0)
  })

  test('heavy requests of one do not keep the light ones of another waiting', async () => {
    const { outcomes } = await run([
      { caller: 'lists', rate: 100, cpu_ms: 50, weight: 102 },
      { caller: 'asks', rate: capacity / 10, ...can },
    ])
    const [lists, asks] = outcomes
    expect(goodput(asks)).toBeGreaterThan((capacity / 10) * 0.95)
    expect(lists?.served).toBeGreaterThan(20)
  })

  test('a heavy request begins although light ones keep coming', async () => {
    const { outcomes } = await run([
      { caller: 'lists', rate: 5, cpu_ms: 5, weight: 102 },
      { caller: 'asks', rate: capacity * 2, ...can },
    ])
    expect(goodput(outcomes[0])).toBeGreaterThan(4)
  })

  test('made-up keys are one lane, whose addresses take turns', async () => {
    const { outcomes } = await run([
      { caller: 'known', rate: capacity / 4, ...can },
      { named: () => ({ address: '192.0.2.1' }), rate: capacity * 4, ...can },
      { named: () => ({ address: '192.0.2.2' }), rate: 20, ...can },
    ])
    const [known, attacker, stranger] = outcomes
    expect(goodput(known)).toBeGreaterThan((capacity / 4) * 0.95)
    expect([known?.refused, stranger?.refused]).toEqual([
      { share: 0, overload: 0 },
      { share: 0, overload: 0 },
    ])
    expect(goodput(stranger)).toBeGreaterThan(18)
    expect(attacker?.refused.share).toBe(0)
  })
})

/** All places are free, and requests wait for as long as the test likes. */
function admitting(limits: Partial<AdmissionLimits>) {
  const clock = { now_ms: 0 }
  const { enter, tick, load } = admission({ ...admissionUnlessGiven, ...limits }, () => clock.now_ms)
  const refused: (readonly [name: string, why: Refusal])[] = []
  const places: Place[] = []
  const begun: (string | undefined)[] = []
  const ask = (caller: string | undefined) => {
    const goes = (place: Place) => {
      places.push(place)
      begun.push(caller)
    }
    enter({ caller, address: '192.0.2.1' }, goes, (why) => refused.push([caller ?? 'stranger', why]))
  }
  return { ask, begun, clock, load, places, refused, tick: () => tick({ delay_ms: 0, utilization: 0 }) }
}
const eight = { running_max: 8, running_min: 8 } as const

describe('a weight', () => {
  test.each([1e300, Number.POSITIVE_INFINITY, 1e9])('of %d spends no more turns than the heaviest that there is', async (weight) => {
    const { ask, begun, places } = admitting(eight)
    ask('greedy')
    await places[0]?.grow(weight)
    places.pop()?.leave()
    // The heaviest has a thousand turns before it.
    for (let turns = 0; turns < 1_100; turns++) {
      ask('other')
      places.pop()?.leave()
    }
    for (let count = 0; count < 7; count++) ask('other')
    ask('third')
    for (let count = 0; count < 20; count++) ask('other')
    ask('greedy')
    begun.length = 0
    for (let count = 0; count < 4; count++) places.shift()?.leave()
    expect(begun).toHaveLength(4)
    expect(begun).toContain('greedy')
  })

  test.each([Number.NaN, -1, 0])('of %d is that of a place', (weight) => {
    const { ask, load, places } = admitting(eight)
    ask('a')
    expect([places[0]?.grow(weight), load().running]).toEqual([undefined, 1])
  })

  test('that is a fraction leaves no part of a place behind', async () => {
    const { ask, load, places } = admitting({ running_max: 256, running_min: 256 })
    for (const weight of [2.1, 1.7, 3.3, 4.9]) {
      ask('a')
      await places.at(-1)?.grow(weight)
      expect(Number.isInteger(load().running)).toBe(true)
    }
    for (const place of places) place.leave()
    expect(load().running).toBe(0)
  })

  test.each([
    [{ limit: '1e300' }, 52],
    [{ limit: 1e300 }, 52],
    [{ limit: { toString: 1 } }, 7],
    [{ limit: [5000] }, 7],
    [{ limit: -1 }, 7],
    [{ limit: 'many' }, 7],
    [{ limit: 200 }, 12],
    [{ page: { limit: { toString: 1 } } }, 7],
    [{ page: { limit: 1e300 } }, 52],
  ])('of a page with %j is %d', (body, weight) => {
    expect(weights.what({ query: new Map(), body })).toBe(weight)
  })
})

describe('the reason of a refusal', () => {
  test('is the load for a lone key, whose own requests were unknown before', () => {
    const { ask, clock, refused, tick } = admitting({ ...eight, waiting_max: 4 })
    ask(undefined)
    for (let count = 0; count < 12; count++) ask('lone')
    clock.now_ms += 10_000
    tick()
    expect(refused.length).toBeGreaterThan(4)
    expect(new Set(refused.map(([, why]) => why))).toEqual(new Set(['overload']))
  })

  test('is told by the queue as it was before those went that had waited too long', () => {
    const { ask, clock, refused, tick } = admitting({ ...eight, waiting_max: 100 })
    for (let count = 0; count < 8; count++) ask(undefined)
    // Strangers have seven of the eight places, so that the first of these runs.
    for (let count = 0; count < 2; count++) ask('few')
    for (let count = 0; count < 9; count++) ask('many')
    clock.now_ms += 10_000
    tick()
    const count = (name: string, reason: Refusal) => refused.filter(([of, why]) => of === name && why === reason).length
    expect([count('few', 'overload'), count('many', 'share')]).toEqual([1, 9])
  })
})

/** What may happen to a request, in random order. */
type Step = { readonly does: 'enter' | 'grow' | 'leave' | 'go away' | 'tick'; readonly which: number; readonly weight: number }

test('each request goes on once or is refused once, no more run than may, and all places come back', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    does: fc.constantFrom('enter', 'enter', 'enter', 'grow', 'leave', 'leave', 'go away', 'tick'),
    which: fc.nat(20),
    weight: fc.integer({ min: 1, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
      let now_ms = 0
      const limits = { ...admissionUnlessGiven, running_max: 12, running_min: 4, waiting_max: 6 }
      const admitting: Admission = admission(limits, () => now_ms)
      const places: Place[] = []
      const waiting = new Map<number, () => void>()
      const ends: ('goes' | Refusal | 'went away' | undefined)[] = []
      const grown: Promise<Refusal | undefined>[] = []
      const end = (index: number, how: 'goes' | Refusal | 'went away') => {
        expect(ends[index]).toBeUndefined()
        ends[index] = how
        waiting.delete(index)
      }
      for (const { does, which, weight } of steps) {
        now_ms += which
        if (does === 'enter') {
          const index = ends.push(undefined) - 1
          const caller = which % 4 === 0 ? undefined : `key ${which % 4}`
          const goes = (place: Place) => {
            end(index, 'goes')
            places.push(place)
          }
          const goAway = admitting.enter({ caller, address: `192.0.2.${which % 3}` }, goes, (why) => end(index, why))
          if (ends[index] === undefined) waiting.set(index, goAway)
        } else if (does === 'grow') grown.push(places.at(which % places.length)?.grow(weight) ?? Promise.resolve(undefined))
        else if (does === 'leave') places.splice(which, 1)[0]?.leave()
        else if (does === 'go away') {
          const [index, goAway] = [...waiting][which] ?? []
          goAway?.()
          if (index !== undefined) end(index, 'went away')
        } else admitting.tick({ delay_ms: weight, utilization: which / 20 })
        const { running, limit, waiting: count } = admitting.load()
        expect(running).toBeLessThanOrEqual(12)
        expect(limit).toBeGreaterThanOrEqual(4)
        expect(count).toBeGreaterThanOrEqual(waiting.size)
      }
      // Those that still wait are refused in time, and everything that runs ends.
      now_ms += 10_000
      for (let rounds = 0; rounds < 3; rounds++) {
        for (const place of places.splice(0)) place.leave()
        admitting.tick({ delay_ms: 0, utilization: 0 })
        await Promise.resolve()
      }
      await Promise.all(grown)
      expect(ends).not.toContain(undefined)
      for (const place of places) place.leave()
      expect(admitting.load()).toMatchObject({ running: 0, waiting: 0 })
    }),
  )
})

test('a queue that stands has no more requests than run: further ones are refused at once', () => {
  let now_ms = 0
  const limits = { ...admissionUnlessGiven, running_max: 4, running_min: 4, waiting_max: 50 }
  const admitting = admission(limits, () => now_ms)
  const asking = { caller: 'a', address: '192.0.2.1' }
  const enter = () =>
    admitting.enter(
      asking,
      () => undefined,
      () => undefined,
    )
  for (let count = 0; count < 20; count++) enter()
  expect(admitting.wouldRefuse(asking)).toBeUndefined()
  // The queue has not been empty for more than a second.
  for (now_ms = 900; now_ms <= 1_100; now_ms += 100) {
    enter()
    admitting.tick({ delay_ms: 0, utilization: 0 })
  }
  expect(admitting.wouldRefuse(asking)).toBeUndefined()
  for (let count = 0; count < 20; count++) enter()
  expect(admitting.load().waiting).toBe(admitting.load().limit)
  expect(admitting.wouldRefuse(asking)).toBe('overload')
})

test('a queue that stands has as many requests as can be served in half of their patience, if these are more than run', () => {
  const { ask, clock, load, places, tick } = admitting({ ...eight, waiting_max: 1_000 })
  for (let count = 0; count < 20; count++) ask('a')
  // One is served each millisecond, and a few more come, for more than the second after which the queue stands.
  for (let turn = 0; turn < 1_500; turn++) {
    clock.now_ms++
    places.shift()?.leave()
    ask('a')
    if (turn % 20 === 0) {
      ask('a')
      tick()
    }
  }
  for (let count = 0; count < 200; count++) ask('a')
  expect(load().waiting).toBe(admissionUnlessGiven.standing_ms_max / 2)
})
