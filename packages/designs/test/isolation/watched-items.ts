import { isDeepStrictEqual } from 'node:util'
import type { ConnectedTable } from '@freehold/table'
import { readItems, scanItems } from '@freehold/table/runtime'
import type { Item } from '../model/parts.ts'
import type { WatchedSender } from './watched-sender.ts'

/** The items of a table, by key: `PK / SK`. */
export type Items = ReadonlyMap<string, Item>

/** A table, and what sees its writes. */
export interface Watched {
  readonly table: Pick<ConnectedTable, 'runtime'>
  readonly sender: WatchedSender
}

const placeOf = ({ PK, SK }: Item) => `${PK} / ${SK}`

export async function allItems({ table, sender }: Watched): Promise<Items> {
  const items = new Map<string, Item>()
  for await (const page of scanItems(table.runtime)) for (const item of page) items.set(placeOf(item), item)
  sender.take()
  return items
}

/** The items after a step: those that were written are read again. */
export async function itemsAfter({ table, sender }: Watched, before: Items): Promise<Items> {
  const keys = sender.take()
  if (keys.length === 0) return before
  const read = await readItems(table.runtime, keys, { consistent: true })
  const after = new Map(before)
  for (const { PK, SK } of keys) after.delete(placeOf({ PK, SK }))
  for (const item of read.values()) if (item !== undefined) after.set(placeOf(item), item)
  return after
}

/** The items that differ, as they are or, of those that are gone, as they were. */
export function changedItems(before: Items, after: Items): readonly Item[] {
  if (before === after) return []
  const gone = [...before].filter(([place]) => !after.has(place)).map(([, item]) => item)
  const written = [...after].filter(([place, item]) => item !== before.get(place) && !isDeepStrictEqual(item, before.get(place)))
  return [...gone, ...written.map(([, item]) => item)]
}
