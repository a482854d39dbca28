import type { Entity, Item } from '../design/entity.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import { isPlainObject } from '../kind/value.ts'
import { type Prepared, prepare, type Step } from '../plan/step.ts'
import { viewItem } from '../plan/view.ts'
import { isWithin } from '../plan/wall.ts'
import { inUse, userOf } from './jobs/remove-job.ts'
import { readItem } from './read.ts'
import { runJobs } from './repository.ts'
import type { Runtime } from './runtime.ts'
import { StepFailures, transactionFailed, writeSteps } from './write.ts'

export type Steps = Readonly<Record<string, Step>>
/** What each step of a transaction gives back: the item for what creates or changes one. */
export type Results<S> = { readonly [N in keyof S]: S[N] extends Step<infer E extends Entity> ? Item<E> | undefined : never }

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
    const user = item?.Type === entity.name && isWithin(runtime.wall, entity, item) ? await userOf(runtime, entity, item) : undefined
    if (user !== undefined) failures.set(step, inUse(entity, user))
  }
  if (failures.size > 0) throw new StepFailures(failures)
}

/**
 * All steps or none, across entities; at most 100 actions with their guards, mirrors and checks. Throws `TransactionFailed` with each
 * failed step's error in `details.failures`, `TooLarge`, `Busy`.
 */
export async function transact<const S extends Steps>(runtime: Runtime, steps: S, { wait }: { wait?: boolean } = {}): Promise<Results<S>> {
  const prepared = prepareAll(runtime, steps)
  try {
    await refuseWhatIsInUse(runtime, prepared)
    const written = await writeSteps(runtime, prepared, wait)
    await runJobs(runtime, written, wait)
    const views = prepared.map((each) => {
      const item = each.verb === 'remove' || each.verb === 'check' ? undefined : written.items.get(each)
      return [each.step, item === undefined ? undefined : viewItem(each.entity, item)]
    })
    // Each view is of its step's entity, from which Results<S> takes its type.
    return Object.fromEntries(views)
  } catch (error) {
    throw error instanceof StepFailures ? transactionFailed(error.failures) : error
  }
}
