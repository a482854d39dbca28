import { compareKeys, type Entity, keyText, type Runtime, readItems, readRange, type Stored } from '@freehold/table'
import type { Collection } from './client-collections.ts'

const readAtOnce = 100

/** Where an item is in the order: under how many of its collection, and its sort key. */
export interface Ranked {
  readonly level: number
  readonly SK: string
}

/** The attribute by which an item says which of its own collection it is beneath; undefined where there is no such thing. */
export function aboveIn(entity: Entity): string | undefined {
  return entity.form.references.find(({ to }) => to === entity)?.attribute
}

interface Beneath {
  readonly SK: string
  readonly id: string
  readonly above: string | undefined
}

async function allOf(runtime: Runtime, { partition, range }: Collection, attribute: string): Promise<readonly Beneath[]> {
  const all: Beneath[] = []
  for (let after: string | undefined; ; ) {
    const { items, isLast } = await readRange(runtime, partition, range, { limit: readAtOnce, after })
    for (const { SK, id, [attribute]: above } of items)
      all.push({ SK: String(SK), id: String(id), above: typeof above === 'string' ? above : undefined })
    after = all.at(-1)?.SK
    if (isLast || items.length === 0) return all
  }
}

/** Under how many each is. What foreign writers hung beneath itself comes last: it can be created in no order. */
function levelsOf(all: readonly Beneath[]): ReadonlyMap<string, number> {
  const known = new Map(all.map((each) => [each.id, each]))
  const levels = new Map<string, number>()
  for (const { id } of all) {
    const path: string[] = []
    let next: string | undefined = id
    while (next !== undefined && known.has(next) && !levels.has(next) && path.length <= all.length) {
      path.push(next)
      next = known.get(next)?.above
    }
    const isCircle = path.length > all.length
    let level = isCircle ? all.length : next === undefined ? -1 : (levels.get(next) ?? -1)
    for (const each of path.reverse()) levels.set(each, isCircle ? level : ++level)
  }
  return levels
}

const compareRanks = (a: Ranked, b: Ranked) => a.level - b.level || compareKeys(a.SK, b.SK)

/**
 * The items of a collection that may lie beneath each other, each after the one that it is beneath, so that they can be created in this order;
 * from after a place in it. Of all it holds the ids, and of a hundred at a time the rest.
 */
export async function* parentsFirst(
  runtime: Runtime,
  collection: Collection,
  attribute: string,
  from: Ranked | undefined,
): AsyncGenerator<Ranked & { readonly item: Stored | undefined }, void, void> {
  const all = await allOf(runtime, collection, attribute)
  const levels = levelsOf(all)
  const ranked = all.map(({ SK, id }): Ranked => ({ SK, level: levels.get(id) ?? 0 })).sort(compareRanks)
  const left = from === undefined ? ranked : ranked.filter((each) => compareRanks(each, from) > 0)
  for (let start = 0; start < left.length; start += readAtOnce) {
    const some = left.slice(start, start + readAtOnce).map((each) => ({ ...each, key: { PK: collection.partition, SK: each.SK } }))
    const read = await readItems(
      runtime,
      some.map(({ key }) => key),
      { consistent: true },
    )
    for (const { key, level, SK } of some) yield { level, SK, item: read.get(keyText(key)) }
  }
}
