import type { Entity, Item } from '@freehold/table'
import { keyPlaceholders, keyText, parallelMap, type Stored } from '@freehold/table/runtime'
import { type DefinitionReader, takeRecords } from '../decision/definition-reader.ts'
import { type Loaded, loadRange, loadRecords, readRange } from '../decision/load.ts'
import { type LoadResult, parseRecord, type Records, type Unusable, type Wanted, wanted } from '../decision/record.ts'
import type { Place, Sources } from '../decision/sources.ts'
import { type Fields, placeIn, textOf } from './link.ts'
import { loadTied, type Tied } from './load-tied.ts'
import type { Ids, Listing, Naming, Sort, TiedNode } from './tie.ts'

/** An item that is asked for. Its key is formatted once it is read: most definitions are in memory. */
interface Entry {
  readonly entity: Entity
  readonly id: Ids
  result: LoadResult<unknown> | undefined
  loaded: Loaded | undefined
}

/** A stretch of a range: at most `limit` items, from after a sort key. */
export interface Stretch extends Place {
  readonly after: string | undefined
  readonly limit: number
}
export interface StretchRead {
  readonly items: readonly Stored[]
  readonly isLast: boolean
}
const stretchText = ({ partition, range, after }: Stretch) => JSON.stringify([partition, range.from, after])

type Range = Records<Item<Entity>>

/** Of each kind, what was found by its text. The text of one id is there already: none is made. */
type ByText<K, V> = Map<K, Map<string, V>>

function of<K, V>(all: ByText<K, V>, kind: K): Map<string, V> {
  let known = all.get(kind)
  if (known === undefined) {
    known = new Map()
    all.set(kind, known)
  }
  return known
}

// No key has a control character.
function memoryText({ entity, id }: Entry): string {
  let text = entity.name
  for (const name of keyPlaceholders(entity)) text += `\u0000${id[name]}`
  return text
}
const wantedOf = ({ entity, id }: Entry): Wanted => wanted(entity, id)

/**
 * The reads of one question. What is decided is a function of items; it asks for them here, and gets undefined for one that is not there yet. All that
 * it lacks is read in one round trip, and it is run again, until it lacks nothing.
 */
export function readsOf(sources: Sources) {
  const { definitions } = sources
  const entries: Entry[] = []
  /** By the attributes of their keys, one after another: no text is made of them. */
  const byEntity: ByText<Entity, unknown> = new Map()
  const ranges = new Map<string, Range>()
  const tied: ByText<TiedNode, Tied> = new Map()
  // Most questions have none of these.
  let made: ByText<object, unknown> | undefined
  let stretches: Map<string, StretchRead> | undefined
  /** Items of stretches, by the texts of their keys. */
  let seen: Map<string, Stored> | undefined
  let lackingIds: ByText<object, unknown> | undefined
  const lacking = { fact: new Set<Entry>(), definition: new Set<Entry>() }
  /** Definitions that will be wanted. */
  const ahead = new Set<Entry>()
  /** Ranges, and nodes with what ties them, by their texts. */
  const lackingMore = new Map<string | object, () => Promise<void>>()
  const aheadMore = new Map<string, () => Promise<void>>()

  const entryOf = (entity: Entity, id: Ids): Entry => {
    const names = keyPlaceholders(entity)
    const last = names.length - 1
    let level = of(byEntity, entity)
    // All levels but the last hold others, and that holds entries.
    for (let index = 0; index < last; index++) level = of(level as ByText<string, unknown>, id[names[index] ?? ''] ?? '')
    const text = id[names[last] ?? ''] ?? ''
    const known = level.get(text) as Entry | undefined
    if (known !== undefined) return known
    const entry: Entry = { entity, id, result: undefined, loaded: undefined }
    level.set(text, entry)
    entries.push(entry)
    return entry
  }

  const loadItems = async (all: readonly Entry[], sort: Sort) => {
    if (sort === 'definition') {
      const byText = new Map(all.map((entry) => [memoryText(entry), entry]))
      const loaded = await takeRecords(sources, byText, wantedOf, (result): LoadResult<unknown> => result)
      for (const entry of all) entry.result = loaded.get(memoryText(entry))
      return
    }
    const places = all.map((entry) => ({ entry, at: wantedOf(entry) }))
    const loaded = await loadRecords(
      sources,
      places.map(({ at }) => at),
    )
    for (const { entry, at } of places) {
      entry.result = loaded(at)
      // It holds all that was read beside. Only from a tenant guests are hidden.
      if (sources.runtime.tenantScope !== undefined) entry.loaded = loaded
    }
  }
  const taken = (set: Set<Entry>): readonly Entry[] => {
    const all = [...set]
    set.clear()
    return all
  }

  const load = (): Promise<unknown> => {
    for (const entry of taken(ahead)) if (entry.result === undefined) lacking.definition.add(entry)
    const work: (() => Promise<void>)[] = []
    for (const sort of ['fact', 'definition'] as const) {
      if (lacking[sort].size === 0) continue
      const all = taken(lacking[sort])
      work.push(() => loadItems(all, sort))
    }
    for (const [text, read] of aheadMore) if (!lackingMore.has(text)) work.push(read)
    for (const read of lackingMore.values()) work.push(read)
    lackingMore.clear()
    aheadMore.clear()
    const [only] = work
    // The most frequent question wants nothing else.
    return only !== undefined && work.length === 1 ? only() : parallelMap(work, (read) => read())
  }

  /** An item that is read beside the next ones is not read by itself. */
  const heldItem = (entry: Entry): LoadResult<unknown> | undefined => {
    entry.result ??= definitions.held<LoadResult<unknown>>(memoryText(entry))?.value
    return entry.result
  }
  const heldDefinition = <I, V>(reader: DefinitionReader<I, V>, id: I): V | undefined => {
    made ??= new Map()
    const all = of(made, reader)
    const text = reader.keyOf(id)
    let known = all.get(text)
    if (known === undefined) {
      known = definitions.held(text)?.value
      if (known !== undefined) all.set(text, known)
    }
    // A key stands for one kind of value.
    return known as V | undefined
  }
  const readFact = (entry: Entry): LoadResult<unknown> | undefined => {
    const stored = entry.result === undefined ? seen?.get(keyText(wantedOf(entry).key)) : undefined
    if (stored !== undefined) entry.result = parseRecord(wantedOf(entry), stored)
    return entry.result
  }
  const tiedText = ({ name }: TiedNode, ids: Ids) => `${name} ${textOf(ids)}`

  return {
    item: (entity: Entity, id: Ids, sort: Sort): LoadResult<unknown> | undefined => {
      const entry = entryOf(entity, id)
      const result = entry.result ?? (sort === 'definition' ? heldItem(entry) : undefined)
      if (result === undefined) lacking[sort].add(entry)
      return result
    },
    /**
     * A fact, of the type of its entity.
     * @param isGuestHidden a guest of the tenant counts as not there
     */
    fact: <E extends Entity>(entity: E, id: Ids, isGuestHidden = false): LoadResult<Item<E>> | undefined => {
      const entry = entryOf(entity, id)
      const result = readFact(entry)
      if (result === undefined) lacking.fact.add(entry)
      // It was parsed as a record of its entity.
      return (isGuestHidden && entry.loaded !== undefined ? entry.loaded(wantedOf(entry), true) : result) as LoadResult<Item<E>> | undefined
    },
    /** The same of one that was read: it is not asked for. */
    knownFact: <E extends Entity>(entity: E, id: Ids) => readFact(entryOf(entity, id)) as LoadResult<Item<E>> | undefined,
    /** All records of a range in which only `entity` can lie. */
    facts: <E extends Entity>(entity: E, text: string, place: () => Place): Records<Item<E>> | undefined => {
      const known = ranges.get(text)
      if (known === undefined) lackingMore.set(text, async () => void ranges.set(text, await loadRange(sources, entity, place())))
      // Each was parsed as an item of its entity.
      return known as Records<Item<E>> | undefined
    },
    /** Asks for items as they lie in the table, of which none is read again. */
    stretch: (at: Stretch): void => {
      const text = stretchText(at)
      if (stretches?.has(text)) return
      lackingMore.set(text, async () => {
        const read = await readRange(sources.runtime, at.partition, at.range, at)
        stretches ??= new Map()
        seen ??= new Map()
        stretches.set(text, read)
        for (const item of read.items) seen.set(keyText({ PK: String(item.PK), SK: String(item.SK) }), item)
      })
    },
    knownStretch: (at: Stretch): StretchRead | undefined => stretches?.get(stretchText(at)),
    /** A definition that is in memory: it is not asked for. */
    heldDefinition,
    /** A definition that a reader makes. Those of one reader are read together. */
    definition: <I, V>(reader: DefinitionReader<I, V>, id: I): V | undefined => {
      const known = heldDefinition(reader, id)
      if (known !== undefined) return known
      lackingIds ??= new Map()
      const ids = of(lackingIds, reader)
      ids.set(reader.keyOf(id), id)
      lackingMore.set(reader, async () => {
        lackingIds?.delete(reader)
        // These are ids of this reader.
        const taken = await reader.takeAll(sources, [...ids.values()] as I[])
        made ??= new Map()
        const found = of(made, reader)
        for (const [text, each] of ids) found.set(text, taken.get(each as I))
      })
      return undefined
    },
    /**
     * The items by which a listing finds the nodes that belong to another one.
     * @param equal the values of attributes by which the table filters them
     */
    range: (listing: Listing, by: Naming, ids: Ids, sort: Sort, equal?: Ids): Range | undefined => {
      const { side } = listing
      const text = `${side.name} of ${textOf(ids)}${equal === undefined ? '' : ` with ${textOf(equal)}`}`
      const known = ranges.get(text) ?? (sort === 'definition' ? definitions.held<Range>(text)?.value : undefined)
      if (known !== undefined) {
        ranges.set(text, known)
        return known
      }
      lackingMore.set(text, async () => {
        const read = () => loadRange(sources, side, placeIn(listing, by, ids), equal && { equal })
        ranges.set(text, await (sort === 'fact' ? read() : definitions.take(text, read)))
      })
      return undefined
    },
    /** A node with what ties it to others, which are definitions. */
    tied: (node: TiedNode, ids: Ids): Tied | undefined => {
      const all = of(tied, node)
      const known = all.get(textOf(ids))
      if (known !== undefined) return known
      const text = tiedText(node, ids)
      const held = definitions.held<Tied>(text)?.value
      if (held === undefined)
        lackingMore.set(text, async () => void all.set(textOf(ids), await definitions.take(text, () => loadTied(sources, node, ids))))
      else all.set(textOf(ids), held)
      return held
    },
    /** The items of a range that was read whole are not read again. */
    keep: (entity: Entity, { found }: Range): void => {
      for (const item of found as readonly Fields[]) entryOf(entity, item as Ids).result ??= { state: 'found', item }
    },
    /** A definition that a later step wants: it is read beside the next items. */
    ahead: (entity: Entity, id: Ids): void => {
      const entry = entryOf(entity, id)
      if (heldItem(entry) === undefined) ahead.add(entry)
    },
    aheadTied: (node: TiedNode, ids: Ids): void => {
      const text = tiedText(node, ids)
      // It counts as read only if it is asked for.
      if (!of(tied, node).has(textOf(ids)) && !definitions.holds(text))
        aheadMore.set(text, async () => void (await definitions.take(text, () => loadTied(sources, node, ids))))
    },
    /** Reads what was wanted ahead, and is not there yet. */
    readAhead: async (): Promise<void> => {
      if (ahead.size + aheadMore.size > 0) await load()
    },
    /** True while something was asked for that is not there yet. */
    isLacking: (): boolean => lacking.fact.size + lacking.definition.size + lackingMore.size > 0,
    /** Reads what is lacking now. More is read only if `settle` goes on. */
    readOnce: async (): Promise<void> => {
      if (lacking.fact.size + lacking.definition.size + lackingMore.size > 0) await load()
    },
    settle: async <T>(decide: () => T): Promise<T> => {
      for (;;) {
        const decided = decide()
        if (lacking.fact.size + lacking.definition.size + lackingMore.size === 0) return decided
        await load()
      }
    },
    /** What was read and does not count, in the order in which it was asked for: a page reports the malformed ones. */
    unusable: (): readonly Unusable[] => {
      const all: Unusable[] = []
      const note = (result: LoadResult<unknown> | undefined) => {
        if (result !== undefined && result.state !== 'found') all.push(result)
      }
      for (const { result } of entries) note(result)
      for (const of of tied.values())
        for (const { node, unusable } of of.values()) {
          note(node)
          unusable.forEach(note)
        }
      for (const { unusable } of ranges.values()) unusable.forEach(note)
      return all
    },
  }
}

export type Reads = ReturnType<typeof readsOf>
