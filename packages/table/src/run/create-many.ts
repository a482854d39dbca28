import type { Entity } from '../design/form.ts'
import { uncertainSentence } from '../dynamo/error.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import { transactionActionsMax } from '../plan/action.ts'
import type { Values } from '../plan/input.ts'
import { creating, type Prepared, prepare } from '../plan/step.ts'
import { viewItem } from '../plan/view.ts'
import { parallelMap } from './meter.ts'
import type { Runtime } from './runtime.ts'
import { StepFailures, singleFailure, writeSteps } from './write.ts'

/** What became of one of many: the item, or why it was not created. */
export type Outcome<T> = { readonly item: T; readonly error?: undefined } | { readonly item?: undefined; readonly error: FreeholdError }

/** The most actions that creating one item can take: it and its guards and mirrors, or its sides, and a check of every end. */
function actionsMax(runtime: Runtime, entity: Entity): number {
  const { part, references } = entity.form
  if (part.kind === 'edge') return part.edge.sides.length + part.edge.ends.length + (part.edge.within === undefined ? 0 : 1)
  return 1 + runtime.design.form.derivedItemsOf(entity).length + references.length
}

async function attempt(runtime: Runtime, entity: Entity, prepared: readonly Prepared[]): Promise<Outcome<Values>[]> {
  const { items } = await writeSteps(runtime, prepared)
  return prepared.map((each) => ({ item: viewItem(entity, items.get(each) ?? {}) }))
}

/** True for an error that is about the input, not about the table. */
function isOfInput(error: unknown): error is FreeholdError {
  return isFreeholdError(error) && error.category !== 'unavailable' && error.category !== 'retryable' && error.details.uncertain !== true
}

/** The error that belongs to an item; one of the table is thrown. */
function ownError(error: unknown): FreeholdError {
  const single = singleFailure(error)
  if (isOfInput(single)) return single
  throw single
}

function isUncertain(error: unknown): boolean {
  const single = singleFailure(error)
  return isFreeholdError(single) && single.details.uncertain === true
}

function mayBeThere({ name }: Entity, cause: unknown): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `This ${name} may have been created. ${uncertainSentence}`,
    { entity: name, uncertain: true },
    { cause },
  )
}

async function createGroup(runtime: Runtime, entity: Entity, group: readonly Prepared[]): Promise<Outcome<Values>[]> {
  try {
    return await attempt(runtime, entity, group)
  } catch (error) {
    // Done again, each by itself would find what may be its own.
    if (isUncertain(error)) return group.map(() => ({ error: mayBeThere(entity, error) }))
    const [only] = group
    if (group.length === 1 && only !== undefined) return [{ error: ownError(error) }]
    // One of them keeps all from being written: each by itself tells which. Two in one place show as a fault of the input.
    if (!(error instanceof StepFailures) && !isOfInput(error)) throw error
    return oneByOne(runtime, entity, group)
  }
}

/** A fault of the table is the outcome of those that were not written by then: the others are there. */
async function oneByOne(runtime: Runtime, entity: Entity, group: readonly Prepared[]): Promise<Outcome<Values>[]> {
  const outcomes: Outcome<Values>[] = []
  for (const [index, each] of group.entries()) {
    try {
      outcomes.push(...(await createGroup(runtime, entity, [each])))
    } catch (error) {
      if (!outcomes.some(isWritten)) throw error
      return [...outcomes, ...failedAs(error, group.slice(index))]
    }
  }
  return outcomes
}

/** Once the table has failed nothing more is begun. */
async function createGroupUnless(
  faultBefore: () => unknown,
  runtime: Runtime,
  entity: Entity,
  group: readonly Prepared[],
): Promise<Outcome<Values>[]> {
  const fault = faultBefore()
  if (fault !== undefined) throw fault
  return createGroup(runtime, entity, group)
}

function failedAs(fault: unknown, group: readonly Prepared[]): Outcome<Values>[] {
  if (!isFreeholdError(fault)) throw fault
  return group.map(() => ({ error: fault }))
}

function isWritten({ item, error }: Outcome<Values>): boolean {
  return item !== undefined || error.details.uncertain === true
}

/**
 * Creates many items of one entity, as many in a transaction as fit, transactions side by side. Each item is created whole or not at all,
 * and its outcome stands at its place: an error that is `uncertain` where an answer was lost. A fault of the table is thrown where nothing was
 * written; else it is the outcome of all that was not.
 */
export async function createMany(runtime: Runtime, entity: Entity, inputs: readonly unknown[]): Promise<readonly Outcome<Values>[]> {
  const making = runtime.making()
  const outcomes: Outcome<Values>[] = new Array(inputs.length)
  const places = new Map<Prepared, number>()
  for (const [index, input] of inputs.entries()) {
    try {
      // The input is validated by preparing it.
      places.set(prepare(String(index), creating(entity, input as never), making), index)
    } catch (error) {
      outcomes[index] = { error: ownError(error) }
    }
  }
  const prepared = [...places.keys()]
  const size = Math.max(1, Math.floor(transactionActionsMax / actionsMax(runtime, entity)))
  const groups = Array.from({ length: Math.ceil(prepared.length / size) }, (_, index) => prepared.slice(index * size, (index + 1) * size))
  let fault: unknown
  await parallelMap(groups, async (group) => {
    const done = await createGroupUnless(() => fault, runtime, entity, group).catch((error: unknown) => {
      fault ??= error
      return failedAs(error, group)
    })
    for (const [index, each] of group.entries()) {
      const place = places.get(each)
      const outcome = done[index]
      if (place !== undefined && outcome !== undefined) outcomes[place] = outcome
    }
  })
  if (fault !== undefined && !outcomes.some(isWritten)) throw fault
  return outcomes
}
