import type { Entity, Item } from '../design/entity.ts'
import { type FreeholdError, isFreeholdError } from '../errors.ts'
import { type Prepared, prepare, type Step } from '../plan/step.ts'
import { viewItem } from '../plan/view.ts'
import { runJobs } from './repository.ts'
import type { Runtime } from './runtime.ts'
import { StepFailures, transactionFailed, writeSteps } from './write.ts'

export type Steps = Readonly<Record<string, Step>>
/** What each step of a transaction gives back: the item for what creates or changes one. */
export type Results<S> = { readonly [N in keyof S]: S[N] extends Step<infer E extends Entity> ? Item<E> | undefined : never }

function prepareAll(runtime: Runtime, steps: Steps): Prepared[] {
  const failures = new Map<string, FreeholdError>()
  const making = runtime.making()
  const prepared = Object.entries(steps).flatMap(([name, step]): Prepared[] => {
    try {
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
 * All steps or none, across entities; at most 100 actions with their guards, mirrors and checks. Throws `TransactionFailed` with each
 * failed step's error in `details.failures`, `TooLarge`, `Busy`.
 */
export async function transact<const S extends Steps>(runtime: Runtime, steps: S, { wait }: { wait?: boolean } = {}): Promise<Results<S>> {
  const prepared = prepareAll(runtime, steps)
  try {
    const written = await writeSteps(runtime, prepared)
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
