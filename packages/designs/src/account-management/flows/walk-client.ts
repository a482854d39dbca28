import { type Entity, keyText, type Runtime, readItems, readRange, type Stored, type TableKey, tableKey } from '@freehold/table'
import { Client } from '../design.ts'
import { type Collection, collectionsBeneath } from './client-collections.ts'

/** One step of the way down to an item: the collection beneath the item above, the sort key in it, and the item's id where it has any. */
export interface Turn {
  readonly collection: number
  readonly after: string
  readonly id?: string
}

/** An item of a client, and the way to it. */
export interface Walked {
  readonly entity: Entity
  readonly item: Stored
  readonly way: readonly Turn[]
}

const readAtOnce = 100
const consistent = { consistent: true }

interface Position {
  readonly key: TableKey
  readonly item: Stored | undefined
  readonly SK: string
}

/** The items of a collection from after a sort key; of mirrors, what they lead back to. */
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
    for (const { found, SK, key } of keyed) yield { key, SK, item: found.Type === owner.name ? found : read.get(keyText(key)) }
    after = keyed.at(-1)?.SK
    if (isLast || after === undefined) return
  }
}

async function* walkBeneath(
  runtime: Runtime,
  above: { readonly entity: Entity; readonly id: string; readonly way: readonly Turn[] },
  [resumed, ...rest]: readonly Turn[],
): AsyncGenerator<Walked> {
  const collections = collectionsBeneath[above.entity.name]?.(above.id) ?? []
  for (const [index, collection] of collections.entries()) {
    const { owner } = collection
    if (index < (resumed?.collection ?? 0) || runtime.design.form.entities.get(owner.name) !== owner) continue
    const turn = index === resumed?.collection ? resumed : undefined
    if (turn?.id !== undefined) yield* walkBeneath(runtime, { entity: owner, id: turn.id, way: [...above.way, turn] }, rest)
    for await (const { SK, item } of itemsAfter(runtime, collection, turn?.after)) {
      if (item === undefined) continue
      const id = collectionsBeneath[owner.name] !== undefined && typeof item.id === 'string' ? { id: item.id } : {}
      const way = [...above.way, { collection: index, after: SK, ...id }]
      yield { entity: owner, item, way }
      if (id.id !== undefined) yield* walkBeneath(runtime, { entity: owner, id: id.id, way }, [])
    }
  }
}

/**
 * Everything that a client has, itself first, each as it lies in the table; from after the item that `way` led to, where one is given. Each
 * range is read consistently; the whole is no snapshot.
 */
export async function* walkClient(runtime: Runtime, id: string, way?: readonly Turn[]): AsyncGenerator<Walked, void, void> {
  if (way === undefined) {
    const key = tableKey(Client, { id })
    const item = (await readItems(runtime, [key], consistent)).get(keyText(key))
    if (item !== undefined) yield { entity: Client, item, way: [] }
  }
  yield* walkBeneath(runtime, { entity: Client, id, way: [] }, way ?? [])
}
