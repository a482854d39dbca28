import type { Entity } from '../design/form.ts'
import { attributesOf } from './attributes-of.ts'
import type { Values } from './input.ts'
import { indexKeys, type TableKey, tableKeyIfPresent } from './keys.ts'

/** An item as it lies in the table, unmarshalled: attributes, keys, `Type`, `version`, perhaps `ttl` and `deleting`. */
export type Stored = Readonly<Values>

function expiry(entity: Entity, values: Readonly<Values>): { ttl?: number } {
  const { expires } = entity.form
  const at = expires === undefined ? undefined : values[expires]
  // Rounded up: DynamoDB may delete from `ttl` on, and the item lives until its exact instant (spec rule 15).
  return typeof at === 'string' ? { ttl: Math.ceil(Date.parse(at) / 1000) } : {}
}

function own(entity: Entity, values: Readonly<Values>): Values {
  const picked: Values = {}
  for (const [name] of attributesOf(entity)) {
    const value = values[name]
    if (value !== undefined && value !== null) picked[name] = value
  }
  return picked
}

/** The whole item of an entity for these values, or undefined where an attribute of its key is absent (a sparse guard or mirror). */
export function storedItem(entity: Entity, values: Readonly<Values>, version: number): { key: TableKey; item: Stored } | undefined {
  const key = tableKeyIfPresent(entity, values)
  if (key === undefined) return undefined
  // One object that grows: spreading parts together would cost more than making them.
  const item = own(entity, values)
  Object.assign(item, expiry(entity, values), indexKeys(entity, values))
  item.PK = key.PK
  item.SK = key.SK
  item.Type = entity.name
  item.version = version
  return { key, item }
}

/** The attribute that names the write which an item was last written by: an addition to every entity, never returned by reads (spec rule 13). */
export const writeIdName = 'writeId'

/** The version of a stored item; 0 where it was written without one. */
export function versionOf(item: Stored): number {
  return typeof item.version === 'number' ? item.version : 0
}
