import { type Entity, FreeholdError, type Item, type New, type Runtime } from '@freehold/table'
import { createdValues } from '@freehold/table/runtime'

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
