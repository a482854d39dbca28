import { isDeepStrictEqual } from 'node:util'
import { formerlyName, schemaName } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import type { Update } from './action.ts'
import { unchanged } from './condition.ts'
import type { Values } from './input.ts'
import { indexKeyNames, type TableKey, tableKey } from './keys.ts'
import { isOfForm, isRemovable, type Stored, storedItem, versionOf } from './stored.ts'
import { asStored } from './understood.ts'

/** The attributes that differ from what lies in the table. Only these are written; attributes that the design does not know stay. */
export function differences(read: Stored, after: Stored, names: readonly string[]): Pick<Update, 'set' | 'remove'> {
  const before = asStored(read)
  const set: Values = {}
  const remove: string[] = []
  for (const name of names) {
    if (after[name] === undefined) {
      if (before[name] !== undefined) remove.push(name)
    } else if (!isDeepStrictEqual(before[name], after[name])) set[name] = after[name]
  }
  return { set, remove }
}

/** The former names of these attributes, and what lists them. */
export function formerNames({ attributes }: Entity, names: readonly string[]): readonly string[] {
  const former = names.flatMap((name) => attributes[name]?.formerNames ?? [])
  return former.length > 0 && Object.values(attributes).some(isRemovable) ? [...former, formerlyName] : former
}

/** The values, also by their former names: a former version of the program may run beside this one. */
export function withFormerNames({ attributes }: Entity, values: Readonly<Values>): Readonly<Values> {
  const former = Object.entries(attributes).flatMap(([name, { formerNames: all }]) => all.map((each) => [each, values[name]] as const))
  const formerly = Object.entries(attributes).flatMap(([name, attribute]) =>
    isRemovable(attribute) && values[name] !== undefined ? attribute.formerNames : [],
  )
  const listed = { [formerlyName]: formerly.length === 0 ? undefined : new Set(formerly) }
  return former.length === 0 ? values : { ...values, ...Object.fromEntries(former), ...listed }
}

/** Every attribute that an update of the entity may write. A later version of the design may have stamped the item with its schema. */
export function writtenNames(entity: Entity): readonly string[] {
  const names = Object.keys(entity.attributes)
  return [...names, ...formerNames(entity, names), ...indexKeyNames(entity), schemaName, 'ttl', 'Type', 'version', 'deleting']
}

/** Every attribute that a write may change which leaves the meaning of an item as it is. The stamp of a later version stays. */
export function completedNames(entity: Entity, item: Stored): readonly string[] {
  return writtenNames(entity).filter((name) => name !== schemaName || !isOfForm(entity, item))
}

/** Another program may have something else under the name. */
const isForeignSchema = (name: string, value: unknown) => name === schemaName && typeof value !== 'number'

/** The whole item with new values. Attributes that the design does not know are kept from the old item. */
export function nextItem(entity: Entity, current: Stored, next: Values, version: number): { key: TableKey; item: Stored } {
  const key = tableKey(entity, next)
  const fresh = storedItem(entity, next, version)?.item ?? {}
  const ours = new Set([...writtenNames(entity), 'PK', 'SK'])
  const foreign = Object.fromEntries(Object.entries(current).filter(([name, value]) => !ours.has(name) || isForeignSchema(name, value)))
  return { key, item: { ...foreign, ...fresh } }
}

/**
 * The write that makes an item what it was understood as, and nothing else. Undefined if it lacks nothing. The version of an item that has one stays, since
 * the item means the same.
 */
export function planCompletion(entity: Entity, item: Stored): Update | undefined {
  const { key, item: whole } = nextItem(entity, item, item, Math.max(1, versionOf(item)))
  const { set, remove } = differences(item, whole, completedNames(entity, item))
  if (Object.keys(set).length === 0 && remove.length === 0) return undefined
  const origin = { step: 'complete', role: 'item', entity: entity.name } as const
  return { kind: 'update', key, set, remove, whole, conditions: [{ is: 'live' }, unchanged(item)], origin }
}
