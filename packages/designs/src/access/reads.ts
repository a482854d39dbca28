import type { Entity, Item } from '@freehold/table'
import { type Awaitable, keyText, parallelMap } from '@freehold/table/runtime'
import { takeWhole } from '../decision/definition-reader.ts'
import { loadRange, loadRecords } from '../decision/load.ts'
import type { LoadResult, Records, Wanted } from '../decision/record.ts'
import type { Place, Sources } from '../decision/sources.ts'

/** `fact`: read by every question. `definition`: `bounded` may take it from memory (spec rule 18). */
export type Sort = 'fact' | 'definition'

type Range = Records<Item<Entity>>
const rangeText = ({ partition, range }: Place) => `${partition}|${range.from}`

/**
 * The reads of one question. What is decided is a function of items; it asks for them here, and gets undefined for one that is not there yet. All that
 * it lacks is read in one round trip, and it is run again, until it lacks nothing.
 */
export function readsOf(sources: Sources) {
  const { definitions } = sources
  const items = new Map<string, LoadResult<unknown>>()
  const ranges = new Map<string, Range>()
  const lacking = { fact: new Map<string, Wanted>(), definition: new Map<string, Wanted>() }
  /** Definitions that will be wanted. */
  const ahead = new Map<string, Wanted>()
  const lackingRanges = new Map<string, readonly [entity: Entity, place: Place, sort: Sort]>()

  const takeRange = (entity: Entity, place: Place): Awaitable<Range> =>
    definitions.take(`range ${rangeText(place)}`, () => loadRange(sources, entity, place))

  const loadItems = async (all: ReadonlyMap<string, Wanted>, sort: Sort) => {
    const wanted = [...all.values()]
    const loaded = await (sort === 'fact' ? loadRecords(sources, wanted) : takeWhole(sources, wanted))
    for (const [key, at] of all) items.set(key, loaded(at))
  }

  const load = async (): Promise<void> => {
    // The most frequent question wants nothing else.
    if (lacking.fact.size > 0 && lacking.definition.size + lackingRanges.size + ahead.size === 0) {
      const all = new Map(lacking.fact)
      lacking.fact.clear()
      return loadItems(all, 'fact')
    }
    for (const [key, at] of ahead) lacking.definition.set(key, at)
    ahead.clear()
    const work = [
      ...(['fact', 'definition'] as const).flatMap((sort) => {
        const all = new Map(lacking[sort])
        lacking[sort].clear()
        return all.size === 0 ? [] : [() => loadItems(all, sort)]
      }),
      ...[...lackingRanges].map(([key, [entity, place, sort]]) => async () => {
        ranges.set(key, await (sort === 'fact' ? loadRange(sources, entity, place) : takeRange(entity, place)))
      }),
    ]
    lackingRanges.clear()
    await parallelMap(work, (read) => read())
  }

  return {
    item: <E extends Entity>(at: Wanted<E>, sort: Sort): LoadResult<Item<E>> | undefined => {
      const key = keyText(at.key)
      if (!items.has(key)) {
        const taken = sort === 'definition' && definitions.holds(key) ? takeWhole(sources, [at]) : undefined
        if (taken === undefined || taken instanceof Promise) lacking[sort].set(key, at as unknown as Wanted)
        else items.set(key, taken(at))
      }
      // A key is asked for as an item of one entity.
      return items.get(key) as LoadResult<Item<E>> | undefined
    },
    range: (entity: Entity, place: Place, sort: Sort): Range | undefined => {
      const key = rangeText(place)
      if (!ranges.has(key)) {
        const taken = sort === 'definition' && definitions.holds(`range ${key}`) ? takeRange(entity, place) : undefined
        if (taken === undefined || taken instanceof Promise) lackingRanges.set(key, [entity, place, sort])
        else ranges.set(key, taken)
      }
      return ranges.get(key)
    },
    /** A definition that a later step wants: it is read beside the next items. */
    ahead: (at: Wanted): void => {
      const key = keyText(at.key)
      if (!items.has(key) && !definitions.holds(key)) ahead.set(key, at)
    },
    /** Reads what was wanted ahead, and is not there yet. */
    readAhead: async (): Promise<void> => {
      if (ahead.size > 0) await load()
    },
    settle: async <T>(decide: () => T): Promise<T> => {
      for (;;) {
        const decided = decide()
        if (lacking.fact.size + lacking.definition.size + lackingRanges.size === 0) return decided
        await load()
      }
    },
    /** All that was read: a page reports the malformed ones. */
    all: (): readonly LoadResult<unknown>[] => [...items.values(), ...[...ranges.values()].flatMap(({ unusable }) => unusable)],
  }
}

export type Reads = ReturnType<typeof readsOf>
