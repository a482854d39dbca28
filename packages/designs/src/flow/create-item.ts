import { creating, type Entity, type Item, type New, type Steps } from '@freehold/table'
import type { ChangeEntry, FlowContext } from './flow-host.ts'
import { entryOf, withTenant } from './item-entry.ts'
import { newItem, returnedItem, viewOf } from './new-item.ts'
import { writeRecorded } from './recorded-write.ts'

export interface CreatingItem {
  /** The tenant of the item. Left out for an item of no tenant, and where the input names it. */
  readonly tenant?: string | undefined
  /** More for the record. */
  readonly entry?: Partial<ChangeEntry> | undefined
  /** Steps that are written with it. */
  readonly steps?: Steps | undefined
}

/** Creates an item and records it. Throws `AlreadyExists`, `MissingEnd`, `InvalidInput`. */
export async function createItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  input: New<E>,
  { tenant, entry = {}, steps: more = {} }: CreatingItem = {},
): Promise<Item<E>> {
  const made = newItem(context.table.runtime, entity, input)
  const after = withTenant(context, entity, made, tenant)
  const plain: Entity = entity
  const steps = { ...more, item: creating(plain, made as never) }
  const { item } = await writeRecorded(context, steps, { ...entryOf(context, entity, after), before: undefined, after, ...entry })
  return viewOf<E>(returnedItem(entity, item))
}
