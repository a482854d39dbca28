import { type Entity, type ExtraChecks, FreeholdError, isFreeholdError, type Json, type Results, type Steps } from '@freehold/table'
import { asRead, keyPlaceholders, type Pendable } from '@freehold/table/runtime'
import { recordedCaller } from '../actor.ts'
import type { ChangeEntry, FlowContext, FlowTable } from '../flow-host.ts'
import { BasisChanged, basisMin } from '../permission/permission-basis.ts'
import { logChange } from './change-records.ts'
import type { View } from './recorded-changes.ts'

/** The attribute that names an item's tenant; undefined for an entity whose items belong to none. */
function tenantAttribute({ table }: FlowContext, entity: Entity): string | undefined {
  return table.runtime.design.form.tenantOf?.(entity).attribute
}

/** The tenant of an item, as the design says; undefined for an item of none. */
export function tenantOfItem(context: FlowContext, entity: Entity, view: View): string | undefined {
  const tenant = view[tenantAttribute(context, entity) ?? '']
  return typeof tenant === 'string' ? tenant : undefined
}

/** A new item as its record tells it: with its tenant, even where that is a copy which only the write reads. */
export function withTenant(context: FlowContext, entity: Entity, view: View, tenant: string | undefined): View {
  const attribute = tenantAttribute(context, entity)
  return attribute === undefined || tenant === undefined ? view : { ...view, [attribute]: tenant }
}

/** The part of a record that every change of an item has. */
export function entryOf(context: FlowContext, entity: Entity, view: View): ChangeEntry {
  return { entity, id: typeof view.id === 'string' ? view.id : undefined, tenant: tenantOfItem(context, entity, view) }
}

export interface Writing {
  /** False: durable jobs that the steps leave are not waited for. */
  readonly wait?: boolean | undefined
  /** Called if a removal among the steps that were written was taken back, since its item was taken into use meanwhile. */
  readonly onTakenBack?: (() => Promise<void>) | undefined
}

/** DynamoDB's limit of one transaction. */
export const actionsMax = 100

/**
 * The permission basis of a calling user, as checks in each transaction that its flow writes: user and tenant are still active, and each item by
 * which it was allowed is as it was when that was decided. So a write that was held up is not applied once one of these is gone, expires or grants
 * something else; the engine decides again.
 * The checks are made on the unscoped table, since a user without a tenant lies outside the tenant scope in which its flows write. Three things
 * are not checked: the catalogue of permissions, which only operators write; items beyond `basisMin` for which a transaction has no room; and what
 * another decider than the design's own allows without evidence.
 */
async function basisChecks({ user, basis, unscoped }: FlowContext): Promise<ExtraChecks | undefined> {
  if (user === undefined || basis === undefined) return undefined
  await basis.readUnversioned((check) => asRead(unscoped.runtime, check))
  return { table: unscoped, checks: basis.checks(unscoped.runtime.now()) }
}

/** The steps with as much of the basis as there is room for. A check of an item that a step writes takes no room. */
async function transactWithBasis<const S extends Steps>(
  { transact }: FlowTable,
  steps: S,
  wait: boolean,
  basis: ExtraChecks | undefined,
): Promise<Results<S> & Pendable> {
  if (basis === undefined) return transact(steps, { wait })
  for (let kept = Object.entries(basis.checks); ; ) {
    try {
      return await transact(steps, { wait, extraChecks: { ...basis, checks: Object.fromEntries(kept) } })
    } catch (error) {
      const excess = isFreeholdError(error, 'TooLarge') ? Number(error.details.actions ?? 0) - actionsMax : 0
      if (excess <= 0 || kept.length - excess < basisMin) throw error
      kept = kept.slice(0, -excess)
    }
  }
}

/**
 * A refusal after an answer was lost, as flows tell it: a flow takes AlreadyExists and its like for answers, and this is none, since the write may
 * have been applied (spec rule 13).
 */
function uncertain(refusal: FreeholdError): FreeholdError {
  if (refusal.category === 'unavailable' || refusal.category === 'retryable') return refusal
  return new FreeholdError('Unavailable', refusal.message, { uncertain: true }, { cause: refusal })
}

/**
 * Writes all steps in one transaction with the checks of the permission basis, and records nothing. Throws the error of the first step that failed,
 * in their order; `BasisChanged` where the basis has changed; `Unavailable`, `uncertain`, for a refusal after an answer was lost.
 */
export async function writeUnrecorded<const S extends Steps>(
  context: FlowContext,
  steps: S,
  { wait = true, onTakenBack }: Writing = {},
): Promise<Results<S> & Pendable> {
  const basis = await basisChecks(context)
  try {
    return await transactWithBasis(context.table, steps, wait, basis)
  } catch (error) {
    // In use already, the transaction fails as a whole; only a removal's own job says so by itself.
    if (isFreeholdError(error, 'InUse')) await onTakenBack?.()
    if (isFreeholdError(error) && error.details.uncertain === true) throw uncertain(error)
    if (!isFreeholdError(error, 'TransactionFailed')) throw error
    const failures = error.details.failures ?? {}
    if (Object.keys(basis?.checks ?? {}).some((check) => failures[check] !== undefined)) throw new BasisChanged('basis', { cause: error })
    const first = Object.keys(steps).find((step) => failures[step] !== undefined)
    throw (first === undefined ? undefined : failures[first]) ?? error
  }
}

/** The attributes of an item's key, as far as a view has them as text. */
export function keyOf(entity: Entity, view: View): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keyPlaceholders(entity).flatMap((name) => {
      const value = view[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** Kept with the removal of an item: the records of the items that it takes along name the flow, its caller and its scope. */
export function noteOf({ flow, caller, within }: FlowContext): Json {
  // A scope is made of ids.
  return { flow, caller: recordedCaller(caller), ...(within === undefined ? {} : { within: within as Json }) }
}

/** An entry with what is told with each record of this work. */
const wholeEntry = ({ told }: FlowContext, entry: ChangeEntry): ChangeEntry =>
  told === undefined ? entry : { ...entry, more: { ...told, ...entry.more } }

/** The steps that record a change, to be written with it; none where the design records nothing. */
export function recordSteps(context: FlowContext, entry: ChangeEntry, step = 'record'): Steps {
  return context.host.record?.(context, wholeEntry(context, entry), step) ?? {}
}

/** Writes a flow's steps and its record in one transaction. Throws as `writeUnrecorded` does. */
export async function writeRecorded<const S extends Steps>(
  context: FlowContext,
  steps: S,
  entry: ChangeEntry,
  how: Writing = {},
): Promise<Results<S>> {
  const whole = wholeEntry(context, entry)
  const results = await writeUnrecorded(context, { ...steps, ...recordSteps(context, entry) }, how).catch((error: unknown) => {
    if (isFreeholdError(error) && error.details.uncertain === true) logChange(context, { ...whole, status: 'error' })
    throw error
  })
  logChange(context, whole)
  // The step of the record is one more than the caller named.
  return results as unknown as Results<S>
}

/** Records what changes nothing: that something was not done, say. Writes nothing where the design records nothing. */
export async function recordAlone(context: FlowContext, entry: ChangeEntry): Promise<void> {
  const steps = recordSteps(context, entry)
  if (Object.keys(steps).length > 0) await context.table.transact(steps)
  logChange(context, wholeEntry(context, entry))
}
