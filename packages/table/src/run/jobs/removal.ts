import type { Entity } from '../../design/form.ts'
import { type Dependant, knownValue } from '../../design/relations.ts'
import { type Action, mergeActions } from '../../plan/action.ts'
import { isOfTarget } from '../../plan/dependants.ts'
import { keyText, type TableKey, tableKey } from '../../plan/keys.ts'
import type { Stored } from '../../plan/stored.ts'
import { type Places, parallelMap, placesFor } from '../meter.ts'
import { readItems } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { type Sent, sendActions } from '../send-actions.ts'
import type { Marked } from './dependant-ranges.ts'
import { keepLease, type Progress, withinBudget } from './progress.ts'

/** Limits the number of parallel tasks. Others wait, first come, first served. */
function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place passes directly to the next waiting task, so that no later one takes it.
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Thrown when the item no longer has the mark of this job: another worker was faster, so this job must not change the item. */
export class Gone extends Error {}

/** A running removal. Its pieces run in parallel. */
export interface Removal {
  readonly runtime: Runtime
  readonly progress: Progress
  /** Shared by the pieces of all levels. */
  readonly places: Places
  /** Limits parallel writes, since other callers wait behind a large transaction. */
  readonly writing: ReturnType<typeof atMost>
  /** Keys of marked items that a piece of this removal works on. Another piece that finds one leaves it to that piece. */
  readonly going: Set<string>
  /** The failure after which nothing new begins. */
  stopped?: { readonly why: unknown }
}

/** The embedded engine does one write at a time; at AWS each takes a round trip. */
const writes_max = 2

export function removalOf(runtime: Runtime, progress: Progress): Removal {
  return {
    runtime,
    progress,
    places: placesFor(runtime.jobRequests_max),
    writing: atMost(writes_max),
    going: new Set([keyText(progress.job.key)]),
  }
}

/** Called before each request: sends nothing once a piece has failed or the lease is lost. */
export async function checkNotStopped(removal: Removal): Promise<void> {
  if (removal.stopped !== undefined) throw removal.stopped.why
  await keepLease(removal.runtime, removal.progress)
}

/** Runs independent pieces of a removal in parallel. */
export async function pieces<T, R>(removal: Removal, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const piece = async (item: T) => {
    try {
      await checkNotStopped(removal)
      return await work(item)
    } catch (error) {
      removal.stopped ??= { why: error }
      throw error
    }
  }
  return parallelMap(items, piece, removal.places)
}

/** One write of a removal, within the budget of jobs. */
export async function write(removal: Removal, actions: readonly Action[]): Promise<Sent> {
  const { runtime, progress } = removal
  const merged = mergeActions(actions)
  return removal.writing(() =>
    withinBudget(runtime, progress, merged.length, async () => {
      await checkNotStopped(removal)
      return sendActions(runtime, merged)
    }),
  )
}

/** The dependants that are removed with an item. With `inUse: 'cascade'` these include dependants that would refuse, at all levels. */
export function cascades({ runtime, progress: { job } }: Pick<Removal, 'runtime' | 'progress'>, entity: Entity): readonly Dependant[] {
  return runtime.design.form
    .dependantsOf(entity)
    .filter(({ onRemove }) => onRemove === 'cascade' || (job.inUse !== undefined && onRemove === 'refuse'))
}

/** A dependant that is removed with its item, as read while the item was marked. */
export interface Removable {
  readonly entity: Entity
  readonly item: Stored
  readonly above: Marked
  readonly dependant: Dependant
}

export function keyOf({ entity, item }: Marked): TableKey {
  return tableKey(entity, item)
}

/** Whether a dependant still refers to the item above, and not to a former one of another tenant. The ends of an edge never change. */
export function hangsOn({ runtime }: Removal, { entity, item, above, dependant }: Removable): boolean {
  const { known, edge } = dependant
  const isNamed = edge !== undefined || Object.entries(known).every(([own, each]) => item[own] === knownValue(above.item, each))
  return isNamed && isOfTarget(runtime.design.form, entity, item, dependant, above)
}

/**
 * Reads the marks after the dependants. If a mark is still there, the dependants were read while their item was marked, so each may be
 * deleted as long as it is unchanged (ADR 7). Throws `Gone` if the job's own item has lost its mark.
 */
export async function stillMarked(removal: Removal, all: readonly Marked[]): Promise<ReadonlySet<Marked>> {
  const { runtime, progress } = removal
  const unique = [...new Set(all)]
  if (unique.length === 0) return new Set()
  await checkNotStopped(removal)
  const read = await readItems(runtime, unique.map(keyOf), { consistent: true })
  const isMarked = (marked: Marked) => {
    const there = read.get(keyText(keyOf(marked)))
    return there?.deleting !== undefined && there.deleting === marked.item.deleting
  }
  const top = keyText(progress.job.key)
  if (unique.some((marked) => keyText(keyOf(marked)) === top && !isMarked(marked))) throw new Gone('the item is not marked as it was')
  return new Set(unique.filter(isMarked))
}
