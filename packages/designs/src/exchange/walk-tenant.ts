import type { Entity, Runtime } from '@freehold/table'
import { keyText, readItems, readRange, type Stored, tableKey } from '@freehold/table/runtime'
import { aboveIn, parentsFirst, type Ranked } from './parents-first.ts'
import type { Collection, TenantTree } from './tenant-tree.ts'

/** One step of the way down to an item: the collection beneath the item above, the sort key in it, and the item's id where it has any. */
export interface Turn {
  readonly collection: number
  readonly after: string
  readonly id?: string
  /** Where each item comes after the one that it is beneath. */
  readonly level?: Ranked['level']
  readonly deeper?: Ranked['deeper']
}

/** `parents`: of a collection whose items lie beneath each other, each comes after the one that it is beneath. */
export type First = 'parents' | 'whatever'

/** An item of a tenant, and the way to it. */
export interface Walked {
  readonly entity: Entity
  /** Undefined if its turn comes later, or it is gone. A walk can stop and go on here all the same. */
  readonly item: Stored | undefined
  readonly way: readonly Turn[]
}

const readAtOnce = 100
const consistent = { consistent: true }

interface Position extends Partial<Ranked> {
  readonly item: Stored | undefined
  readonly SK: string
}

/** The items of a collection from after a sort key; of lookup items, their owners. */
async function* itemsAfter(runtime: Runtime, { owner, partition, range }: Collection, from: string | undefined): AsyncGenerator<Position> {
  let after = from
  for (;;) {
    const { items, isLast } = await readRange(runtime, partition, range, { limit: readAtOnce, after })
    const keyed = items.map((found) => {
      const SK = String(found.SK)
      const key = found.Type === owner.name ? { PK: partition, SK } : tableKey(owner, found)
      return { found, SK, key }
    })
    const owners = keyed.filter(({ found }) => found.Type !== owner.name).map(({ key }) => key)
    const read = await readItems(runtime, owners, consistent)
    for (const { found, SK, key } of keyed) yield { SK, item: found.Type === owner.name ? found : read.get(keyText(key)) }
    after = keyed.at(-1)?.SK
    if (isLast || after === undefined) return
  }
}

function positionsAfter(runtime: Runtime, collection: Collection, turn: Turn | undefined, first: First): AsyncGenerator<Position> {
  const attribute = first === 'parents' ? aboveIn(collection.owner) : undefined
  if (attribute === undefined) return itemsAfter(runtime, collection, turn?.after)
  if (turn === undefined) return parentsFirst(runtime, collection, attribute, undefined)
  const { level = 0, deeper, after: SK } = turn
  return parentsFirst(runtime, collection, attribute, { level, SK, ...(deeper === undefined ? {} : { deeper }) })
}

async function* itemAt(runtime: Runtime, { owner, partition }: Collection, turn: Turn, above: readonly Turn[]): AsyncGenerator<Walked> {
  const key = { PK: partition, SK: turn.after }
  const item = (await readItems(runtime, [key], consistent)).get(keyText(key))
  if (item !== undefined) yield { entity: owner, item, way: [...above, turn] }
}

interface Walking {
  readonly tree: TenantTree
  readonly collections: readonly Collection[]
  /** The way to the item above them. */
  readonly above: readonly Turn[]
  readonly first: First
}

async function* walkCollections(
  runtime: Runtime,
  { tree, collections, above, first }: Walking,
  [resumed, ...rest]: readonly Turn[],
): AsyncGenerator<Walked, void, void> {
  for (const [index, collection] of collections.entries()) {
    const { owner } = collection
    const isLast = tree.isAfterItsOwn?.(owner) === true
    if (index < (resumed?.collection ?? 0) || runtime.design.form.entities.get(owner.name) !== owner) continue
    const turn = index === resumed?.collection ? resumed : undefined
    if (turn?.id !== undefined) {
      yield* walkCollections(runtime, { tree, collections: tree.beneath(owner, turn.id), above: [...above, turn], first }, rest)
      if (isLast) yield* itemAt(runtime, collection, { collection: index, after: turn.after }, above)
    }
    for await (const { SK, item, ...rank } of positionsAfter(runtime, collection, turn, first)) {
      const here = { collection: index, after: SK, ...rank }
      if (item === undefined) {
        yield { entity: owner, item, way: [...above, here] }
        continue
      }
      const id = tree.idBeneath(owner, item)
      const way = [...above, { ...here, ...(id === undefined ? {} : { id }) }]
      if (!isLast) yield { entity: owner, item, way }
      if (id !== undefined) yield* walkCollections(runtime, { tree, collections: tree.beneath(owner, id), above: way, first }, [])
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
  first: First = 'whatever',
): AsyncGenerator<Walked, void, void> {
  if (way === undefined) {
    const key = tableKey(entity, { id })
    const item = (await readItems(runtime, [key], consistent)).get(keyText(key))
    if (item !== undefined) yield { entity, item, way: [] }
  }
  yield* walkCollections(runtime, { tree, collections: tree.beneath(entity, id), above: [], first }, way ?? [])
}

/** The items of some collections, and all beneath them, in the same way. */
export async function* walkAll(runtime: Runtime, tree: TenantTree, collections: readonly Collection[], way: readonly Turn[] = []) {
  yield* walkCollections(runtime, { tree, collections, above: [], first: 'whatever' }, way)
}
