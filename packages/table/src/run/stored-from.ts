import type { DesignForm } from '../design/design.ts'
import { type Item, readAttributes } from '../dynamo/attribute-value.ts'
import type { Sender } from '../dynamo/sender.ts'
import { entityByKeys } from '../plan/entity-by-keys.ts'
import type { Stored } from '../plan/stored.ts'
import { isDropped, knownNames, understood } from '../plan/understood.ts'
import type { Runtime } from './runtime.ts'
import { textOf } from './text-of.ts'

/** The tables in which this process has read an item of another program, by what reaches them. */
const metForeign = new WeakMap<Sender, Set<string>>()

/**
 * True for an item of the design that another program wrote: the runtime gives each of its items a version. What is of no entity tells nothing: no item of
 * the design hangs on it.
 */
export function isForeign({ form }: { readonly form: DesignForm }, raw: Item, item: Stored): boolean {
  return raw.version === undefined && form.entities.has(String(item.Type))
}

/** True if this process has read an item of the table that another program wrote. */
export function hasMetForeign({ sender, table }: Runtime): boolean {
  return metForeign.get(sender)?.has(table) === true
}

/** An item that a request has brought, understood. */
export function received({ design, sender, table }: Runtime, raw: Item): Stored {
  const item = storedFrom(design, raw)
  if (isForeign(design, raw, item)) metForeign.set(sender, (metForeign.get(sender) ?? new Set()).add(table))
  return item
}

/**
 * An item from DynamoDB, understood: each item that enters the runtime comes from here. It never throws: what is wrong with an item is told by whoever
 * views it, so that it spoils nothing beside it (spec rule 16).
 */
export function storedFrom({ form }: { readonly form: DesignForm }, raw: Item): Stored {
  const type = textOf(raw.Type)
  const named = type === '' ? undefined : form.entities.get(type)
  const isOfKeys = raw.Type === undefined || 'NULL' in raw.Type
  const entity = named ?? (isOfKeys ? entityByKeys(form, textOf(raw.PK), textOf(raw.SK)) : undefined)
  if (entity === undefined) return readAttributes(raw)
  const item = readAttributes(raw, knownNames(entity))
  return isDropped(form, { Type: entity.name }) ? { ...item, Type: entity.name } : understood(entity, item, form.names !== undefined)
}
