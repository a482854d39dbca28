import type { Entity } from '../../design/form.ts'
import { FreeholdError } from '../../errors.ts'
import { type Action, mergeActions, type Origin } from '../../plan/action.ts'
import type { Condition } from '../../plan/condition.ts'
import { copiesOf } from '../../plan/create.ts'
import { findable } from '../../plan/dependants.ts'
import { deleteWhole, unmarkWhole } from '../../plan/remove.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { isExpired } from '../../plan/view.ts'
import { damaged } from '../outcome.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { dependantItems, enumerationOf } from './enumerate.ts'
import { runFollowJob } from './follow-job.ts'
import { type Job, jobKey, leaseIs } from './job.ts'
import { advance, deleteJobRecord, entityNamed, LeaseLost, type Progress, releaseLease, WaitEnded } from './progress.ts'
import { Gone, removalOf } from './removal.ts'
import { removeDependants } from './remove-dependants.ts'
import { siblingsThere, stillOwn } from './remove-one.ts'

const step = 'remove'
const ofJob: Origin = { step: 'job', role: 'job', entity: 'Job' }

/**
 * Deletes or unmarks the item, together with the job. Throws `Gone` if another worker has the item or the job, `MalformedItem` for damage.
 */
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

/** The entity whose item refers to this one and refuses its removal, or undefined. An expired item refuses nothing (spec rule 15). */
export async function userOf(runtime: Runtime, entity: Entity, item: Stored): Promise<Entity | undefined> {
  for (const dependant of runtime.design.form.dependantsOf(entity)) {
    if (dependant.onRemove !== 'refuse') continue
    const { side } = enumerationOf(entity, dependant)
    for await (const page of dependantItems(runtime, entity, item, dependant, 1))
      if (page.some((found) => !isExpired(side, found, runtime.now()))) return dependant.entity
  }
  return undefined
}

/**
 * Another worker may have ended the job of a caller, by removing the item or by taking the removal back. In both cases no record of the
 * removal is left, so the item itself is read. An item with an earlier version than the marked one is a successor. Throws `InUse`. Throws
 * `Unavailable`, `uncertain`, if the item exists and no dependant refuses: it may be a successor, or the dependant may be gone by now.
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

/** The item of a removal, if it still has the removal's mark. Otherwise others have ended the removal, and its record goes. */
async function readMarked(runtime: Runtime, progress: Progress): Promise<Stored | undefined> {
  const { job } = progress
  const item = await readItem(runtime, job.key, { consistent: true })
  if (item?.deleting === job.id) return item
  progress.isEnded = item !== undefined
  await deleteJobRecord(runtime, job)
  return undefined
}

/**
 * Removes a marked item: its dependants first, then the item in the transaction that ends the job (spec rule 12). If the design refuses the
 * removal, the mark is removed again and `InUse` is thrown.
 */
export async function runRemoveJob(runtime: Runtime, progress: Progress): Promise<void> {
  const entity = entityNamed(runtime, progress.job.entity)
  const item = await readMarked(runtime, progress)
  if (item === undefined) return
  try {
    await removeMarked(runtime, progress, entity, item)
  } catch (error) {
    if (!(error instanceof Gone)) throw error
    // The removal of an item above may have taken this one along. It does not know this job, so its record would stay until its lease ends.
    if ((await readMarked(runtime, progress)) !== undefined) throw new LeaseLost(error.message)
  }
}

/** Whether copies of the item, or copies that it has, may have been left alone while it was marked. */
function mayHaveStaleCopies({ design: { form } }: Runtime, entity: Entity): boolean {
  return findable(form.followersOf(entity)).length > 0 || (entity.form.part.kind !== 'edge' && copiesOf(entity).length > 0)
}

/** The job that the removal becomes. Its lease has another end, so that no worker takes it for the removal that it has read. */
function sparedJob({ job, done, leaseUntil, until_ms, left }: Progress): Progress {
  return { job: { ...job, kind: 'follow', isSpared: true }, done, leaseUntil: leaseUntil - 1, until_ms, left }
}

/** The write by which the record of the removal becomes that of the job. */
function becoming({ job: { id, kind, isSpared }, leaseUntil }: Progress, conditions: readonly Condition[]): Action {
  const set = { kind, isSpared, leaseUntil: new Date(leaseUntil).toISOString() }
  return { kind: 'update', key: jobKey(id), set, remove: [], conditions, origin: ofJob }
}

/** Brings copies up to date. The removal is refused in any case: a job that is not done here is left to the next program that resumes jobs. */
async function copyAfterwards(runtime: Runtime, spared: Progress): Promise<void> {
  try {
    await runFollowJob(runtime, spared)
  } catch (error) {
    if (error instanceof WaitEnded) await releaseLease(runtime, spared)
  }
}

async function removeMarked(runtime: Runtime, progress: Progress, entity: Entity, item: Stored): Promise<void> {
  const { job } = progress
  const when = { step, now: runtime.now() }
  const record: Action = { kind: 'delete', key: jobKey(job.id), conditions: [], origin: ofJob }
  const user = job.inUse === undefined ? await userOf(runtime, entity, item) : undefined
  if (user !== undefined) {
    // Only with the lease: another worker may have found the item no longer in use, and may be removing its dependants.
    const conditions = leaseIs(runtime.worker, new Date(progress.leaseUntil).toISOString())
    const spared = mayHaveStaleCopies(runtime, entity) ? sparedJob(progress) : undefined
    const end: Action = spared === undefined ? { ...record, conditions } : becoming(spared, conditions)
    const siblings = await siblingsThere(runtime, entity, item, job.id)
    const unmarking = unmarkWhole(entity, item, siblings, runtime.design.form, job.id, when)
    await writeMarked(runtime, [...(await stillOwn(runtime, entity, item, unmarking)), end])
    if (spared !== undefined) await copyAfterwards(runtime, spared)
    throw inUse(entity, user)
  }
  const marked = [{ is: 'equal', attribute: 'deleting', value: job.id }] as const
  await removeDependants(removalOf(runtime, progress), [{ entity, item }])
  const deleted = deleteWhole(entity, item, runtime.design.form, marked, when)
  await writeMarked(runtime, [...(await stillOwn(runtime, entity, item, deleted)), record])
  // Everything is done, so there is no lease to keep and no wait to end.
  await advance(runtime, { ...progress, leaseUntil: Number.POSITIVE_INFINITY, until_ms: Number.POSITIVE_INFINITY }, 1)
}
