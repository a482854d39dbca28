import type { Entity } from '../design/form.ts'
import { uncertainSentence } from '../dynamo/error.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import { transactionActionsMax } from '../plan/action.ts'
import { mayHaveFollowers } from '../plan/dependants.ts'
import type { Values } from '../plan/input.ts'
import { creating, type Prepared, prepare } from '../plan/step.ts'
import { viewItem } from '../plan/view.ts'
import { finishJobs } from './jobs/jobs.ts'
import { parallelMap } from './meter.ts'
import { notePending } from './pending.ts'
import type { Runtime } from './runtime.ts'
import { StepFailures, singleFailure, writeSteps } from './write.ts'

/** The outcome of one of many creations: the item, or the error. */
export type Outcome<T> = { readonly item: T; readonly error?: undefined } | { readonly item?: undefined; readonly error: FreeholdError }

/** The largest number of actions of one creation: the item with its derived items, or all sides of an edge, a check of every end, and perhaps a job. */
function actionsMax(runtime: Runtime, entity: Entity, prepared: readonly Prepared[]): number {
  const { part, references } = entity.form
  const { form } = runtime.design
  const jobs = prepared.some((each) => each.verb === 'create' && mayHaveFollowers(entity, form, each.newIds)) ? 1 : 0
  if (part.kind === 'edge') return jobs + part.edge.sides.length + part.edge.ends.length + (part.edge.within === undefined ? 0 : 1)
  return jobs + 1 + form.derivedItemsOf(entity).length + references.length
}

async function attempt(runtime: Runtime, entity: Entity, prepared: readonly Prepared[]): Promise<Outcome<Values>[]> {
  const written = await writeSteps(runtime, prepared)
  await parallelMap(written.jobs, async (job) => notePending(runtime, await finishJobs(runtime, [job])))
  return prepared.map((each) => ({ item: viewItem(entity, written.items.get(each) ?? {}) }))
}

/** True for an error of the input, false for one of the table. */
function isOfInput(error: unknown): error is FreeholdError {
  return isFreeholdError(error) && error.category !== 'unavailable' && error.category !== 'retryable' && error.details.uncertain !== true
}

/** The error of an item. An error of the table is thrown. */
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
    // The items are not created one by one: each could find itself, created by the uncertain write.
    if (isUncertain(error)) return group.map(() => ({ error: mayBeThere(entity, error) }))
    const [only] = group
    if (group.length === 1 && only !== undefined) return [{ error: ownError(error) }]
    // One item fails the whole group, and creating them one by one shows which. Two items with the same key are an error of the input.
    if (!(error instanceof StepFailures) && !isOfInput(error)) throw error
    return oneByOne(runtime, entity, group)
  }
}

/** Creates items one by one. After a failure of the table, that failure is the outcome of all items that are left; the others exist. */
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

/** Creates a group, unless the table has failed before. */
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
 * Creates many items of one entity in parallel transactions, each with as many items as fit. Each item is created whole or not at all. The
 * outcomes are in the order of the input; after a lost answer an outcome is an `uncertain` error. A failure of the table is thrown if
 * nothing was written. Otherwise it is the outcome of all items that were not written.
 */
export async function createMany(runtime: Runtime, entity: Entity, inputs: readonly unknown[]): Promise<readonly Outcome<Values>[]> {
  const making = runtime.making()
  const outcomes: Outcome<Values>[] = new Array(inputs.length)
  const places = new Map<Prepared, number>()
  for (const [index, input] of inputs.entries()) {
    try {
      // Preparing the step validates its input.
      places.set(prepare(String(index), creating(entity, input as never), making), index)
    } catch (error) {
      outcomes[index] = { error: ownError(error) }
    }
  }
  const prepared = [...places.keys()]
  const size = Math.max(1, Math.floor(transactionActionsMax / actionsMax(runtime, entity, prepared)))
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
