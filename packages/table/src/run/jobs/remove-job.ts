import type { Entity } from '../../design/form.ts'
import { FreeholdError } from '../../errors.ts'
import { type Action, mergeActions } from '../../plan/action.ts'
import { deleteWhole, unmarkWhole } from '../../plan/remove.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { damaged } from '../outcome.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { dependantItems } from './enumerate.ts'
import { type Job, jobKey, leaseIs } from './job.ts'
import { advance, deleteJobRecord, entityNamed, LeaseLost, type Progress } from './progress.ts'
import { Gone, removalOf } from './removal.ts'
import { removeDependants } from './remove-dependants.ts'

const step = 'remove'

/** Ends a job with its item: deletes or unmarks it. Throws `Gone` where the item, or the job, is another's by now, `MalformedItem` for damage. */
async function writeMarked(runtime: Runtime, actions: readonly Action[]): Promise<void> {
  const { failed } = await sendActions(runtime, mergeActions(actions))
  if (failed.some(({ action: { origin } }) => origin.role === 'item' || origin.role === 'job'))
    throw new Gone('the item is not marked as it was')
  const [damage] = failed
  if (damage !== undefined) throw damaged(damage.action)
}

export function inUse({ name }: Entity, user: Entity): FreeholdError {
  return new FreeholdError('InUse', `This ${name} is in use by a ${user.name}.`, { entity: name, user: user.name })
}

/** The mark is gone: another worker was faster, and finishes the job. */
function takenOver(error: unknown): never {
  throw error instanceof Gone ? new LeaseLost(error.message) : error
}

/** What is kept from being removed by something that refers to it: named, or undefined. */
export async function userOf(runtime: Runtime, entity: Entity, item: Stored): Promise<Entity | undefined> {
  for (const dependant of runtime.design.form.dependantsOf(entity)) {
    if (dependant.onRemove !== 'refuse') continue
    for await (const page of dependantItems(runtime, entity, item, dependant, 1)) if (page.length > 0) return dependant.entity
  }
  return undefined
}

/**
 * Another worker may have ended the job of a caller: by removing the item, or by taking the removal back. The record of the job is gone either way, so
 * the item itself is looked at. One of an earlier version than the marked one was made anew. Throws `InUse`, and `Unavailable`, `uncertain`, where the
 * item is there and nothing keeps it: it was made anew, or what kept it has gone since.
 */
export async function checkRemoved(runtime: Runtime, job: Job): Promise<void> {
  if (job.kind !== 'remove' || job.inUse !== undefined) return
  const entity = entityNamed(runtime, job.entity)
  if (!runtime.design.form.dependantsOf(entity).some(({ onRemove }) => onRemove === 'refuse')) return
  const item = await readItem(runtime, job.key, { consistent: true }).catch(() => 'unread' as const)
  if (item === undefined || (item !== 'unread' && versionOf(item) < (job.markedVersion ?? 0))) return
  const user = item === 'unread' ? undefined : await userOf(runtime, entity, item).catch(() => undefined)
  if (user !== undefined) throw inUse(entity, user)
  const message = `Another worker has ended this removal, and whether the ${entity.name} was removed is not known: read it again.`
  throw new FreeholdError('Unavailable', message, { entity: entity.name, uncertain: true })
}

/**
 * Removes a marked item: its edges and dependants, then itself, in the transaction that ends the job (spec rule 12). Throws `InUse`, with
 * the mark taken off again, where the design refuses that.
 */
export async function runRemoveJob(runtime: Runtime, progress: Progress): Promise<void> {
  const { job } = progress
  const entity = entityNamed(runtime, job.entity)
  const item = await readItem(runtime, job.key, { consistent: true })
  if (item === undefined || item.deleting !== job.id) {
    progress.isEnded = item !== undefined
    return deleteJobRecord(runtime, job)
  }
  const when = { step, now: runtime.now() }
  const record: Action = { kind: 'delete', key: jobKey(job.id), conditions: [], origin: { step: 'job', role: 'job', entity: 'Job' } }
  const user = job.inUse === undefined ? await userOf(runtime, entity, item) : undefined
  if (user !== undefined) {
    // Whoever holds the lease: another may have found it in use no longer, and is removing what hangs on it.
    const conditions = leaseIs(runtime.worker, new Date(progress.leaseUntil).toISOString())
    const unmarking = [...unmarkWhole(entity, item, runtime.design.form, job.id, when), { ...record, conditions }]
    await writeMarked(runtime, unmarking).catch(takenOver)
    throw inUse(entity, user)
  }
  const mine = [{ is: 'equal', attribute: 'deleting', value: job.id }] as const
  try {
    await removeDependants(removalOf(runtime, progress), [{ entity, item }])
    await writeMarked(runtime, [...deleteWhole(entity, item, runtime.design.form, mine, when), record])
  } catch (error) {
    takenOver(error)
  }
  // All is done: there is no lease to keep, and nothing to leave for later.
  await advance(runtime, { ...progress, leaseUntil: Number.POSITIVE_INFINITY, until_ms: Number.POSITIVE_INFINITY }, 1)
}
