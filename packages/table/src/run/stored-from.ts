import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { type Item, type Reader, readAttributes, readerOf } from '../dynamo/attribute-value.ts'
import { entityByKeys } from '../plan/entity-by-keys.ts'
import type { Stored } from '../plan/stored.ts'
import { isDropped, knownNames, understood } from '../plan/understood.ts'
import { textOf } from './text-of.ts'

const readers = new WeakMap<Entity, Reader>()

function readerOfEntity(entity: Entity): Reader {
  const known = readers.get(entity) ?? readerOf(knownNames(entity))
  readers.set(entity, known)
  return known
}

/**
 * An item from DynamoDB, understood: each item that enters the runtime comes from here. It never throws: what is wrong with an item is told by whoever
 * views it, so that it spoils nothing beside it (spec rule 16).
 */
export function storedFrom({ form }: { readonly form: DesignForm }, raw: Item): Stored {
  const isShared = form.names !== undefined
  const type = textOf(raw.Type)
  const named = type === '' ? undefined : form.entities.get(type)
  if (named !== undefined) return understood(named, readAttributes(raw, readerOfEntity(named)), isShared)
  const isOfKeys = raw.Type === undefined || 'NULL' in raw.Type
  const entity = isOfKeys ? entityByKeys(form, textOf(raw.PK), textOf(raw.SK)) : undefined
  if (entity === undefined) return readAttributes(raw, readerOf())
  const item = readAttributes(raw, readerOfEntity(entity))
  return isDropped(form, { Type: entity.name }) ? { ...item, Type: entity.name } : understood(entity, item, isShared)
}
