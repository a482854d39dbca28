import type { Entity, Item } from '@freehold/table'
import { type Awaitable, keyText, type Stored, whenThere } from '@freehold/table/runtime'
import { type Loaded, type LoadedByName, loadRange, loadRecords, readCollection } from './load.ts'
import { type LoadResult, parseRecord, parseRecords, type Unusable, type Wanted, wanted } from './record.ts'
import { placeOf, type Sources } from './sources.ts'

/**
 * Reads one kind of definition, which `bounded` may take from memory (spec rule 18): roles, say. `load` should keep of an item only what decisions
 * need: a description, say, is as long as its writer liked.
 * @param keyOf the definition's key in memory, unlike that of any other kind
 * @param load reads one definition by requests of its own: a range, say
 */
export function definitionReader<I, V>(keyOf: (id: I) => string, load: (sources: Sources, id: I) => Promise<V>) {
  const take = (sources: Sources, id: I) => sources.definitions.take(keyOf(id), () => load(sources, id))
  return {
    keyOf,
    /** True if `take` would wait for nothing. */
    isHeld: ({ definitions }: Sources, id: I) => definitions.holds(keyOf(id)),
    take,
    /** Many, side by side. */
    takeAll: (sources: Sources, ids: readonly I[]): Awaitable<ReadonlyMap<I, V>> => {
      // One key for each id, in order.
      const taken = sources.definitions.takeEach(ids.map(keyOf), (index) => load(sources, ids[index] as I))
      return whenThere(taken, (values) => byIds(ids, values))
    },
  }
}

export type DefinitionReader<I, V> = ReturnType<typeof definitionReader<I, V>>

/**
 * Definitions that are one record each, by their keys in memory. Those that are not held are loaded together.
 * @param keep what is kept of a record
 */
export function takeRecords<I, E extends Entity, V>(
  sources: Sources,
  ids: ReadonlyMap<string, I>,
  wantedOf: (id: I) => Wanted<E>,
  keep: (result: LoadResult<Item<E>>, at: Wanted<E>) => V,
): Awaitable<ReadonlyMap<string, V>> {
  const keys = [...ids.keys()]
  const taken = sources.definitions.takeAll(keys, async (missing) => {
    // Only keys of `ids` are asked for.
    const all = missing.map((key) => [key, wantedOf(ids.get(key) as I)] as const)
    const places = all.map(([, at]) => at)
    const loaded = await loadRecords(sources, places)
    return new Map(all.map(([key, at]) => [key, keep(loaded(at), at)]))
  })
  return whenThere(taken, (values) => byIds(keys, values))
}

/** A reader of definitions that are one record each. */
export function recordReader<I, E extends Entity, V>(
  keyOf: (id: I) => string,
  wantedOf: (id: I) => Wanted<E>,
  keep: (result: LoadResult<Item<E>>, at: Wanted<E>) => V,
) {
  const takeAll = (sources: Sources, ids: readonly I[]): Awaitable<ReadonlyMap<I, V>> => {
    const byKey = new Map(ids.map((id) => [keyOf(id), id]))
    return whenThere(takeRecords(sources, byKey, wantedOf, keep), (taken) => byIds([...byKey.values()], [...taken.values()]))
  }
  const take = async (sources: Sources, id: I) => (await takeAll(sources, [id])).get(id) as V
  return { keyOf, isHeld: ({ definitions }: Sources, id: I) => definitions.holds(keyOf(id)), take, takeAll }
}

/** One value for each id, in order. */
export function byIds<I, V>(ids: readonly I[], values: readonly V[]): ReadonlyMap<I, V> {
  const all = new Map<I, V>()
  for (let index = 0; index < ids.length; index++) all.set(ids[index] as I, values[index] as V)
  return all
}

/** Definitions of any entities, as they are. */
export function takeWhole(sources: Sources, all: readonly Wanted[]): Awaitable<Loaded> {
  const texts = all.map(({ key }) => keyText(key))
  const keys = texts.length === 1 ? texts : [...new Set(texts)]
  const taken = sources.definitions.takeAll(keys, async (missing) => {
    const isMissing = new Set(missing)
    const wanted = all.filter(({ key }) => isMissing.has(keyText(key)))
    const loaded = await loadRecords(sources, wanted)
    return new Map(wanted.map((at) => [keyText(at.key), loaded(at)]))
  })
  return whenThere(taken, (values): Loaded => {
    const records = byIds(keys, values)
    // Each was parsed as a record of its entity, and only those that were taken are asked for.
    return <E extends Entity>({ key }: Wanted<E>) => records.get(keyText(key)) as LoadResult<Item<E>>
  })
}

/** Definitions that are several records each, by their ids: a role with its permission for one page, say. All are loaded together. */
export function takeParts<P extends Readonly<Record<string, (id: string) => Wanted>>>(
  sources: Sources,
  ids: readonly string[],
  parts: P,
): Awaitable<ReadonlyMap<string, LoadedByName<{ readonly [N in keyof P]: ReturnType<P[N]> }>>> {
  const names = Object.keys(parts)
  const all = ids.map((id) => [id, Object.entries(parts).map(([, wantedOf]) => wantedOf(id))] as const)
  const wholes = all.flatMap(([, records]) => records)
  return whenThere(takeWhole(sources, wholes), (taken) => {
    const byName = (records: readonly Wanted[]) => Object.fromEntries(records.map((at, index) => [names[index], taken(at)]))
    // Each was parsed as a record of its entity.
    return new Map(all.map(([id, records]) => [id, byName(records) as LoadedByName<{ readonly [N in keyof P]: ReturnType<P[N]> }>]))
  })
}

type Ids = Readonly<Record<string, string>>

/**
 * Nodes with their edges of one kind, which lie behind the node in one range with nothing between them: one request for each.
 * @param idOf the attributes that the keys of both are made of
 * @param keep what is kept of the edges
 */
export function nodeReader<N extends Entity, E extends Entity, V>(
  node: N,
  edge: E,
  idOf: (id: string) => Ids,
  keep: (edges: readonly Item<E>[]) => V,
) {
  return definitionReader(
    (id: string) => `${node.name} ${id}`,
    async ({ runtime }, id) => {
      const at = wanted(node, idOf(id))
      const { partition, range } = placeOf(edge, idOf(id))
      const items = await readCollection(runtime, partition, { from: at.key.SK, to: range.to })
      const isNode = ({ SK }: Stored) => SK === at.key.SK
      const edges = items.filter((item) => !isNode(item))
      const { found, unusable } = parseRecords(edge, edges)
      return { node: parseRecord(at, items.find(isNode)), unusable, ...keep(found) }
    },
  )
}

type Nodes = ReadonlyMap<string, { readonly node: LoadResult<unknown>; readonly unusable: readonly Unusable[] }>

/** All records of nodes with their edges: lists report the malformed ones. */
export const recordsOfNodes = (nodes: Nodes): readonly LoadResult<unknown>[] =>
  [...nodes.values()].flatMap(({ node, unusable }) => [node, ...unusable])

/** Whole ranges in which only `entity` can lie, such as the lookup items of a definition. */
export function rangeReader<E extends Entity, V>(entity: E, idOf: (id: string) => Ids, keep: (items: readonly Item<E>[]) => V) {
  return definitionReader(
    (id: string) => `${entity.name} ${id}`,
    async (sources, id) => {
      const { found, unusable } = await loadRange(sources, entity, placeOf(entity, idOf(id)))
      return { unusable, ...keep(found) }
    },
  )
}
