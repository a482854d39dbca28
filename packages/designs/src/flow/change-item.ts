import { type Change, type Entity, type Id, type Item, removing, type Steps, updating } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { ChangeEntry, FlowContext } from './flow-host.ts'
import { entryOf } from './item-entry.ts'
import { checkNamedVersion, liveItem } from './live-item.ts'
import { returnedItem, viewOf } from './new-item.ts'
import { changedView, isUnchanged, type View } from './recorded-changes.ts'
import { recordAlone, writeRecorded } from './recorded-write.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

type Asked<E extends Entity> = Change<E> | ((before: Item<E>) => Change<E> | Promise<Change<E>>)

/** Steps that are written with a change, and more for its record. */
export interface Alongside {
  readonly steps?: Steps | undefined
  readonly entry?: Partial<ChangeEntry> | undefined
}

/** The attributes of an item's key, from a view that has them: of the item, or of its lookup item. */
export function idOfItem<E extends Entity>(entity: E, values: View): Id<E> {
  // The placeholders of its key are the attributes of its id.
  return Object.fromEntries(keyPlaceholders(entity).map((name) => [name, values[name]])) as Id<E>
}

/**
 * Changes an item as it was read, and records it. A change that alters nothing writes nothing. Throws `NotFound`, `BeingDeleted`, and
 * `VersionConflict` if another writer was faster.
 */
export async function changeAsRead<E extends Entity>(
  context: FlowContext,
  entity: E,
  item: Item<E>,
  change: Change<E>,
  { steps: more, entry }: Alongside = {},
): Promise<Item<E>> {
  const before: View = item
  if (isUnchanged(before, change)) return item
  const plain: Entity = entity
  const how = { version: Number(before.version) }
  const steps = { ...more, item: updating(plain, idOfItem(entity, item) as never, change as never, how) }
  const changed = { ...entryOf(context, entity, before), before, after: changedView(before, change), ...entry }
  return viewOf<E>(returnedItem(entity, (await writeRecorded(context, steps, changed)).item))
}

/** `steps` are written with the change, and `entry` is more for its record. */
export interface ChangingItem<E extends Entity = Entity> extends Alongside {
  /** The version that the caller named. */
  readonly version?: number | null | undefined
  /** Throws if the item, as it was read, may not be changed so, or removed. */
  readonly check?: ((before: Item<E>) => void | Promise<void>) | undefined
  /** Steps and record that depend on the item. Called only for a change that alters something. */
  readonly alongside?: ((before: Item<E>, after: Item<E>) => Promise<Alongside>) | undefined
}

/**
 * Changes an item and records it. The change may depend on the item as it was read, and is computed again if another writer was faster. A change
 * that alters nothing writes nothing. Throws `NotFound`, `BeingDeleted`, `VersionConflict`.
 */
export async function changeItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  asked: Asked<E>,
  { version, entry, steps: more, check, alongside }: ChangingItem<E> = {},
): Promise<Item<E>> {
  return retryOnConflict(context.table.runtime, async () => {
    const item = await liveItem(context, entity, id)
    const before: View & { readonly version?: unknown } = item
    checkNamedVersion(entity, Number(before.version), version)
    await check?.(item)
    const change = typeof asked === 'function' ? await asked(item) : asked
    if (isUnchanged(before, change)) return item
    const found: Alongside = (await alongside?.(item, changedView(item, change))) ?? {}
    return changeAsRead(context, entity, item, change, { steps: { ...more, ...found.steps }, entry: { ...entry, ...found.entry } })
  })
}

export interface RemovingItem<E extends Entity = Entity> extends Omit<ChangingItem<E>, 'alongside'> {
  /** Steps and record that depend on the item. */
  readonly alongside?: ((before: Item<E>) => Promise<Alongside>) | undefined
  readonly inUse?: 'cascade' | undefined
  /** False: returns as soon as the removal is recorded. */
  readonly wait?: boolean | null | undefined
}

/** Removes an item with its dependants, and records it. Throws `NotFound`, `BeingDeleted`, `VersionConflict`, `InUse`. */
export async function removeItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  { version, entry, steps: more, inUse, wait, check, alongside }: RemovingItem<E> = {},
): Promise<void> {
  await retryOnConflict(context.table.runtime, async () => {
    const item = await liveItem(context, entity, id)
    const before: View & { readonly version?: unknown } = item
    checkNamedVersion(entity, Number(before.version), version)
    await check?.(item)
    const found: Alongside = (await alongside?.(item)) ?? {}
    const how = { version: Number(before.version), ...(inUse === undefined ? {} : { inUse }) }
    const removed = { ...entryOf(context, entity, before), before, ...entry, ...found.entry }
    const plain: Entity = entity
    const onTakenBack = () => recordAlone(context, { ...removed, before: undefined, status: 'failure', more: { reason: 'InUse' } })
    const steps = { ...more, ...found.steps, item: removing(plain, id as never, how) }
    await writeRecorded(context, steps, removed, { wait: wait ?? true, onTakenBack })
  })
}
