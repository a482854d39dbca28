import { isDeepStrictEqual } from 'node:util'
import { creating, type Entity, FreeholdError, type Runtime } from '@freehold/table'
import {
  createdValues,
  isExpired,
  keyPlaceholders,
  keyText,
  type Stored,
  storedValue,
  subjectAt,
  type TableKey,
  tableKeyIfPresent,
} from '@freehold/table/runtime'
import { ownerOf, type Part, part } from './part.ts'
import { rowError } from './source-row.ts'

type Values = Readonly<Record<string, unknown>>

/** A row of an item, normalised. */
export interface ItemRow {
  readonly entity: Entity
  /** The attributes of a new item, with what the design makes. */
  readonly values: Values
  /** The attributes that the row gives; what is there already is compared by these. */
  readonly given: readonly string[]
  /** The key of the item, if the row says it. */
  readonly key?: TableKey | undefined
  /** Else the guards that would lead to it. */
  readonly guards: readonly { readonly entity: Entity; readonly key: TableKey }[]
}

/** Every item has it, and an import does not take it over: it counts the writes of this table. */
const runtimeNames: readonly string[] = ['Type', 'version']

/** Reads a row; undefined for a row of a derived item. Throws `UnknownName`, `InvalidInput` or `InvalidKey`. */
export function itemRow({ design, making }: Runtime, row: Values): ItemRow | undefined {
  const { Type: type } = row
  if (typeof type !== 'string') throw rowError('is missing: it names the entity', 'Type')
  const entity = design.form.entities.get(type)
  if (entity === undefined) throw new FreeholdError('UnknownName', `The design ${design.name} has no entity '${type}'.`, { entity: type })
  if (ownerOf(entity) !== undefined) return undefined
  // The runtime makes copies from their source, so a row's own are ignored.
  const given = Object.keys(row).filter((name) => !runtimeNames.includes(name) && entity.attributes[name]?.presence !== 'copied')
  const values = createdValues(entity, Object.fromEntries(given.map((name) => [name, row[name]])), making())
  const names = given.filter((name) => row[name] !== undefined && row[name] !== null)
  const unnamed = keyPlaceholders(entity).filter((placeholder) => values[placeholder] !== undefined && !names.includes(placeholder))
  if (unnamed.length === 0) return { entity, values, given, key: tableKeyIfPresent(entity, values), guards: [] }
  const guards = design.form.derivedItemsOf(entity).flatMap((guard) => {
    const key = guard.form.part.kind === 'guard' ? tableKeyIfPresent(guard, values) : undefined
    return key === undefined ? [] : [{ entity: guard, key }]
  })
  if (guards.length === 0) throw rowError('is missing: without it, importing the file again would create another item', unnamed[0])
  return { entity, values, given, guards }
}

/** The key of a row's item by its guards, for a row that does not say the key. */
export function guardedKey({ entity, guards }: ItemRow, found: ReadonlyMap<string, Stored | undefined>): TableKey | undefined {
  for (const { entity: guard, key } of guards) {
    const item = found.get(keyText(key))
    if (item?.Type === guard.name) return tableKeyIfPresent(entity, item)
  }
  return undefined
}

function exists(entity: Entity, key: TableKey, why: string, details: Record<string, unknown> = {}): FreeholdError {
  const { words, details: subject } = subjectAt(entity, key)
  return new FreeholdError('AlreadyExists', `There is a ${words} already, ${why}.`, { ...subject, ...details })
}

/** The error for an item that is going, so that nothing new can be about it. */
export function going(entity: Entity, key: TableKey): FreeholdError {
  const { words, details } = subjectAt(entity, key)
  return new FreeholdError('BeingDeleted', `The ${words} is being deleted.`, details)
}

/**
 * The parts that a row still needs. Throws `AlreadyExists` for another item, `BeingDeleted` for one that goes.
 * @param found the item under the key of the row's item
 */
export function itemParts({ design, now }: Runtime, { entity, values, given }: ItemRow, found: Stored | undefined): readonly Part[] {
  if (found === undefined || isExpired(entity, found, now())) {
    const name = JSON.stringify([entity.form.part.kind === 'edge' ? '' : entity.name, Object.entries(values).sort()])
    // The values were made by the entity's own schema.
    return [part(design, name, creating(entity, values as never), values)]
  }
  const key = { PK: String(found.PK), SK: String(found.SK) }
  if (found.Type !== entity.name) throw exists(entity, key, `a ${String(found.Type)}`)
  if (found.deleting !== undefined) throw going(entity, key)
  const isThere = (name: string) => isDeepStrictEqual(found[name] ?? undefined, storedValue(entity.attributes[name], values[name]))
  const different = given.filter((name) => !isThere(name))
  if (different.length > 0) throw exists(entity, key, `with another ${different.join(', ')}`, { different })
  return []
}
