import { type Change, type Entity, FreeholdError, type Id, type Item, removing, type Steps, updating } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { givenBack, viewOf } from '../../flow/made-item.ts'
import { changedView, isUnchanged, type View } from '../../flow/recorded-changes.ts'
import { Client } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { type AuditEntry, auditSteps, writeAudited } from './audited.ts'
import { standing } from './place.ts'

/** The version that a caller names loses to any other writer (spec rule 8): it is not tried again. */
export function checkNamedVersion({ name }: Entity, version: number, named: number | null | undefined): void {
  if (named === undefined || named === null || named === version) return
  throw new FreeholdError('VersionConflict', `This ${name} has version ${version}, not ${named}: read it again and decide anew.`, {
    entity: name,
    version,
    named: true,
  })
}

/** An item that is there and stays, read consistently by its entity. Throws `NotFound`, `BeingDeleted`. */
export async function standingItem<E extends Entity>({ table }: AccountContext, entity: E, id: Id<E>): Promise<Item<E>> {
  const found = await table.repositoryNamed(entity.name).get(id, { consistent: true })
  const named: View = id
  return viewOf<E>(standing(entity.name, String(named.id ?? Object.values(named).join(' ')), found))
}

/** The client whose item this is; undefined for the system's. */
function clientOf(entity: Entity, view: View): string | undefined {
  const client_id = entity === Client ? view.id : view.client_id
  return typeof client_id === 'string' ? client_id : undefined
}

function entryOf(entity: Entity, before: View, after: View | undefined): AuditEntry {
  return { entity, id: String(before.id), client_id: clientOf(entity, before), before, after }
}

export interface ChangingAudited<E extends Entity = Entity> {
  /** The version that the caller named. */
  readonly version?: number | null | undefined
  /** More for the audit. */
  readonly entry?: Partial<AuditEntry>
  /** What else must hold, or change, with it. */
  readonly steps?: Steps
  /** Throws where the item, as it was read, is not to be changed so, or to go. */
  readonly check?: (before: Item<E>) => void
}

/** Changes an item and records it; `asked` may depend on the item as it was read. Where it is as it shall be already, nothing is written. Throws `NotFound`, `BeingDeleted`, `VersionConflict`. */
export async function changeAudited<E extends Entity>(
  context: AccountContext,
  entity: E,
  id: Id<E>,
  asked: Change<E> | ((before: Item<E>) => Change<E>),
  { version, entry = {}, steps: more = {}, check }: ChangingAudited<E> = {},
): Promise<Item<E>> {
  return decideAnew(context.table.runtime, async () => {
    const item = await standingItem(context, entity, id)
    const before: View & { readonly version?: unknown } = item
    checkNamedVersion(entity, Number(before.version), version)
    check?.(item)
    const change = typeof asked === 'function' ? asked(item) : asked
    if (isUnchanged(before, change)) return item
    const plain: Entity = entity
    const steps = { ...more, item: updating(plain, id as never, change as never, { version: Number(before.version) }) }
    const written = await writeAudited(context, steps, { ...entryOf(entity, before, changedView(before, change)), ...entry })
    return viewOf<E>(givenBack(entity, written.item))
  })
}

export interface RemovingAudited<E extends Entity = Entity> extends ChangingAudited<E> {
  readonly inUse?: 'cascade' | undefined
  /** False: returns as soon as the removal is recorded. */
  readonly wait?: boolean | null | undefined
}

/** Removes an item with what hangs on it, and records it. Throws `NotFound`, `BeingDeleted`, `VersionConflict`, `InUse`. */
export async function removeAudited<E extends Entity>(
  context: AccountContext,
  entity: E,
  id: Id<E>,
  { version, entry = {}, steps: more = {}, inUse, wait, check }: RemovingAudited<E> = {},
): Promise<void> {
  await decideAnew(context.table.runtime, async () => {
    const item = await standingItem(context, entity, id)
    const before: View & { readonly version?: unknown } = item
    checkNamedVersion(entity, Number(before.version), version)
    check?.(item)
    const how = { version: Number(before.version), ...(inUse === undefined ? {} : { inUse }) }
    const removed = { ...entryOf(entity, before, undefined), ...entry }
    const plain: Entity = entity
    const onTakenBack = async () => {
      await context.table.transact(auditSteps(context, { ...removed, before: undefined, status: 'failure', more: { reason: 'InUse' } }))
    }
    await writeAudited(context, { ...more, item: removing(plain, id as never, how) }, removed, { wait: wait ?? true, onTakenBack })
  })
}
