import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownCatalogue } from '../../test/catalogue/table.ts'
import { codeOf } from '../../test/depot/refused.ts'
import type { Awaitable } from '../awaitable.ts'
import { type Cost, meter, metered, parallel, parallelMap, placesFor } from './meter.ts'

/** A request of one read unit that is answered after so many turns of the event loop. */
async function request(turns = 1): Promise<void> {
  const wait = async () => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  await metered(false, wait, () => 1)
}

const failing = () =>
  metered(
    true,
    () => Promise.reject(new Error('refused')),
    () => 1,
  )

/** Requests, each waiting for the one before. */
async function chain(length: number, turns?: number): Promise<void> {
  for (let index = 0; index < length; index++) await request(turns)
}

const costOf = async (work: () => Promise<unknown>): Promise<Cost> => (await meter(work)).cost
const trips = async (work: () => Promise<unknown>) => {
  const { roundTrips, requests } = await costOf(work)
  return [roundTrips, requests]
}
const pieces = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('round trips', () => {
  test('are the requests where each waits for the one before', async () => {
    expect(await trips(async () => {})).toEqual([0, 0])
    expect(await trips(() => chain(3))).toEqual([3, 3])
  })

  test('of requests that are sent at once are one', async () => {
    expect(await trips(() => Promise.all([request(1), request(5), request(2)]))).toEqual([1, 3])
  })

  test('of pieces side by side are those of the longest, whichever ends last', async () => {
    expect(await trips(() => parallelMap([1, 4, 2], (length) => chain(length, 5 - length)))).toEqual([4, 7])
    expect(
      await trips(() =>
        parallel(
          () => chain(3),
          () => request(20),
          async () => 'no request',
        ),
      ),
    ).toEqual([3, 4])
    expect(await trips(() => parallelMap([], () => request()))).toEqual([0, 0])
  })

  test('before and after pieces side by side add up', async () => {
    const work = async () => {
      await chain(2)
      await parallelMap([1, 3], (length) => chain(length))
      await request()
    }
    expect(await trips(work)).toEqual([6, 7])
  })

  test('of pieces within pieces are those of the longest path', async () => {
    const inner = (length: number) => async () => {
      await request()
      await parallelMap([length, 1], (each) => chain(each))
      await request()
    }
    expect(await trips(() => parallel(inner(1), inner(5), inner(2)))).toEqual([7, 17])
  })

  test('do not depend on how many pieces are sent at once: at most 64 are, all are done, in order', async () => {
    let [atOnce, most] = [0, 0]
    const { result, cost } = await meter(() =>
      parallelMap(pieces(300), async (piece, index) => {
        most = Math.max(most, ++atOnce)
        await chain(2, (piece % 3) + 1)
        atOnce--
        return piece * 1_000 + index
      }),
    )
    expect(result).toEqual(pieces(300).map((index) => index * 1_001))
    expect([cost.roundTrips, cost.requests, cost.readUnits, most]).toEqual([2, 600, 600, 64])
  })
})

describe('a failure', () => {
  test('is thrown, and what was sent until then is counted in the meter around it', async () => {
    const work = async () => {
      await request()
      await parallelMap([0, 1, 2], (index) => (index === 1 ? failing() : chain(2))).catch(() => {})
      await request()
    }
    expect(await costOf(work)).toEqual({ roundTrips: 4, requests: 7, readUnits: 6, writeUnits: 0 })
    await expect(meter(failing)).rejects.toThrow('refused')
    expect(await trips(() => meter(failing).catch(() => request()))).toEqual([2, 2])
  })

  test('keeps what has not begun from beginning, and waits for what has', async () => {
    const begun: number[] = []
    let underWay = 0
    const work = parallelMap(pieces(200), async (piece) => {
      begun.push(piece)
      underWay++
      try {
        await request(piece === 3 ? 1 : 3)
        if (piece === 3) throw new Error('the fourth')
      } finally {
        underWay--
      }
    })
    await expect(work).rejects.toThrow('the fourth')
    expect([begun.length, underWay]).toEqual([64, 0])
  })

  test('of several is the first of the list', async () => {
    const work = parallelMap([3, 1, 2], async (turns) => {
      await request(turns)
      throw new Error(`after ${turns}`)
    })
    await expect(work).rejects.toThrow('after 3')
  })
})

interface Piece {
  readonly ends: 'well' | 'there' | 'badly' | 'at once'
  readonly turns: number
}

/** What becomes of pieces: their results or the failure, what began, and what had ended by then. */
async function courseOf(all: readonly Piece[], map: typeof parallelMap<Piece, number>) {
  const begun: number[] = []
  const ended: number[] = []
  const work = ({ ends, turns }: Piece, index: number): Awaitable<number> => {
    begun.push(index)
    if (ends === 'at once') throw new Error(`${index}`)
    if (ends === 'there') {
      ended.push(index)
      return index * 2
    }
    return request(turns).then(() => {
      ended.push(index)
      if (ends === 'badly') throw new Error(`${index}`)
      return index * 2
    })
  }
  const outcome = await map(all, work).catch((error: unknown) => error)
  return { outcome, begun, ended: [...ended].sort((a, b) => a - b) }
}

test('pieces that nobody counts go as those that wait for places and are counted', async () => {
  const well = { weight: 8, arbitrary: fc.constantFrom('well' as const, 'there' as const) }
  const ends = fc.oneof(well, fc.constantFrom('badly' as const, 'at once' as const))
  const piece = fc.record({ ends, turns: fc.integer({ min: 0, max: 4 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (all) => {
      const course = await courseOf(all, parallelMap)
      expect(await courseOf(all, (items, work) => parallelMap(items, work, placesFor(64)))).toEqual(course)
      expect((await meter(() => courseOf(all, parallelMap))).result).toEqual(course)
    }),
    { numRuns: 300 },
  )
})

describe('meters', () => {
  test('within meters count for those around them', async () => {
    const seen: Cost[] = []
    const work = async () => {
      await request()
      seen.push(await costOf(() => chain(2)))
      seen.push(await costOf(() => parallelMap([1, 2], (length) => chain(length))))
      await request()
    }
    const whole = await costOf(work)
    expect(seen.map(({ roundTrips, requests }) => [roundTrips, requests])).toEqual([
      [2, 2],
      [2, 3],
    ])
    expect(whole).toEqual({ roundTrips: 6, requests: 7, readUnits: 7, writeUnits: 0 })
  })

  test('side by side count for themselves, and together as the longest', async () => {
    const { result, cost } = await meter(() => parallelMap([1, 3, 2], (length) => costOf(() => chain(length))))
    expect(result.map(({ roundTrips }) => roundTrips)).toEqual([1, 3, 2])
    expect([cost.roundTrips, cost.requests]).toEqual([3, 6])
    const { result: promised, cost: both } = await meter(() => Promise.all([costOf(() => chain(1)), costOf(() => chain(3))]))
    expect(promised.map(({ roundTrips }) => roundTrips)).toEqual([1, 3])
    expect([both.roundTrips, both.requests]).toEqual([3, 4])
  })

  test('of work that runs beside each other do not mix', async () => {
    const [one, two] = await Promise.all([costOf(() => chain(2, 3)), costOf(() => chain(5))])
    expect([one.requests, two.requests]).toEqual([2, 5])
    await request()
  })
})

test('units are what DynamoDB says: of reads and of writes, of tables and of indexes', async () => {
  const table = await ownCatalogue()
  const book = { shelf: 's', genre: 'g', id: 'a' }
  // One item in the table and one in the index, in which it gets its keys; as a transaction it counts twice in the table.
  expect(await costOf(() => table.Book.create({ ...book, state: 'in' }))).toEqual({
    roundTrips: 1,
    requests: 1,
    readUnits: 0,
    writeUnits: 3,
  })
  expect(await costOf(() => table.Book.get(book))).toEqual({ roundTrips: 1, requests: 1, readUnits: 0.5, writeUnits: 0 })
  expect(await costOf(() => table.Book.get(book, { consistent: true }))).toMatchObject({ readUnits: 1 })
  // Read, then written.
  expect(await costOf(() => table.Book.update(book, { pages: 5 }))).toEqual({ roundTrips: 2, requests: 2, readUnits: 1, writeUnits: 2 })
  const more = { ...book, id: 'b' }
  const steps = { one: { verb: 'create', entity: table.Book.entity, input: more } } as const
  expect(await costOf(() => table.transact(steps))).toMatchObject({ requests: 1, writeUnits: 2 })
  expect(await costOf(() => table.Book.getMany([book, more]))).toMatchObject({ requests: 1, readUnits: 1 })
  expect(await costOf(() => table.shelf({ shelf: 's' }))).toMatchObject({ requests: 1, readUnits: 0.5 })
  expect(await costOf(() => codeOf(table.Book.get({} as never)))).toMatchObject({ requests: 0 })
})
