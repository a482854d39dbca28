import { type KeyRange, parallelMap, type Stored } from '@freehold/table/runtime'
import { readRange } from '../../decision/load.ts'
import { type LoadResult, parseRecords } from '../../decision/record.ts'
import { placeBefore, placeOf, type Sources } from '../../decision/sources.ts'
import { ScopeAssignment } from '../design.ts'
import type { Scope } from './place.ts'

/** A role at a scope: where its holders are listed, in the order of their ids. */
export interface Holding extends Scope {
  readonly role_id: string
}

/** A user, and where it was found. */
export type Candidate = readonly [user_id: string, holdings: readonly Holding[]]

/** Who may have one of many roles at one of several scopes: users in the order of their ids, each once. The mirrors only say where to look. */
export interface Candidates {
  /** Reads on until so many are settled, or for so many round trips; until somebody is, if there is anybody. Gives the round trips that it took. */
  read(count: number, steps_max: number): Promise<number>
  /** The next users of whom every holding is known: at most so many, and at most so many items of theirs, but one user at least. */
  take(count: number, items_max: number): readonly Candidate[]
  /** Nobody is left. */
  readonly isExhausted: boolean
  readonly unusable: readonly LoadResult<unknown>[]
}

/** DynamoDB returns no more at once. */
const pageMax = 1000
/** DynamoDB's pages that one step reads at most, or that many items of many ranges (spec rule 14). */
const pagesMax = 10
const itemsMax = pagesMax * pageMax

/** How far the holders of one role at one scope are known. */
interface Reach {
  readonly holding: Holding
  readonly partition: string
  readonly range: KeyRange
  /** Users up to this one are known; undefined before the first read. */
  upTo: string | undefined
  isWhole: boolean
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}

const inOrder = (ids: Iterable<string>) => [...ids].sort((a, b) => (a < b ? -1 : 1))

const { range: allRoles } = placeOf(ScopeAssignment, { scope_type: '-', scope_id: '-' })
/** No id holds a `#`. */
const roleOf = (SK: string): string => SK.slice(allRoles.from.length, SK.indexOf('#', allRoles.from.length))

/** The roles of one scope that are not known yet, in the order in which they lie there. */
interface Collection {
  readonly reaches: readonly Reach[]
  /** Where to go on; undefined before the first page. */
  after: string | undefined
  pages: number
  /** Nothing is gained by reading on. */
  isDone: boolean
}

/**
 * Where there are so few ranges that one page of each is no more than a step may read, each is read by itself. Of many roles most have no holder at
 * most scopes, and a request for each would cost more than what they have: then the scope's assignments are read parallel, role by role, as far as that
 * is worth it, and the rest range by range.
 */
export function candidatesOf({ runtime }: Sources, holdings: readonly Holding[], after: string | undefined): Candidates {
  const unusable: LoadResult<unknown>[] = []
  const pool = new Map<string, Holding[]>()
  const reaches = holdings.map((holding): Reach => {
    return { holding, ...placeBefore(ScopeAssignment, { ...holding }, 'user_id'), upTo: after, isWhole: false }
  })
  const collections = [...grouped(reaches, ({ partition }) => partition).values()].map((all): Collection => {
    return { reaches: all.sort((a, b) => (a.range.from < b.range.from ? -1 : 1)), after: undefined, pages: 0, isDone: false }
  })
  let isFirst = true

  /** What follows the prefix is the user's id, also of a malformed item. */
  const note = (reach: Reach, items: readonly Stored[]) => {
    for (const { SK } of items) {
      const user_id = String(SK).slice(reach.range.from.length)
      if (after !== undefined && user_id <= after) continue
      const known = pool.get(user_id)
      if (known === undefined) pool.set(user_id, [reach.holding])
      else known.push(reach.holding)
      reach.upTo = user_id
    }
    for (const each of parseRecords(ScopeAssignment, items).unusable) unusable.push(each)
  }

  const readReach = async (reach: Reach, limit: number) => {
    const start = reach.upTo === undefined ? undefined : `${reach.range.from}${reach.upTo}`
    const { items, isLast } = await readRange(runtime, reach.partition, reach.range, { limit, after: start })
    note(reach, items)
    reach.isWhole = isLast
  }

  /** One page of a scope's assignments, from the first of the roles to the last. */
  const readTogether = async (collection: Collection) => {
    const { reaches: all } = collection
    const [first, last] = [all[0], all.at(-1)]
    if (first === undefined || last === undefined) return
    const range = { from: first.range.from, to: last.range.to }
    const { items, isLast } = await readRange(runtime, first.partition, range, { limit: pageMax, after: collection.after })
    const end = items.at(-1)?.SK
    const byRole = grouped(items, ({ SK }) => roleOf(String(SK)))
    for (const reach of all) {
      const own = byRole.get(roleOf(reach.range.from)) ?? []
      if (reach.isWhole) continue
      note(reach, own)
      reach.isWhole = isLast || reach.range.to < String(end)
    }
    collection.after = String(end)
    collection.pages++
    const known = all.filter(({ isWhole }) => isWhole).length
    const left = all.length - known
    // As many pages as the rest would take, judged by those before: no more than there are ranges, nor than a step may read.
    const pagesLeft = Math.ceil((left * collection.pages) / Math.max(1, known))
    collection.isDone = isLast || pagesLeft >= Math.min(left, pagesMax - collections.reduce((sum, { pages }) => sum + pages, 0))
  }

  const horizon = (): string | undefined => {
    let least: string | undefined
    for (const { isWhole, upTo } of reaches) {
      if (isWhole) continue
      // Nobody of it is known.
      if (upTo === undefined || upTo === after) return after ?? ''
      if (least === undefined || upTo < least) least = upTo
    }
    return least
  }
  const settled = (): readonly string[] => {
    const end = horizon()
    return inOrder([...pool.keys()].filter((user_id) => end === undefined || user_id <= end))
  }

  const readRanges = async (count: number) => {
    const open = reaches.filter(({ isWhole }) => !isWhole)
    // Those that are known as far as the page could reach are not read on.
    const pivot = inOrder(pool.keys())[count - 1]
    const short = open.filter(({ upTo }) => pivot === undefined || upTo === undefined || upTo < pivot)
    const limit = Math.max(1, Math.min(count, pageMax, Math.floor(itemsMax / short.length)))
    await parallelMap(short, (reach) => readReach(reach, limit))
  }

  return {
    unusable,
    get isExhausted() {
      return pool.size === 0 && reaches.every(({ isWhole }) => isWhole)
    },
    read: async (count, steps_max) => {
      let steps = 0
      if (isFirst && reaches.length * Math.min(count, pageMax) > itemsMax) {
        for (let open = collections; open.length > 0; steps++) {
          await parallelMap(open, readTogether)
          open = open.filter(({ isDone }) => !isDone)
        }
      }
      isFirst = false
      while (reaches.some(({ isWhole }) => !isWhole)) {
        const known = settled().length
        if (known >= count || (known > 0 && steps >= steps_max)) break
        await readRanges(count)
        steps++
      }
      return steps
    },
    take: (count, items_max) => {
      const taken: Candidate[] = []
      let items = 0
      for (const user_id of settled().slice(0, count)) {
        const found = pool.get(user_id) ?? []
        items += 1 + found.length
        if (taken.length > 0 && items > items_max) break
        taken.push([user_id, found])
        pool.delete(user_id)
      }
      return taken
    },
  }
}
