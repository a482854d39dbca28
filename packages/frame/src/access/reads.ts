import type { Entity, Item } from '@freehold/table'
import { type Awaitable, keyText, parallelMap } from '@freehold/table/runtime'
import { takeWhole } from '../decision/definition-reader.ts'
import { loadRange, loadRecords } from '../decision/load.ts'
import { type LoadResult, type Records, type Wanted, wanted } from '../decision/record.ts'
import type { Place, Sources } from '../decision/sources.ts'
import type { Ids } from './route.ts'

/** `fact`: read by every question. `definition`: `bounded` may take it from memory (spec rule 18). */
export type Sort = 'fact' | 'definition'

interface Entry {
  readonly at: Wanted
  result: LoadResult<unknown> | undefined
}
type Range = Records<Item<Entity>>
const rangeText = ({ partition, range }: Place) => `${partition}|${range.from}`

/**
 * The reads of one question. What is decided is a function of items; it asks for them here, and gets undefined for one that is not there yet. All that
 * it lacks is read in one round trip, and it is run again, until it lacks nothing.
 */
export function readsOf(sources: Sources) {
  const { definitions } = sources
  const entries = new Map<Entity, Map<string, Entry>>()
  const ranges = new Map<string, Range>()
  const lacking = { fact: new Set<Entry>(), definition: new Set<Entry>() }
  /** Definitions that will be wanted. */
  const ahead = new Set<Entry>()
  const lackingRanges = new Map<string, readonly [entity: Entity, place: Place, sort: Sort]>()

  /** Keys are formatted once, however often an item is asked for. */
  const entryOf = (entity: Entity, id: Ids): Entry => {
    let text = ''
    for (const name in id) text += `${id[name]}#`
    const known = entries.get(entity) ?? new Map<string, Entry>()
    if (known.size === 0) entries.set(entity, known)
    const entry = known.get(text) ?? { at: wanted(entity, id), result: undefined }
    known.set(text, entry)
    return entry
  }

  const takeRange = (entity: Entity, place: Place): Awaitable<Range> =>
    definitions.take(`range ${rangeText(place)}`, () => loadRange(sources, entity, place))

  const loadItems = async (all: readonly Entry[], sort: Sort) => {
    const places = all.map(({ at }) => at)
    const loaded = await (sort === 'fact' ? loadRecords(sources, places) : takeWhole(sources, places))
    for (const entry of all) entry.result = loaded(entry.at)
  }
  const taken = (set: Set<Entry>): readonly Entry[] => {
    const all = [...set]
    set.clear()
    return all
  }

  const load = async (): Promise<void> => {
    // The most frequent question wants nothing else.
    if (lacking.definition.size + lackingRanges.size + ahead.size === 0) return loadItems(taken(lacking.fact), 'fact')
    for (const entry of taken(ahead)) lacking.definition.add(entry)
    const work = [
      ...(['fact', 'definition'] as const).flatMap((sort) => {
        const all = taken(lacking[sort])
        return all.length === 0 ? [] : [() => loadItems(all, sort)]
      }),
      ...[...lackingRanges].map(([key, [entity, place, sort]]) => async () => {
        ranges.set(key, await (sort === 'fact' ? loadRange(sources, entity, place) : takeRange(entity, place)))
      }),
    ]
    lackingRanges.clear()
    await parallelMap(work, (read) => read())
  }

  return {
    item: (entity: Entity, id: Ids, sort: Sort): LoadResult<unknown> | undefined => {
      const entry = entryOf(entity, id)
      if (entry.result !== undefined) return entry.result
      const held = sort === 'definition' && definitions.holds(keyText(entry.at.key)) ? takeWhole(sources, [entry.at]) : undefined
      if (held === undefined || held instanceof Promise) lacking[sort].add(entry)
      else entry.result = held(entry.at)
      return entry.result
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
    ahead: (entity: Entity, id: Ids): void => {
      const entry = entryOf(entity, id)
      if (entry.result === undefined && !definitions.holds(keyText(entry.at.key))) ahead.add(entry)
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
    all: (): readonly LoadResult<unknown>[] => {
      const found = [...entries.values()].flatMap((of) => [...of.values()].flatMap(({ result }) => result ?? []))
      return ranges.size === 0 ? found : [...found, ...[...ranges.values()].flatMap(({ unusable }) => unusable)]
    },
  }
}

export type Reads = ReturnType<typeof readsOf>
