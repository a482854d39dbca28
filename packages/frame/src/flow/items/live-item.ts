import { type Entity, FreeholdError, type Id, type Item, type New, type Runtime } from '@freehold/table'
import { createdValues } from '@freehold/table/runtime'
import type { FlowContext } from '../flow-host.ts'
import type { View } from '../records/recorded-changes.ts'

/** An item that is there and stays. Throws `NotFound`, `BeingDeleted`. */
export function requireLive<T extends { readonly deleting?: string }>(entity: string, id: string, found: T | undefined): T {
  if (found === undefined) throw new FreeholdError('NotFound', `There is no ${entity} ${id} here.`, { entity, id })
  if (found.deleting !== undefined)
    throw new FreeholdError('BeingDeleted', `This ${entity} is being deleted (job ${found.deleting}).`, { entity, id })
  return found
}

/** The same, read consistently by its entity. Throws `NotFound`, `BeingDeleted`. */
export async function liveItem<E extends Entity>({ table }: Pick<FlowContext, 'table'>, entity: E, id: Id<E>): Promise<Item<E>> {
  const found = await table.repositoryNamed(entity.name).get(id, { consistent: true })
  const named: View = id
  return viewOf<E>(requireLive(entity.name, String(named.id ?? Object.values(named).join(' ')), found))
}

/** A caller that names a version loses to any other writer (spec rule 8): its flow is not retried. Throws `VersionConflict`. */
export function checkNamedVersion({ name }: Entity, version: number, named: number | null | undefined): void {
  if (named === undefined || named === null || named === version) return
  throw new FreeholdError('VersionConflict', `This ${name} has version ${version}, not ${named}: read it again and decide anew.`, {
    entity: name,
    version,
    named: true,
  })
}

/**
 * The refusal of a call that does not fit the state of an item: another attempt would fail, too, and the caller is permitted. `reason` is a stable
 * code.
 */
export function stateConflict(entity: Entity, reason: string, message: string): FreeholdError {
  return new FreeholdError('CheckFailed', message, { entity: entity.name, reason, named: true })
}

/** A new item as it will be, but for its copies: made before it is written, so that the record can tell it. */
export function newItem<E extends Entity>(runtime: Runtime, entity: E, input: New<E>): New<E> {
  // The entity's own schema has read each attribute.
  return createdValues(entity, input, runtime.making()) as New<E>
}

/** The item that a step gave back: each step that creates or changes an item gives one. */
export function returnedItem<T>(entity: Entity, item: T | undefined): T {
  if (item === undefined) throw new FreeholdError('MalformedItem', `A write of ${entity.name} gave no item back.`, { entity: entity.name })
  return item
}

/** An item's view as its entity says it is, where it was read by the entity's name. */
export function viewOf<E extends Entity>(item: Item<Entity>): Item<E> {
  // The caller asked for it by the name of the entity E.
  return item as unknown as Item<E>
}
