import type { Making } from '../design/attribute.ts'
import type { Change, Id, New } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { isNewId } from '../design/new-id.ts'
import type { Atomic, Where } from '../design/where.ts'
import { FreeholdError } from '../errors.ts'
import type { Json } from '../kind/value.ts'
import { attributesOf } from './attributes-of.ts'
import { type ChangedValues, changedValues, createdValues, expectedValues, idValues, type Values } from './input.ts'
import { type TableKey, tableKey } from './keys.ts'
import type { Stored } from './stored.ts'
import type { Term } from './term.ts'

/** One step of a write, as a caller gives it. The step returns an item of the entity `E`. */
export interface Step<E extends Entity = Entity> {
  readonly verb: 'create' | 'update' | 'remove' | 'move' | 'check'
  readonly entity: E
  readonly input: unknown
  readonly change?: unknown
  readonly version?: number | undefined
  readonly where?: unknown
  readonly exact?: boolean | undefined
  /** The step that `take` adds. */
  readonly isTaking?: true
  readonly inUse?: 'cascade' | undefined
  readonly note?: Json | undefined
  /** Of a check: the item as it was read, which it must still be. */
  readonly read?: Stored | undefined
}

/** Creates an item. Fails if the key already has one. */
export function creating<E extends Entity>(entity: E, item: New<E>): Step<E> {
  return { verb: 'create', entity, input: item }
}
/** A version that the item must have, and a condition that it must satisfy. */
interface If<E extends Entity> {
  readonly version?: number
  readonly where?: Where<E>
}
/**
 * Changes an existing item. An atomic change, such as `{ stock: subtract(1) }`, is applied to the stored values without a read, and its step has no
 * result. Its attributes are ones that no key, guard, lookup item, copy, reference or ttl needs: types tell what the entity itself needs, the runtime the rest.
 */
export function updating<E extends Entity>(entity: E, id: Id<E>, change: Change<E> | Atomic<E>, how: If<E> = {}): Step<E> {
  return { verb: 'update', entity, input: id, change, version: how.version, where: how.where }
}
/**
 * Removes an item with its dependants. `inUse: 'cascade'` also removes dependants that would refuse the removal, and theirs. `note`: kept with the
 * durable job of the removal, for the function that records the items that it takes along (`recordRemoval`).
 */
export function removing<E extends Entity>(
  entity: E,
  id: Id<E>,
  { version, where, inUse, note }: If<E> & { inUse?: 'cascade'; note?: Json } = {},
): Step<E> {
  return { verb: 'remove', entity, input: id, version, where, inUse, note }
}
/** Changes attributes of the table key, so the item moves. */
export function moving<E extends Entity>(entity: E, id: Id<E>, change: Change<E>, how: If<E> = {}): Step<E> {
  return { verb: 'move', entity, input: id, change, version: how.version, where: how.where }
}
/** Lets the other steps succeed only if the item is live and satisfies the condition. */
export function checking<E extends Entity>(entity: E, id: Id<E>, how: If<E> = {}): Step<E> {
  return { verb: 'check', entity, input: id, version: how.version, where: how.where }
}

/** A step with validated input and fixed defaults, so that planning it again gives the same request. */
export type Prepared = {
  readonly step: string
  readonly entity: Entity
  readonly version?: number | undefined
  readonly where?: Term | undefined
} & (
  | {
      readonly verb: 'create'
      readonly values: Readonly<Values>
      /** The attributes with an id that was made for this item. Nothing refers yet to a key that has one. */
      readonly newIds: readonly string[]
    }
  | {
      readonly verb: 'update' | 'move'
      readonly key: TableKey
      readonly change: ChangedValues
      readonly stamps: Readonly<Values>
      /** The attributes of the key. */
      readonly id: Readonly<Values>
      /** An atomic change is sent as a transaction, which may be sent again. */
      readonly exact?: boolean | undefined
      /** Copies again through this reference. If no copy has changed, nothing is written. */
      readonly refreshed?: string
    }
  | { readonly verb: 'remove'; readonly key: TableKey; readonly inUse?: 'cascade' | undefined; readonly note?: Json | undefined }
  | { readonly verb: 'check'; readonly key: TableKey; readonly read?: Stored | undefined }
)

/** Refuses an item that a caller may not write on its own (spec rule 10). */
function checkWritable({ name, form }: Entity, { verb, isTaking }: Step): void {
  if (verb === 'check') return
  if (form.part.kind === 'guard' || form.part.kind === 'mirror') {
    const owner = form.part.owner.name
    throw new FreeholdError('DerivedItem', `${name} is written with its ${owner}: ${verb} the ${owner} instead.`, { entity: name, owner })
  }
  if (form.sequence !== undefined && verb !== 'create' && isTaking !== true)
    throw new FreeholdError('Immutable', `${name} is a sequence: only taking a number changes it, so that none comes twice.`, {
      entity: name,
    })
  if (form.appendOnly && verb !== 'create')
    throw new FreeholdError('Immutable', `${name} is append-only: it cannot be changed or removed.`, { entity: name })
  if (form.part.kind === 'edge' && verb === 'move') {
    throw new FreeholdError('InvalidInput', `${name} is an edge, whose key names its ends: remove it and create another.`, { entity: name })
  }
}

/** Checks a version at run time: a program's caller may pass text, or no whole number. */
function checkVersion({ name }: Entity, version: unknown): void {
  if (version === undefined || (Number.isInteger(version) && Number(version) >= 0)) return
  const message = 'is not a whole number from 0'
  throw new FreeholdError('InvalidInput', `${name}: the version ${message}.`, { entity: name, issues: [{ path: ['version'], message }] })
}

/** Checks `inUse` at run time: an unknown value must not remove more. */
function checkedInUse({ name }: Entity, inUse: unknown): 'cascade' | undefined {
  if (inUse === undefined || inUse === 'cascade') return inUse
  const message = "is not 'cascade'"
  throw new FreeholdError('InvalidInput', `${name}: inUse ${message}.`, { entity: name, issues: [{ path: ['inUse'], message }] })
}

function stampsOf(entity: Entity, making: Making): Values {
  const stamps: Values = {}
  for (const [name, { madeOnWrite, make }] of Object.entries(entity.attributes))
    if (madeOnWrite && make !== undefined) stamps[name] = make(making)
  return stamps
}

/** @param input the attributes that the caller gave */
function newIdsOf(entity: Entity, input: Readonly<Values>): readonly string[] {
  return attributesOf(entity).flatMap(([name, attribute]) => (isNewId(attribute) && input[name] === undefined ? [name] : []))
}

/** Validates a step, fills in defaults and normalises its id. Throws `InvalidInput`, `InvalidKey`, `DerivedItem` or `Immutable`. */
export function prepare(name: string, step: Step, making: Making): Prepared {
  const { verb, entity, version } = step
  checkWritable(entity, step)
  checkVersion(entity, version)
  if (verb === 'create') {
    const values = createdValues(entity, step.input, making)
    return { step: name, verb, entity, values, newIds: newIdsOf(entity, Object(step.input)) }
  }
  const id = idValues(entity, step.input)
  const key = tableKey(entity, id)
  const common = { step: name, entity, version, key, where: expectedValues(entity, step.where) }
  if (verb === 'remove') return { verb, inUse: checkedInUse(entity, step.inUse), note: step.note, ...common }
  if (verb === 'check') return { verb, read: step.read, ...common }
  const change = changedValues(entity, step.change, verb === 'move')
  return { verb, id, change, stamps: stampsOf(entity, making), exact: step.exact === true, ...common }
}
