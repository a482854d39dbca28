import { type Awaitable, whenThere } from '../awaitable.ts'
import type { Change, Id, Item, New } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import type { None } from '../design/types.ts'
import type { Atomic, Refusing, Where } from '../design/where.ts'
import { errorOf, uncertainSentence } from '../dynamo/error.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import { formerIdValues, idValues, type Values } from '../plan/input.ts'
import { keyText, tableKey } from '../plan/keys.ts'
import { creating, moving, prepare, removing, type Step, updating } from '../plan/step.ts'
import type { Stored } from '../plan/stored.ts'
import { isWithin } from '../plan/tenant-scope.ts'
import { isExpired, viewItem } from '../plan/view.ts'
import { canBeMissing } from './adopt/adopted.ts'
import { besideOwner } from './by-index.ts'
import { createMany, type Outcome } from './create-many.ts'
import { finishJobs } from './jobs/jobs.ts'
import { parallelMap } from './meter.ts'
import { notePending, type Pendable, pendingJob } from './pending.ts'
import { type ReadOptions, readItem, readItems } from './read.ts'
import type { Runtime } from './runtime.ts'
import { tellTenants } from './told-tenants.ts'
import { singleFailure, type Written, writeSteps } from './write.ts'

export interface Getting extends ReadOptions {
  /** Secret attributes to return, by name. */
  readonly secrets?: readonly string[] | undefined
}

/** `wait: false` returns as soon as a durable job is recorded. A program that resumes jobs finishes it. */
export interface Writing<W = unknown> {
  readonly version?: number
  readonly wait?: boolean
  /** What the item must satisfy. Otherwise the error is `CheckFailed`, with the item in `details.item`. */
  readonly where?: W
}

/** `inUse: 'cascade'` also removes dependants that would refuse the removal, and theirs. */
export interface Removing<W = unknown> extends Writing<W> {
  readonly inUse?: 'cascade'
}

/**
 * `exact: true` sends an atomic change as a transaction with a token, so that it can be sent again after a lost answer. It costs twice the units and a
 * read: a transaction returns no values, so the item is read after it, perhaps with later changes of others.
 */
export interface Counting<W = unknown> extends Writing<W> {
  readonly exact?: boolean
}

/** The items of one entity. `Entities`: those of its design, if they are known. */
export interface Repository<E extends Entity = Entity, Entities = None> {
  readonly entity: E
  /**
   * Throws `AlreadyExists`, `MissingEnd`, `InvalidInput`, `InvalidKey`, `DerivedItem` (for a guard or lookup item). If items may be there that an earlier
   * item with this key left behind (`onRemove: 'keep'`), a job brings their copies up, and is told as `pending` if it is not done.
   */
  create(item: New<E>): Promise<Item<E>>
  /** Creates the item unless it exists: an edge that is added again keeps its first `joinedAt` (spec rule 10). */
  ensure(item: New<E>): Promise<{ readonly item: Item<E>; readonly isNew: boolean }>
  /** Creates many items, each whole or not at all. The outcomes are in the order of the items. */
  createMany(items: readonly New<E>[]): Promise<readonly Outcome<Item<E>>[]>
  /** Reads an item, by default eventually consistent. Undefined if there is none. Throws `MalformedItem`. */
  get(id: Id<E>, how?: Getting): Promise<Item<E> | undefined>
  /** Reads any number of items in parallel. The result is in the order of the ids. */
  getMany(ids: readonly Id<E>[], how?: Getting): Promise<readonly (Item<E> | undefined)[]>
  /**
   * Throws `NotFound`, `VersionConflict`, `BeingDeleted`, `AlreadyExists` (a guard), `Immutable`. When it returns, copies in other items
   * are updated, except by jobs that are `pending`.
   * An atomic change, such as `{ stock: subtract(1) }`, is one UpdateItem without a read, which returns the new item. It throws `CheckFailed` if the
   * item does not satisfy `where` or the kind of an attribute. After a lost answer it is not sent again: the error says `uncertain`, unless the item
   * shows that the change was applied.
   */
  update(id: Id<E>, change: (Atomic<E> & Refusing<Entities, E['name']>) | Change<E>, how?: Counting<Where<E>>): Promise<Item<E> & Pendable>
  /** Removes the item with its dependants. Jobs that are `pending` remove the rest. Throws `NotFound`, `VersionConflict`, `InUse`. */
  remove(id: Id<E>, how?: Removing<Where<E>>): Promise<Pendable>
  /** An update that may change the attributes of the table key. */
  move(id: Id<E>, change: Change<E>, how?: Writing<Where<E>>): Promise<Item<E> & Pendable>
}

/** Runs the jobs that a write recorded, unless the caller does not wait. Returns those that are not done. */
export async function runJobs(runtime: Runtime, { jobs }: Written, wait = true): Promise<Pendable> {
  return notePending(runtime, wait ? await finishJobs(runtime, jobs) : jobs.map((job) => pendingJob(job)))
}

interface WrittenOne extends Pendable {
  readonly item: Stored | undefined
}

async function writeOne(runtime: Runtime, step: Step, wait?: boolean): Promise<WrittenOne> {
  const prepared = prepare('item', step, runtime.making())
  try {
    const written = await writeSteps(runtime, [prepared], { wait })
    const pendable = await runJobs(runtime, written, wait)
    return { item: written.items.get(prepared), ...pendable }
  } catch (error) {
    throw singleFailure(error)
  }
}

function view(runtime: Runtime, entity: Entity, item: Stored | undefined, secrets?: readonly string[]): Values | undefined {
  const isHidden = item === undefined || isExpired(entity, item, runtime.now()) || !isWithin(runtime.tenantScope, entity, item)
  return isHidden ? undefined : viewItem(entity, item, secrets)
}

function told(cause: unknown): never {
  throw errorOf({ kind: 'lost', cause })
}

function given(entity: Entity, { item, ...pendable }: WrittenOne): Values {
  if (item === undefined) throw new FreeholdError('MalformedItem', `A write of ${entity.name} returned no item.`, { entity: entity.name })
  try {
    return Object.assign(viewItem(entity, item), pendable)
  } catch (error) {
    // Only an atomic change is written without a look at the rest of the item.
    if (!isFreeholdError(error)) throw error
    throw new FreeholdError(error.code, `${error.message} ${uncertainSentence}`, { ...error.details, uncertain: true }, { cause: error })
  }
}

function listOf({ name }: Entity, list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list
  throw new FreeholdError('InvalidInput', `${name}: the items are not a list.`, {
    entity: name,
    issues: [{ path: [], message: 'is not a list' }],
  })
}

/** The repository of one entity. Its types come from the entity. Internally items are plain records, validated against it. */
export function repository<E extends Entity>(runtime: Runtime, entity: E): Repository<E> {
  const plain: Entity = entity
  const hasFormer = keyPlaceholders(plain).some((name) => plain.attributes[name]?.kind.former !== undefined)
  /** The keys under which the item may lie: also the one that it had before look-alikes were refused. */
  const keysOf = (id: unknown) => {
    const key = tableKey(plain, idValues(plain, id))
    const former = hasFormer ? tableKey(plain, formerIdValues(plain, id)) : key
    return keyText(former) === keyText(key) ? [key] : [key, former]
  }
  const { tenantScope } = runtime
  const readBy = tenantScope?.of(plain).readBy
  const tenantAttribute = readBy === undefined ? undefined : tenantScope?.of(readBy).attribute
  /** The key of the item by which the tenant may read another. */
  const keyOfReadBy = (id: unknown) =>
    readBy === undefined || tenantAttribute === undefined
      ? undefined
      : tableKey(readBy, { ...idValues(plain, id), [tenantAttribute]: tenantScope?.tenant })
  const mayBeMissing = canBeMissing(plain)
  /** The item as callers see it. Another program does not write what the design adds: it is as it would be beside its owner. */
  const shown = (id: unknown, item: Stored | undefined, how: Getting): Awaitable<Values | undefined> => {
    if (item === undefined && mayBeMissing) return besideOwner(runtime, plain, idValues(plain, id))
    const one = [item]
    return whenThere(tellTenants(runtime, one), () => view(runtime, plain, one[0], how.secrets))
  }
  const create = async (item: unknown) => given(plain, await writeOne(runtime, creating(plain, item as never)))
  const getMany = async (ids: readonly unknown[], how: Getting = {}) => {
    const keys = ids.map(keysOf)
    const letting = ids.map(keyOfReadBy)
    const found = await readItems(
      runtime,
      [...keys, letting].flat(1).filter((key) => key !== undefined),
      how,
    )
    return parallelMap(keys, (each, index) => {
      const [lets] = [letting[index]].flatMap((key) => (key === undefined ? [] : [found.get(keyText(key))?.Type === readBy?.name]))
      if (lets === false) return undefined
      const item = each.map((key) => found.get(keyText(key))).find((one) => one !== undefined)
      return shown(ids[index], item, how)
    })
  }
  const get = async (id: unknown, how: Getting = {}) => {
    const [key, former] = keysOf(id)
    if (former !== undefined || key === undefined || readBy !== undefined) return (await getMany([id], how))[0]
    return shown(id, await readItem(runtime, key, how), how)
  }
  /** The item after a transaction that returned no values. The write is done, so that a failure to read it is `uncertain` and no other. */
  const readAfter = async (id: unknown) => {
    const item = await readItem(runtime, tableKey(plain, idValues(plain, id)), { consistent: true }).catch(told)
    return item === undefined ? told(undefined) : given(plain, { item })
  }
  const untyped = {
    entity,
    create,
    get,
    createMany: async (items: unknown) => createMany(runtime, plain, listOf(plain, items)),
    ensure: async (item: unknown) => {
      try {
        return { item: await create(item), isNew: true }
      } catch (error) {
        if (!isFreeholdError(error, 'AlreadyExists') || error.details.guard !== undefined) throw error
        const prepared = prepare('item', creating(plain, item as never), runtime.making())
        const existing =
          prepared.verb === 'create' ? await readItem(runtime, tableKey(plain, prepared.values), { consistent: true }) : undefined
        const found = view(runtime, plain, existing)
        if (found === undefined || found.deleting !== undefined) throw error
        return { item: found, isNew: false }
      }
    },
    getMany: async (ids: unknown, how: Getting = {}) => getMany(listOf(plain, ids), how),
    update: async (id: unknown, change: unknown, { wait, exact, ...how }: Counting = {}) => {
      const written = await writeOne(runtime, { ...updating(plain, id as never, change as never, how as never), exact }, wait)
      return written.item === undefined ? readAfter(id) : given(plain, written)
    },
    remove: async (id: unknown, { wait, ...how }: Removing = {}) => {
      const { item: _, ...pendable } = await writeOne(runtime, removing(plain, id as never, how as never), wait)
      return pendable
    },
    move: async (id: unknown, change: unknown, { wait, ...how }: Writing = {}) =>
      given(plain, await writeOne(runtime, moving(plain, id as never, change as never, how as never), wait)),
  }
  // Each method validates its input against `entity`, from which the types of Repository<E> are taken.
  return untyped as unknown as Repository<E>
}
