import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '../design/form.ts'
import type { Update } from './action.ts'
import type { Values } from './input.ts'
import { indexKeyNames, type TableKey, tableKey } from './keys.ts'
import { type Stored, storedItem } from './stored.ts'

/** The attributes that differ. Only these are written; attributes that the design does not know stay. */
export function differences(before: Stored, after: Stored, names: readonly string[]): Pick<Update, 'set' | 'remove'> {
  const set: Values = {}
  const remove: string[] = []
  for (const name of names) {
    if (after[name] === undefined) {
      if (before[name] !== undefined) remove.push(name)
    } else if (!isDeepStrictEqual(before[name], after[name])) set[name] = after[name]
  }
  return { set, remove }
}

/** Every attribute that an update of the entity may write. */
export function writtenNames(entity: Entity): readonly string[] {
  return [...Object.keys(entity.attributes), ...indexKeyNames(entity), 'ttl', 'version', 'deleting']
}

/** The whole item with new values. Attributes that the design does not know are kept from the old item. */
export function nextItem(entity: Entity, current: Stored, next: Values, version: number): { key: TableKey; item: Stored } {
  const key = tableKey(entity, next)
  const fresh = storedItem(entity, next, version)?.item ?? {}
  const ours = new Set([...writtenNames(entity), 'PK', 'SK'])
  const foreign = Object.fromEntries(Object.entries(current).filter(([name]) => !ours.has(name)))
  return { key, item: { ...foreign, ...fresh } }
}
