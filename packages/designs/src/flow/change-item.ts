import { type Change, type Entity, type Id, type Item, removing, type Steps, updating } from '@freehold/table'
import type { ChangeEntry, FlowContext } from './flow-host.ts'
import { checkNamedVersion, liveItem } from './live-item.ts'
import { returnedItem, viewOf } from './new-item.ts'
import { changedView, isUnchanged, type View } from './recorded-changes.ts'
import { recordAlone, writeRecorded } from './recorded-write.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

/** The tenant whose item this is, as the design says; undefined for an item of none. */
function tenantOfItem({ table }: FlowContext, entity: Entity, view: View): string | undefined {
  const { attribute = '' } = table.runtime.design.form.tenantOf?.(entity) ?? {}
  const tenant = view[attribute]
  return typeof tenant === 'string' ? tenant : undefined
}

function entryOf(context: FlowContext, entity: Entity, before: View, after: View | undefined): ChangeEntry {
  return { entity, id: String(before.id), tenant: tenantOfItem(context, entity, before), before, after }
}

export interface ChangingItem<E extends Entity = Entity> {
  /** The version that the caller named. */
  readonly version?: number | null | undefined
  /** More for the record. */
  readonly entry?: Partial<ChangeEntry> | undefined
  /** Steps that are written with it. */
  readonly steps?: Steps
  /** Throws where the item, as it was read, is not to be changed so, or to go. */
  readonly check?: (before: Item<E>) => void
}

/**
 * Changes an item and records it; `asked` may depend on the item as it was read. A change that alters nothing writes nothing.
 * Throws `NotFound`, `BeingDeleted`, `VersionConflict`.
 */
export async function changeItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  asked: Change<E> | ((before: Item<E>) => Change<E>),
  { version, entry = {}, steps: more = {}, check }: ChangingItem<E> = {},
): Promise<Item<E>> {
  return retryOnConflict(context.table.runtime, async () => {
    const item = await liveItem(context, entity, id)
    const before: View & { readonly version?: unknown } = item
    checkNamedVersion(entity, Number(before.version), version)
    check?.(item)
    const change = typeof asked === 'function' ? asked(item) : asked
    if (isUnchanged(before, change)) return item
    const plain: Entity = entity
    const steps = { ...more, item: updating(plain, id as never, change as never, { version: Number(before.version) }) }
    const written = await writeRecorded(context, steps, { ...entryOf(context, entity, before, changedView(before, change)), ...entry })
    return viewOf<E>(returnedItem(entity, written.item))
  })
}

export interface RemovingItem<E extends Entity = Entity> extends ChangingItem<E> {
  readonly inUse?: 'cascade' | undefined
  /** False: returns as soon as the removal is recorded. */
  readonly wait?: boolean | null | undefined
}

/** Removes an item with its dependants, and records it. Throws `NotFound`, `BeingDeleted`, `VersionConflict`, `InUse`. */
export async function removeItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  { version, entry = {}, steps: more = {}, inUse, wait, check }: RemovingItem<E> = {},
): Promise<void> {
  await retryOnConflict(context.table.runtime, async () => {
    const item = await liveItem(context, entity, id)
    const before: View & { readonly version?: unknown } = item
    checkNamedVersion(entity, Number(before.version), version)
    check?.(item)
    const how = { version: Number(before.version), ...(inUse === undefined ? {} : { inUse }) }
    const removed = { ...entryOf(context, entity, before, undefined), ...entry }
    const plain: Entity = entity
    const onTakenBack = () => recordAlone(context, { ...removed, before: undefined, status: 'failure', more: { reason: 'InUse' } })
    await writeRecorded(context, { ...more, item: removing(plain, id as never, how) }, removed, { wait: wait ?? true, onTakenBack })
  })
}
