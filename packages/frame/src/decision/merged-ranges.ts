import type { Entity } from '@freehold/table'
import { compareKeys, grouped, parallelMap, type Stored } from '@freehold/table/runtime'
import { readRange } from './load.ts'
import { parseRecords, type Unusable } from './record.ts'
import type { Place, Sources } from './sources.ts'

/** A range whose sort keys end with ids, in their order, and what it lists: the holders of one role at one scope, say. */
export interface ListedRange<T> extends Place {
  readonly of: T
}

/** An id, and the ranges that list it. */
export type Candidate<T> = readonly [id: string, of: readonly T[]]

/** DynamoDB returns no more at once. */
const pageMax = 1000
/** DynamoDB's pages that one step reads at most, or that many items of many ranges (spec rule 14). */
const pagesMax = 10
const itemsMax = pagesMax * pageMax

/** How far a range is known. */
interface Reach<T> extends ListedRange<T> {
  /** Ids up to this one are known; undefined before the first read. */
  upTo: string | undefined
  isWhole: boolean
}

/** Ranges of one partition in the order in which they lie there, read together. */
interface Partition<T> {
  readonly reaches: readonly Reach<T>[]
  /** The sort key after which the next page begins; undefined before the first page. */
  after: string | undefined
  pages: number
  /** Nothing is gained by reading on. */
  isDone: boolean
}

/** Partitions of several ranges. */
function partitionsOf<T>(reaches: readonly Reach<T>[]): readonly Partition<T>[] {
  const several = [...grouped(reaches, ({ partition }) => partition).values()].filter(({ length }) => length > 1)
  return several.map((all) => ({
    reaches: all.sort((a, b) => compareKeys(a.range.from, b.range.from)),
    after: undefined,
    pages: 0,
    isDone: false,
  }))
}

/** As DynamoDB has them, which is not the order of JavaScript's texts beyond the basic plane. */
const inOrder = (ids: Iterable<string>) => [...ids].sort(compareKeys)
const isUpTo = (id: string, end: string) => compareKeys(id, end) <= 0

/**
 * The ids of several ranges in their order, each once. They only say where to look.
 *
 * If one page of each range is no more than a step may read, each range is read by itself. Of many ranges in one partition most may be empty, and a
 * request for each would cost more than what they hold. Then a partition is first read from its first range to its last, as far as that is worth it.
 * @param entity of the items in the ranges, or in those of each `of`
 * @param after the ids up to this one are passed over
 * @param told what is told of an item: its range, unless given
 */
export function mergedRanges<T>(
  { runtime }: Sources,
  entity: Entity | ((of: T) => Entity),
  ranges: readonly ListedRange<T>[],
  after: string | undefined,
  told: (of: T, item: Stored) => T = (of) => of,
) {
  const unusable: Unusable[] = []
  const pool = new Map<string, T[]>()
  let reaches = ranges.map((range): Reach<T> => ({ ...range, upTo: after, isWhole: false }))
  let isFirst = true

  const note = (reach: Reach<T>, items: readonly Stored[]) => {
    for (const item of items) {
      // The id is what follows the prefix, also of a malformed item.
      const id = String(item.SK).slice(reach.range.from.length)
      if (after !== undefined && isUpTo(id, after)) continue
      const known = pool.get(id)
      const of = told(reach.of, item)
      if (known === undefined) pool.set(id, [of])
      else known.push(of)
      reach.upTo = id
    }
    const own = typeof entity === 'function' ? entity(reach.of) : entity
    for (const each of parseRecords(own, items).unusable) unusable.push(each)
  }

  /** One page of a partition, from its first range to its last. */
  const readTogether = async (partition: Partition<T>, all: readonly Partition<T>[]) => {
    const { reaches: own } = partition
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined) return
    const range = { from: first.range.from, to: last.range.to }
    const { items, isLast } = await readRange(runtime, first.partition, range, { limit: pageMax, after: partition.after })
    const end = String(items.at(-1)?.SK)
    let next = 0
    for (const reach of own) {
      const { from, to } = reach.range
      while (next < items.length && !isUpTo(from, String(items[next]?.SK))) next++
      const begin = next
      while (next < items.length && isUpTo(String(items[next]?.SK), to)) next++
      if (reach.isWhole) continue
      note(reach, items.slice(begin, next))
      reach.isWhole = isLast || !isUpTo(end, to)
    }
    partition.after = end
    partition.pages++
    const known = own.filter(({ isWhole }) => isWhole).length
    const left = own.length - known
    // As many pages as the rest would take, judged by those before: no more than there are ranges, nor than a step may read.
    const pagesLeft = Math.ceil((left * partition.pages) / Math.max(1, known))
    partition.isDone = isLast || pagesLeft >= Math.min(left, pagesMax - all.reduce((sum, { pages }) => sum + pages, 0))
  }

  /** One page of each range that is not known as far as `count` ids could reach. */
  const readEach = async (count: number) => {
    const pivot = inOrder(pool.keys())[count - 1]
    const short = reaches.filter(({ isWhole, upTo }) => !isWhole && (pivot === undefined || upTo === undefined || !isUpTo(pivot, upTo)))
    const limit = Math.max(1, Math.min(count, pageMax, Math.floor(itemsMax / short.length)))
    await parallelMap(short, async (reach) => {
      const { partition, range, upTo } = reach
      const start = upTo === undefined ? undefined : `${range.from}${upTo}`
      const { items, isLast } = await readRange(runtime, partition, range, { limit, after: start })
      note(reach, items)
      reach.isWhole = isLast
    })
  }

  /** Ids up to where every range is known. */
  const settled = (): readonly string[] => {
    const ends = reaches.flatMap(({ isWhole, upTo }) => (isWhole ? [] : [upTo === undefined || upTo === after ? '' : upTo]))
    const [end] = inOrder(ends)
    return inOrder([...pool.keys()].filter((id) => end === undefined || isUpTo(id, end)))
  }

  return {
    unusable,
    /** No id is left. */
    get isExhausted() {
      return pool.size === 0 && this.areAllRead
    },
    /** Every range was read to its end. */
    get areAllRead() {
      return reaches.every(({ isWhole }) => isWhole)
    },
    /** Goes on with these ranges only. */
    keep: (isKept: (of: T) => boolean): void => {
      reaches = reaches.filter(({ of }) => isKept(of))
      for (const [id, of] of pool) {
        const kept = of.filter(isKept)
        if (kept.length === 0) pool.delete(id)
        else pool.set(id, kept)
      }
    },
    /**
     * Reads until so many ids are settled, or for so many round trips. If there is any id, it reads until one is settled. Gives the round trips that
     * it took.
     */
    read: async (count: number, steps_max: number): Promise<number> => {
      let steps = 0
      if (isFirst && reaches.length * Math.min(count, pageMax) > itemsMax) {
        const all = partitionsOf(reaches)
        for (let open = all; open.length > 0; steps++) {
          await parallelMap(open, (partition) => readTogether(partition, all))
          open = open.filter(({ isDone }) => !isDone)
        }
      }
      isFirst = false
      while (reaches.some(({ isWhole }) => !isWhole)) {
        const known = settled().length
        if (known >= count || (known > 0 && steps >= steps_max)) break
        await readEach(count)
        steps++
      }
      return steps
    },
    /** The next ids of which every range is known: at most so many, and at most so many items of theirs, but one id at least. */
    take: (count: number, items_max: number): readonly Candidate<T>[] => {
      const taken: Candidate<T>[] = []
      let items = 0
      for (const id of settled().slice(0, count)) {
        const of = pool.get(id) ?? []
        items += 1 + of.length
        if (taken.length > 0 && items > items_max) break
        taken.push([id, of])
        pool.delete(id)
      }
      return taken
    },
  }
}

export type Candidates<T> = ReturnType<typeof mergedRanges<T>>
