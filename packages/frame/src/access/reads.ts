import type { Entity, Item } from '@freehold/table'
import { keyPlaceholders, keyText, parallel, parallelMap } from '@freehold/table/runtime'
import { takeWhole } from '../decision/definition-reader.ts'
import { loadRange, loadRecord, loadRecords, readCollection } from '../decision/load.ts'
import {
  isForeign,
  type LoadResult,
  parseRecord,
  parseRecords,
  type Records,
  type Unusable,
  type Wanted,
  wanted,
} from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { type Fields, placeIn, textOf } from './link.ts'
import type { Ids, Listing, Naming, Sort, TiedNode } from './tie.ts'

/** A node, and what ties it to others: the items of one range beside it. */
export interface Tied {
  readonly node: LoadResult<Fields>
  /** By the last part of their keys, in its order. */
  readonly ties: ReadonlyMap<string, Fields>
  readonly unusable: readonly Unusable[]
  /** Another program wrote one of the items. */
  readonly hasForeign: boolean
}

interface Entry {
  readonly at: Wanted
  result: LoadResult<unknown> | undefined
}
type Range = Records<Item<Entity>>
interface Entries {
  /** The placeholders of the key. */
  readonly names: readonly string[]
  readonly all: Map<string, Entry>
}

const placeholders = new WeakMap<Entity, readonly string[]>()
export function placeholdersOf(entity: Entity): readonly string[] {
  const known = placeholders.get(entity) ?? keyPlaceholders(entity)
  placeholders.set(entity, known)
  return known
}

/** One request, if both lie in one partition with nothing between them. Only what decisions need is kept. */
async function loadTied(sources: Sources, { by, listing: { side, last }, isBeside, keeps }: TiedNode, ids: Ids): Promise<Tied> {
  const at = wanted(by.node, ids)
  const place = placeIn({ side, last }, by, ids)
  const whole = async () => {
    const items = await readCollection(sources.runtime, place.partition, { from: at.key.SK, to: place.range.to })
    const [node, others] = [items.find(({ SK }) => SK === at.key.SK), items.filter(({ SK }) => SK !== at.key.SK)]
    return [parseRecord(at, node), parseRecords(side, others)] as const
  }
  const apart = () =>
    parallel(
      () => loadRecord(sources, at),
      () => loadRange(sources, side, place),
    )
  const [node, { found, unusable }] = await (isBeside ? whole() : apart())
  const slim = (item: Fields): Fields => Object.fromEntries(keeps.map((name) => [name, item[name]]))
  const ties = found.map((item: Fields): [string, Fields] => [String(item[last]), slim(item)])
  return { node, ties: new Map(ties), unusable, hasForeign: found.some(isForeign) }
}

/**
 * The reads of one question. What is decided is a function of items; it asks for them here, and gets undefined for one that is not there yet. All that
 * it lacks is read in one round trip, and it is run again, until it lacks nothing.
 */
export function readsOf(sources: Sources) {
  const { definitions } = sources
  const entries = new Map<Entity, Entries>()
  const ranges = new Map<string, Range>()
  const tied = new Map<string, Tied>()
  const lacking = { fact: new Set<Entry>(), definition: new Set<Entry>() }
  /** Definitions that will be wanted. */
  const ahead = new Set<Entry>()
  /** Ranges, and nodes with what ties them, by their texts. */
  const lackingMore = new Map<string, () => Promise<void>>()
  const aheadMore = new Map<string, () => Promise<void>>()

  /** Keys are formatted once, however often an item is asked for. */
  const entryOf = (entity: Entity, id: Ids): Entry => {
    let of = entries.get(entity)
    if (of === undefined) {
      of = { names: placeholdersOf(entity), all: new Map() }
      entries.set(entity, of)
    }
    let text = ''
    for (const name of of.names) text += `${id[name]}#`
    let entry = of.all.get(text)
    if (entry === undefined) {
      entry = { at: wanted(entity, id), result: undefined }
      of.all.set(text, entry)
    }
    return entry
  }

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
    if (lacking.definition.size + lackingMore.size + ahead.size + aheadMore.size === 0) return loadItems(taken(lacking.fact), 'fact')
    for (const entry of taken(ahead)) if (entry.result === undefined) lacking.definition.add(entry)
    const more = new Map([...aheadMore, ...lackingMore])
    lackingMore.clear()
    aheadMore.clear()
    const items = (['fact', 'definition'] as const).flatMap((sort) => {
      const all = taken(lacking[sort])
      return all.length === 0 ? [] : [() => loadItems(all, sort)]
    })
    await parallelMap([...items, ...more.values()], (read) => read())
  }

  /** An item that is read beside the next ones is not read by itself. */
  const heldItem = (entry: Entry): LoadResult<unknown> | undefined => {
    entry.result ??= definitions.held<LoadResult<unknown>>(keyText(entry.at.key))?.value
    return entry.result
  }
  const tiedText = ({ by, listing }: TiedNode, ids: Ids) => `${by.node.name} with ${listing.side.name} ${textOf(ids)}`
  const heldTied = (text: string): Tied | undefined => {
    const known = tied.get(text) ?? definitions.held<Tied>(text)?.value
    if (known !== undefined) tied.set(text, known)
    return known
  }
  const loadingTied = (text: string, of: TiedNode, ids: Ids) => async () => {
    tied.set(text, await definitions.take(text, () => loadTied(sources, of, ids)))
  }

  return {
    item: (entity: Entity, id: Ids, sort: Sort): LoadResult<unknown> | undefined => {
      const entry = entryOf(entity, id)
      const result = entry.result ?? (sort === 'definition' ? heldItem(entry) : undefined)
      if (result === undefined) lacking[sort].add(entry)
      return result
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
    tied: (of: TiedNode, ids: Ids): Tied | undefined => {
      const text = tiedText(of, ids)
      const known = heldTied(text)
      if (known === undefined) lackingMore.set(text, loadingTied(text, of, ids))
      return known
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
    aheadTied: (of: TiedNode, ids: Ids): void => {
      const text = tiedText(of, ids)
      // It counts as read only if it is asked for.
      if (!tied.has(text) && !definitions.holds(text))
        aheadMore.set(text, async () => void (await definitions.take(text, () => loadTied(sources, of, ids))))
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
    /** All that was read: a page reports the malformed ones. */
    all: (): readonly LoadResult<unknown>[] => {
      const found = [...entries.values()].flatMap((of) => [...of.all.values()].flatMap(({ result }) => result ?? []))
      const more = [...tied.values()].flatMap(({ node, unusable }) => [node, ...unusable])
      return ranges.size === 0 && more.length === 0
        ? found
        : [...found, ...more, ...[...ranges.values()].flatMap(({ unusable }) => unusable)]
    },
  }
}

export type Reads = ReturnType<typeof readsOf>
