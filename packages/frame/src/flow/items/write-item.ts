import { type Change, creating, type Entity, type Id, type Item, moving, type New, removing, type Steps, updating } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { ChangeEntry, FlowContext } from '../flow-host.ts'
import { changedView, isUnchanged, type View } from '../records/recorded-changes.ts'
import { entryOf, noteOf, recordAlone, withTenant, writeRecorded } from '../records/recorded-write.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { checkNamedVersion, liveItem, newItem, requireLive, returnedItem, viewOf } from './live-item.ts'

export type Awaitable<T> = T | Promise<T>

/** Steps that are written with a change, and more for its record. */
export interface Alongside {
  readonly steps?: Steps | undefined
  readonly entry?: Partial<ChangeEntry> | undefined
  /** True where a step beside a new item writes one of no tenant, which no tenant scope takes. The flow's own scope has the tenant of the new item. */
  readonly isUnscoped?: boolean
}

export interface CreatingItem extends Alongside {
  /** The tenant of the item. Left out for an item of no tenant, and if the input names it. */
  readonly tenant?: string | undefined
}

/** Creates an item and records it. Throws `AlreadyExists`, `MissingEnd`, `InvalidInput`. */
export async function createItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  input: New<E>,
  { tenant, entry, steps, isUnscoped = false }: CreatingItem = {},
): Promise<Item<E>> {
  const made = newItem(context.table.runtime, entity, input)
  const after = withTenant(context, entity, made, tenant)
  const item = creating<Entity>(entity, made as never)
  const written = await writeRecorded(
    isUnscoped ? { ...context, table: context.unscoped } : context,
    { ...steps, item },
    { ...entryOf(context, entity, after), before: undefined, after, ...entry },
  )
  return viewOf<E>(returnedItem(entity, written.item))
}

/**
 * Creates an item and records it, unless it is there: an edge that is added again keeps its first stamps (spec rule 10). Throws `BeingDeleted`,
 * `MissingEnd`, `InvalidInput`.
 */
export async function ensureItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  input: New<E>,
  alongside: () => Awaitable<CreatingItem> = () => ({}),
): Promise<Item<E>> {
  const id = idOfItem(entity, input)
  const attempt = async () => {
    const there = await context.table.repositoryNamed(entity.name).get(id, { consistent: true })
    if (there !== undefined) return viewOf<E>(requireLive(entity.name, Object.values(id).join(' '), there))
    return createItem(context, entity, input, await alongside())
  }
  return retryOnConflict(context.table.runtime, attempt, ['AlreadyExists'])
}

/** The attributes of an item's key, from a view that has them: of the item, or of its lookup item. */
export function idOfItem<E extends Entity>(entity: E, values: View): Id<E> {
  // The placeholders of its key are the attributes of its id.
  return Object.fromEntries(keyPlaceholders(entity).map((name) => [name, values[name]])) as Id<E>
}

/**
 * Changes an item as it was read, and records it. An item whose key changes moves. A change that alters nothing writes nothing. Throws `NotFound`,
 * `BeingDeleted`, and `VersionConflict` if another writer was faster.
 */
export async function changeAsRead<E extends Entity>(
  context: FlowContext,
  entity: E,
  read: Item<E>,
  change: Change<E>,
  { steps, entry }: Alongside = {},
): Promise<Item<E>> {
  const before: View = read
  if (isUnchanged(before, change)) return read
  const after = changedView(before, change)
  const write = keyPlaceholders(entity).every((name) => after[name] === before[name]) ? updating : moving
  const item = write<Entity>(entity, idOfItem(entity, before) as never, change as never, { version: Number(before.version) })
  const changed = { ...entryOf(context, entity, before), before, after, ...entry }
  return viewOf<E>(returnedItem(entity, (await writeRecorded(context, { ...steps, item }, changed)).item))
}

/** The step by which a change of something else counts as a write of an item: a flow that rests on both names the item's version. */
export async function touched<E extends Entity>(context: FlowContext, entity: E, id: Id<E>): Promise<{ readonly steps: Steps }> {
  const { version }: View = await liveItem(context, entity, id)
  return { steps: { [`touched ${entity.name}`]: updating<Entity>(entity, id as never, {} as never, { version: Number(version) }) } }
}

interface WritingItem<E extends Entity> {
  /** The version that the caller named. */
  readonly version?: number | null | undefined
  /** Throws if the item, as it was read, may not be changed so, or removed. */
  readonly check?: ((before: Item<E>) => Awaitable<void>) | undefined
}

/** Reads an item that is going to be written, and checks it. Throws `NotFound`, `BeingDeleted`, `VersionConflict`. */
export async function readToWrite<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  { version: named, check }: WritingItem<E>,
): Promise<Item<E>> {
  const before = await liveItem(context, entity, id)
  const { version }: View = before
  checkNamedVersion(entity, Number(version), named)
  await check?.(before)
  return before
}

/** Reads an item, checks it and writes it; again if another writer was faster. Throws `NotFound`, `BeingDeleted`, `VersionConflict`. */
async function writeLive<E extends Entity, R>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  writing: WritingItem<E>,
  write: (before: Item<E>) => Promise<R>,
): Promise<R> {
  return retryOnConflict(context.table.runtime, async () => write(await readToWrite(context, entity, id, writing)))
}

export interface ChangingItem<E extends Entity> extends WritingItem<E> {
  /** Steps and record that depend on the item. Called only for a change that alters something. */
  readonly alongside?: ((before: Item<E>, after: Item<E>) => Awaitable<Alongside | undefined>) | undefined
}

/**
 * Changes an item and records it. The change may depend on the item as it was read, and is computed again if another writer was faster. A change
 * that alters nothing writes nothing. Throws `NotFound`, `BeingDeleted`, `VersionConflict`.
 */
export async function changeItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  asked: Change<E> | ((before: Item<E>) => Awaitable<Change<E>>),
  { alongside, ...writing }: ChangingItem<E> = {},
): Promise<Item<E>> {
  return writeLive(context, entity, id, writing, async (before) => {
    const change = typeof asked === 'function' ? await asked(before) : asked
    if (isUnchanged(before, change)) return before
    return changeAsRead(context, entity, before, change, await alongside?.(before, changedView(before, change)))
  })
}

/**
 * Changes an item, or creates it if it is not there, and records it; again if another writer was faster. Throws `BeingDeleted`, `MissingEnd`.
 * @param alongside steps that are written with it, made before it is read
 * @param said the attributes besides those of its key
 */
export function setItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  alongside: () => Awaitable<CreatingItem>,
  said: (before: Item<E> | undefined) => Awaitable<Change<E>>,
): Promise<Item<E>> {
  const attempt = async () => {
    const beside = await alongside()
    const before = await context.table.repositoryNamed(entity.name).get(id, { consistent: true })
    if (before !== undefined) return changeAsRead(context, entity, viewOf<E>(before), await said(viewOf<E>(before)), beside)
    // The key and all that the item says make a new one.
    const made = { ...id, ...(await said(undefined)) } as unknown as New<E>
    return createItem(context, entity, made, beside)
  }
  return retryOnConflict(context.table.runtime, attempt, ['AlreadyExists'])
}

export interface RemovingItem<E extends Entity> extends WritingItem<E> {
  /** Steps and record that depend on the item. */
  readonly alongside?: ((before: Item<E>) => Awaitable<Alongside | undefined>) | undefined
  readonly inUse?: 'cascade' | undefined
  /** False: returns as soon as the removal is recorded. */
  readonly wait?: boolean | null | undefined
}

/** Removes an item with its dependants, and records it. Throws `NotFound`, `BeingDeleted`, `VersionConflict`, `InUse`. */
export async function removeItem<E extends Entity>(
  context: FlowContext,
  entity: E,
  id: Id<E>,
  { alongside, inUse, wait, ...writing }: RemovingItem<E> = {},
): Promise<void> {
  await writeLive(context, entity, id, writing, async (read) => {
    const before: View = read
    const { steps, entry } = (await alongside?.(read)) ?? {}
    const item = removing<Entity>(entity, id as never, { version: Number(before.version), ...(inUse && { inUse }), note: noteOf(context) })
    const removed = { ...entryOf(context, entity, before), before, ...entry }
    const onTakenBack = () => recordAlone(context, { ...removed, before: undefined, status: 'failure', more: { reason: 'InUse' } })
    await writeRecorded(context, { ...steps, item }, removed, { wait: wait ?? true, onTakenBack })
  })
}
