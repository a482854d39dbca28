import type { Attribute } from '../design/attribute.ts'
import { formerlyName, schemaName } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { attributesOf } from './attributes-of.ts'
import { indexKeys, type TableKey, tableKeyIfPresent } from './keys.ts'
import type { Values } from './values.ts'

/** An item as stored, unmarshalled: attributes, keys, `Type`, `version`, and possibly `ttl` and `deleting`. */
export type Stored = Readonly<Values>

/** The `ttl` of an item that expires. Rounded up: DynamoDB may delete from `ttl` on, and the item is live until its exact instant (spec rule 15). */
export function ttlOf(entity: Entity, values: Readonly<Values>): number | undefined {
  const { expires } = entity.form
  const at = expires === undefined ? undefined : values[expires]
  return typeof at === 'string' ? Math.ceil(Date.parse(at) / 1000) : undefined
}

/** A value as it is stored: a set for a list of members. An empty set is absent. */
export function storedValue(attribute: Attribute | undefined, value: unknown): unknown {
  if (attribute?.kind.stored !== 'set' || !(Array.isArray(value) || value instanceof Set)) return value
  const set = new Set<unknown>(value)
  return set.size === 0 ? undefined : set
}

/** True for an attribute that a program of the former version may remove under its former name. */
export function isRemovable({ presence, fill, formerNames }: Attribute): boolean {
  return formerNames.length > 0 && (presence === 'optional' || presence === 'copied' || fill !== undefined)
}

function own(entity: Entity, values: Readonly<Values>): Values {
  const picked: Values = {}
  let formerly: Set<string> | undefined
  for (const [name, attribute] of attributesOf(entity)) {
    const value = storedValue(attribute, values[name])
    if (value === undefined || value === null) continue
    picked[name] = value
    if (attribute.formerNames.length === 0) continue
    // A former version of the program reads it there, and may run beside this one.
    for (const former of attribute.formerNames) picked[former] = value
    if (isRemovable(attribute)) formerly = new Set([...(formerly ?? []), ...attribute.formerNames])
  }
  if (formerly !== undefined) picked[formerlyName] = formerly
  return picked
}

/** The whole item for these values, or undefined if its key needs an absent attribute (a sparse guard or lookup item). */
export function storedItem(entity: Entity, values: Readonly<Values>, version: number): { key: TableKey; item: Stored } | undefined {
  const key = tableKeyIfPresent(entity, values)
  if (key === undefined) return undefined
  // One object is extended, since spreads would cost more than the attributes themselves.
  const item = own(entity, values)
  const ttl = ttlOf(entity, values)
  if (ttl !== undefined) item.ttl = ttl
  Object.assign(item, indexKeys(entity, values))
  item.PK = key.PK
  item.SK = key.SK
  item.Type = entity.name
  item.version = version
  const { schema } = entity.form
  // Also below that of a later version, which then makes its form anew of what this one has changed.
  if (schema !== undefined) item[schemaName] = schema
  return { key, item }
}

/** The attribute that names the last write of an item. Every entity has it as an addition; reads never return it (spec rule 13). */
export const writeIdName = 'writeId'

/** The version of a stored item, or 0 if it was written without one. */
export function versionOf(item: Stored): number {
  return typeof item.version === 'number' ? item.version : 0
}

/** The number of the form that the item has. An item without one has the number 0. */
export function schemaOf(item: Stored): number {
  const number = item[schemaName]
  return typeof number === 'number' ? number : 0
}

/** True for an item that has the form of its entity, or that of a later version of the design, which runs beside this one. */
export function isOfForm({ form: { schema } }: Entity, item: Stored): boolean {
  return schema === undefined || schemaOf(item) >= schema
}
