import type { Entity, Item } from '@freehold/table'
import { type Awaitable, keyText, whenThere } from '@freehold/table/runtime'
import { type Loaded, loadRecords } from './load.ts'
import type { LoadResult, Wanted } from './record.ts'
import type { Sources } from './sources.ts'

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
  return { keyOf, take, takeAll }
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
