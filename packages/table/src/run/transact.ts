import type { Item } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { FreeholdError, invalidInput, isFreeholdError } from '../errors.ts'
import { isPlainObject } from '../kind/value.ts'
import { type Prepared, prepare, type Step } from '../plan/step.ts'
import { isWithin } from '../plan/tenant-scope.ts'
import { viewItem } from '../plan/view.ts'
import { withDeadline } from './deadline.ts'
import { inUse, userOf } from './jobs/remove-job.ts'
import type { Pendable } from './pending.ts'
import { readItem } from './read.ts'
import { runJobs } from './repository.ts'
import type { Runtime } from './runtime.ts'
import { StepFailures, transactionFailed, writeSteps } from './write.ts'

export type Steps = Readonly<Record<string, Step>>
/** What each step of a transaction gives back: the item for what creates or changes one. */
export type Results<S> = { readonly [N in keyof S]: S[N] extends Step<infer E extends Entity> ? Item<E> | undefined : never }

/** How a transaction is written. */
export interface Transacting {
  /** False: what the steps leave to durable jobs is not waited for. */
  readonly wait?: boolean
  readonly extraChecks?: ExtraChecks
}

/**
 * Checks that join a transaction and are asked of a table with another wall, or none: what keeps a tenant's write from being applied may lie beyond
 * the tenant's wall. Whoever holds that table may ask of it; behind a wall nobody gets there (spec rule 22). What they find is told by their names
 * in the failures, so it is for whoever asked and not for the tenant.
 */
export interface ExtraChecks {
  /** The same table without a wall; one with the same wall finds no more than the steps do. */
  readonly table: { readonly runtime: Runtime }
  readonly checks: Steps
}

const verbs: ReadonlySet<unknown> = new Set<Step['verb']>(['create', 'update', 'remove', 'move', 'check'])

/** What `creating` and its like make, of an entity of this design: another's would lie in the table as nobody's. */
function checkStep({ design }: Runtime, name: string, step: unknown): void {
  const { verb, entity }: { verb?: unknown; entity?: unknown } = isPlainObject(step) ? step : {}
  if (!verbs.has(verb)) throw new FreeholdError('InvalidInput', `'${name}' is not a step of a transaction.`, { issues: [] })
  if (![...design.form.entities.values()].some((own) => own === entity))
    throw new FreeholdError('UnknownName', `The entity of the step '${name}' is not of the design ${design.name}.`)
}

function prepareAll(runtime: Runtime, steps: Steps): Prepared[] {
  if (!isPlainObject(steps)) throw new FreeholdError('InvalidInput', 'A transaction is an object of steps.', { issues: [] })
  if ('pending' in steps)
    throw new FreeholdError('InvalidInput', "A step cannot be named 'pending': so are the jobs that are left.", { issues: [] })
  const failures = new Map<string, FreeholdError>()
  const making = runtime.making()
  const prepared = Object.entries(steps).flatMap(([name, step]): Prepared[] => {
    try {
      checkStep(runtime, name, step)
      return [prepare(name, step, making)]
    } catch (error) {
      if (!isFreeholdError(error)) throw error
      failures.set(name, error)
      return []
    }
  })
  if (failures.size > 0) throw transactionFailed(failures)
  return prepared
}

/**
 * A removal that its design refuses while the item is in use takes nothing else with it: it is looked at before anything is written. A use
 * that begins between that look and the write is refused by the removal's own job, which takes back the removal alone.
 */
async function refuseWhatIsInUse(runtime: Runtime, prepared: readonly Prepared[]): Promise<void> {
  if (prepared.length < 2) return
  const failures = new Map<string, FreeholdError>()
  for (const { step, verb, entity, ...rest } of prepared) {
    if (
      verb !== 'remove' ||
      !('key' in rest) ||
      ('inUse' in rest && rest.inUse !== undefined) ||
      !runtime.design.form.dependantsOf(entity).some(({ onRemove }) => onRemove === 'refuse')
    )
      continue
    const item = await readItem(runtime, rest.key, { consistent: true })
    const user = item?.Type === entity.name && isWithin(runtime.tenantScope, entity, item) ? await userOf(runtime, entity, item) : undefined
    if (user !== undefined) failures.set(step, inUse(entity, user))
  }
  if (failures.size > 0) throw new StepFailures(failures)
}

/** Throws `Denied` behind the wall of another, and `InvalidInput` for another table, what is no check, and a name that a step has. */
function prepareExtraChecks(runtime: Runtime, steps: readonly Prepared[], { table, checks }: ExtraChecks): readonly Prepared[] {
  const of = table.runtime
  if (of.tenantScope !== undefined && of.tenant !== runtime.tenant)
    throw new FreeholdError('Denied', 'Checks behind the wall of another tenant are of no write.', { reason: 'AnotherTenant' })
  const isSameTable = of.table === runtime.table && of.design === runtime.design && of.sender === runtime.sender
  const prepared = prepareAll(of, checks)
  const foreign = prepared.find(({ verb, step }) => verb !== 'check' || steps.some((other) => other.step === step))
  const problem = isSameTable ? foreign && `has '${foreign.step}', which is no check or has the name of a step` : 'is of another table'
  if (problem !== undefined) throw invalidInput('transact', [{ path: ['extraChecks'], message: problem }])
  return prepared
}

/** A removal is taken back after its transaction: the other steps were written with its mark. */
function othersStand(error: unknown): unknown {
  if (!isFreeholdError(error, 'InUse')) return error
  return new FreeholdError('InUse', `${error.message} It stays. The other steps of the transaction were written.`, error.details, {
    cause: error,
  })
}

/**
 * All steps or none, across entities; at most 100 actions with their guards, mirrors and checks. Throws `TransactionFailed` with each
 * failed step's error in `details.failures`, `TooLarge`, `Busy`. What the steps leave to durable jobs that are not done is `pending`.
 */
export async function transact<const S extends Steps>(
  runtime: Runtime,
  steps: S,
  { wait, extraChecks }: Transacting = {},
): Promise<Results<S> & Pendable> {
  const prepared = prepareAll(runtime, steps)
  const others = extraChecks === undefined ? [] : prepareExtraChecks(runtime, prepared, extraChecks)
  try {
    const bounded = withDeadline(runtime)
    await refuseWhatIsInUse(bounded, prepared)
    const written = await writeSteps(bounded, prepared, {
      wait,
      extraChecks: { steps: others, tenantScope: extraChecks?.table.runtime.tenantScope },
    })
    const pendable = await runJobs(runtime, written, wait).catch((error: unknown) => {
      throw prepared.length > 1 ? othersStand(error) : error
    })
    const views = prepared.map((each) => {
      const item = each.verb === 'remove' || each.verb === 'check' ? undefined : written.items.get(each)
      return [each.step, item === undefined ? undefined : viewItem(each.entity, item)]
    })
    // Each view is of its step's entity, from which Results<S> takes its type.
    return { ...Object.fromEntries(views), ...pendable }
  } catch (error) {
    throw error instanceof StepFailures ? transactionFailed(error.failures) : error
  }
}
