import type { Entity, Runtime } from '@freehold/table'
import { consistent, keyText, readItems, readRange, type Stored, type TableKey, tableKey } from '@freehold/table/runtime'
import { aboveIn, parentsFirst, type Ranked, readAtOnce } from './parents-first.ts'
import type { Collection, TenantTree } from './tenant-tree.ts'

/** One step of the way down to an item: the collection beneath the item above, the sort key in it, and the item's id where it has any. */
export interface Turn {
  readonly collection: number
  readonly after: string
  readonly id?: string
  /** In a walk in which each item comes after the one that it is beneath. */
  readonly level?: number
  readonly deeper?: number
}

/** `parents-first`: of a collection whose items lie beneath each other, each comes after the one that it is beneath. */
export type Order = 'parents-first' | 'by-key'

/** An item of a tenant, and the way to it. */
export interface Walked {
  readonly entity: Entity
  /** Undefined if its turn comes later, or it is gone. A walk can stop and go on here all the same. */
  readonly item: Stored | undefined
  readonly way: readonly Turn[]
}

type Position = Partial<Ranked> & { readonly item: Stored | undefined; readonly SK: string }

/** The items of a collection from after a sort key; of lookup items, their owners. */
async function* itemsAfter(runtime: Runtime, { owner, partition, range }: Collection, from: string | undefined): AsyncGenerator<Position> {
  for (let after = from; ; ) {
    const { items, isLast } = await readRange(runtime, partition, range, { limit: readAtOnce, after })
    const keys = items.map((found) => (found.Type === owner.name ? undefined : tableKey(owner, found)))
    const owners = await readItems(
      runtime,
      keys.flatMap((key) => key ?? []),
      consistent,
    )
    for (const [index, found] of items.entries()) {
      const key = keys[index]
      after = String(found.SK)
      yield { SK: after, item: key === undefined ? found : owners.get(keyText(key)) }
    }
    if (isLast || items.length === 0) return
  }
}

function positionsAfter(runtime: Runtime, collection: Collection, turn: Turn | undefined, order: Order): AsyncGenerator<Position> {
  const attribute = order === 'parents-first' ? aboveIn(collection.owner) : undefined
  if (attribute === undefined) return itemsAfter(runtime, collection, turn?.after)
  return parentsFirst(runtime, collection, attribute, turn === undefined ? undefined : { ...turn, SK: turn.after })
}

/** One item by its key; nothing if it is gone. */
async function* itemAt(runtime: Runtime, entity: Entity, key: TableKey, way: readonly Turn[]): AsyncGenerator<Walked> {
  const item = (await readItems(runtime, [key], consistent)).get(keyText(key))
  if (item !== undefined) yield { entity, item, way }
}

interface Walking {
  readonly tree: TenantTree
  readonly collections: readonly Collection[]
  /** The way to the item above them, if there is one. */
  readonly above?: readonly Turn[]
  readonly order?: Order | undefined
}

/** The items of some collections, and all beneath them; from after the item that `way` led to, where one is given. */
export async function* walkCollections(
  runtime: Runtime,
  { tree, collections, above = [], order = 'by-key' }: Walking,
  [resumed, ...rest]: readonly Turn[] = [],
): AsyncGenerator<Walked, void, void> {
  for (const [index, collection] of collections.entries()) {
    const { owner } = collection
    const isLast = tree.isAfterItsOwn?.(owner) === true
    if (index < (resumed?.collection ?? 0) || runtime.design.form.entities.get(owner.name) !== owner) continue
    const turn = index === resumed?.collection ? resumed : undefined
    if (turn?.id !== undefined) {
      yield* walkCollections(runtime, { tree, collections: tree.beneath(owner, turn.id), above: [...above, turn], order }, rest)
      const key = { PK: collection.partition, SK: turn.after }
      if (isLast) yield* itemAt(runtime, owner, key, [...above, { collection: index, after: turn.after }])
    }
    for await (const { SK, item, ...rank } of positionsAfter(runtime, collection, turn, order)) {
      const here = { collection: index, after: SK, ...rank }
      if (item === undefined) {
        yield { entity: owner, item, way: [...above, here] }
        continue
      }
      const id = tree.idBeneath(owner, item)
      const way = [...above, { ...here, ...(id === undefined ? {} : { id }) }]
      if (!isLast) yield { entity: owner, item, way }
      if (id !== undefined) yield* walkCollections(runtime, { tree, collections: tree.beneath(owner, id), above: way, order })
      if (isLast) yield { entity: owner, item, way: [...above, here] }
    }
  }
}

/**
 * Everything that a tenant has, itself first, each as it lies in the table; from after the item that `way` led to, where one is given. Each
 * range is read consistently; the whole is no snapshot.
 */
export async function* walkTenant(
  runtime: Runtime,
  tree: TenantTree,
  { entity, id }: { readonly entity: Entity; readonly id: string },
  way?: readonly Turn[],
  order?: Order,
): AsyncGenerator<Walked, void, void> {
  if (way === undefined) yield* itemAt(runtime, entity, tableKey(entity, { id }), [])
  yield* walkCollections(runtime, { tree, collections: tree.beneath(entity, id), order }, way)
}
