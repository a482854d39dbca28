import { type Entity, FreeholdError, type Item, type New, type Runtime } from '@freehold/table'
import { createdValues } from '@freehold/table/runtime'

/** What a new item will be, but for what is copied into it: made before it is written, so that the audit can tell it. */
export function madeItem<E extends Entity>(runtime: Runtime, entity: E, input: New<E>): New<E> {
  // The entity's own schema has read each attribute.
  return createdValues(entity, input, runtime.making()) as New<E>
}

/** What a step gave back: a step that creates or changes an item gives that. */
export function givenBack<T>(entity: Entity, item: T | undefined): T {
  if (item === undefined) throw new FreeholdError('MalformedItem', `A write of ${entity.name} gave no item back.`, { entity: entity.name })
  return item
}

/** An item's view as its entity says it is, where it was read by the entity's name. */
export function viewOf<E extends Entity>(item: Item<Entity>): Item<E> {
  // Whoever asked for it named the entity E.
  return item as unknown as Item<E>
}
