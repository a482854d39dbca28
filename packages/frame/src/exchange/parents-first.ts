import type { Entity, Runtime } from '@freehold/table'
import { keyText, readItems, readRange, type Stored, type TableKey } from '@freehold/table/runtime'
import type { Collection } from './tenant-tree.ts'

/** Items of a collection that a walk reads at once. */
export const readAtOnce = 100
/** Deeper items, and those that a foreign writer put beneath themselves, come last: no flow makes any, so no more items are read for them. */
const levelLast = 64

/** The position of a walk: the level of its items now, which counts the items above each, and the sort key that it has come to. */
export interface Ranked {
  readonly level: number
  readonly SK: string
  /** The least level above this one that has been seen so far. The walk begins again for it once it has come to the end. */
  readonly deeper?: number
}

/** The attribute by which an item says which of its own collection it is beneath; undefined where there is no such thing. */
export function aboveIn(entity: Entity): string | undefined {
  return entity.form.references.find(({ to }) => to === entity)?.attribute
}

/** Gives the levels of items. Items above them that are not known yet are read, for all of them at once. */
function levelsRead(runtime: Runtime, { partition, range }: Collection, attribute: string) {
  /** By sort key: the item above; undefined if there is none, null for an item that is gone. */
  const known = new Map<string, string | null | undefined>()
  const keyOf = (SK: string): TableKey => ({ PK: partition, SK })
  const aboveOf = (item: Stored | undefined): string | undefined => {
    const above = item?.[attribute]
    return typeof above === 'string' ? `${range.from}${above}` : undefined
  }
  const levelOf = (SK: string): number => {
    let level = 0
    for (let above = known.get(SK); above && known.get(above) !== null; above = known.get(above)) if (++level === levelLast) return level
    return level
  }
  return async (items: readonly Stored[]): Promise<readonly number[]> => {
    for (const item of items) known.set(String(item.SK), aboveOf(item))
    let open = items.flatMap((item) => aboveOf(item) ?? [])
    for (let level = 1; level < levelLast; level++) {
      const unknown = [...new Set(open)].filter((SK) => !known.has(SK))
      const found = await readItems(runtime, unknown.map(keyOf), { consistent: true })
      for (const SK of unknown) {
        const item = found.get(keyText(keyOf(SK)))
        known.set(SK, item === undefined ? null : aboveOf(item))
      }
      open = [...new Set(open)].flatMap((SK) => known.get(SK) ?? [])
      if (open.length === 0) break
    }
    return items.map(({ SK }) => levelOf(String(SK)))
  }
}

/**
 * The items of a collection that may lie beneath each other, each after the one that it is beneath, so that they can be created in this order: the
 * collection is walked once for each level, from after a sort key in it. An item of another level is a position without an item: so a walk may stop
 * anywhere, and reads nothing again.
 */
export async function* parentsFirst(
  runtime: Runtime,
  collection: Collection,
  attribute: string,
  from: Partial<Ranked> | undefined,
): AsyncGenerator<Ranked & { readonly item: Stored | undefined }, void, void> {
  const { partition, range } = collection
  const levelsOf = levelsRead(runtime, collection, attribute)
  let [level, deeper, after] = [from?.level ?? 0, from?.deeper, from?.SK]
  for (;;) {
    const { items, isLast } = await readRange(runtime, partition, range, { limit: readAtOnce, after })
    const levels = await levelsOf(items)
    for (const [index, item] of items.entries()) {
      const own = levels[index] ?? 0
      if (own > level) deeper = Math.min(own, deeper ?? own)
      after = String(item.SK)
      yield { SK: after, level, ...(deeper === undefined ? {} : { deeper }), item: own === level ? item : undefined }
    }
    if (!isLast && items.length > 0) continue
    if (deeper === undefined) return
    ;[level, deeper, after] = [deeper, undefined, undefined]
  }
}
