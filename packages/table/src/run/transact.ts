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
/** The results of the steps of a transaction: the item, if the step creates or changes one. */
export type Results<S> = { readonly [N in keyof S]: S[N] extends Step<infer E extends Entity> ? Item<E> | undefined : never }

/** Options of a transaction. */
export interface Transacting {
  /** False: the call does not wait for the durable jobs of the steps. */
  readonly wait?: boolean
  readonly extraChecks?: ExtraChecks
}

/**
 * Checks that join a transaction, but in another tenant scope or in none: a tenant's write may depend on an item outside the tenant's
 * scope. Only a caller that has that table can make such checks (spec rule 22). Their failures are reported by their names, for the caller
 * and not for the tenant.
 */
export interface ExtraChecks {
  /** The same table, without a tenant scope. With the same scope the checks see no more than the steps. */
  readonly table: { readonly runtime: Runtime }
  readonly checks: Steps
}

const verbs: ReadonlySet<unknown> = new Set<Step['verb']>(['create', 'update', 'remove', 'move', 'check'])

/** Checks that a step comes from `creating` and its like, and that its entity belongs to this design. */
function checkStep({ design }: Runtime, name: string, step: unknown): void {
  const { verb, entity }: { verb?: unknown; entity?: unknown } = isPlainObject(step) ? step : {}
  if (!verbs.has(verb)) throw new FreeholdError('InvalidInput', `'${name}' is not a step of a transaction.`, { issues: [] })
  const { name: own }: { name?: unknown } = Object(entity)
  if (typeof own !== 'string' || design.form.entities.get(own) !== entity)
    throw new FreeholdError('UnknownName', `The entity of the step '${name}' does not belong to the design ${design.name}.`)
}

function prepareAll(runtime: Runtime, steps: Steps): Prepared[] {
  if (!isPlainObject(steps)) throw new FreeholdError('InvalidInput', 'A transaction is an object of steps.', { issues: [] })
  if ('pending' in steps)
    throw new FreeholdError('InvalidInput', "A step cannot be named 'pending': the result has the pending jobs under that name.", {
      issues: [],
    })
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
 * Refuses the whole transaction if it removes an item that is in use and the design refuses that. If the use begins after this check, the
 * removal's job refuses it, and takes back the removal alone.
 */
async function refuseWhatIsInUse(runtime: Runtime, prepared: readonly Prepared[]): Promise<void> {
  if (prepared.length < 2) return
  const failures = new Map<string, FreeholdError>()
  for (const each of prepared) {
    const { step, entity } = each
    if (
      each.verb !== 'remove' ||
      each.inUse !== undefined ||
      !runtime.design.form.dependantsOf(entity).some(({ onRemove }) => onRemove === 'refuse')
    )
      continue
    const item = await readItem(runtime, each.key, { consistent: true })
    const user = item?.Type === entity.name && isWithin(runtime.tenantScope, entity, item) ? await userOf(runtime, entity, item) : undefined
    if (user !== undefined) failures.set(step, inUse(entity, user))
  }
  if (failures.size > 0) throw new StepFailures(failures)
}

/** Throws `Denied` in the scope of another tenant, and `InvalidInput` for another table, a step that is no check, or the name of a step. */
function prepareExtraChecks(runtime: Runtime, steps: readonly Prepared[], { table, checks }: ExtraChecks): readonly Prepared[] {
  const of = table.runtime
  if (of.tenantScope !== undefined && of.tenant !== runtime.tenant)
    throw new FreeholdError('Denied', 'A write cannot have checks in the scope of another tenant.', { reason: 'AnotherTenant' })
  const isSameTable = of.table === runtime.table && of.design === runtime.design && of.sender === runtime.sender
  const prepared = prepareAll(of, checks)
  const foreign = prepared.find(({ verb, step }) => verb !== 'check' || steps.some((other) => other.step === step))
  const problem = isSameTable ? foreign && `has '${foreign.step}', which is no check or has the name of a step` : 'is of another table'
  if (problem !== undefined) throw invalidInput('transact', [{ path: ['extraChecks'], message: problem }])
  return prepared
}

/** The error of a removal that was taken back after its transaction: the other steps were written with its mark. */
function othersStand(error: unknown): unknown {
  if (!isFreeholdError(error, 'InUse')) return error
  return new FreeholdError('InUse', `${error.message} It stays. The other steps of the transaction were written.`, error.details, {
    cause: error,
  })
}

/**
 * Applies all steps or none, across entities: at most 100 actions, including derived items and checks. Throws `TransactionFailed` with the
 * error of each failed step in `details.failures`, `TooLarge`, `Busy`. Durable jobs of the steps that are not done are `pending`.
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
    // Each view is an item of its step's entity, as Results<S> says.
    return { ...Object.fromEntries(views), ...pendable }
  } catch (error) {
    throw error instanceof StepFailures ? transactionFailed(error.failures) : error
  }
}
