import { FreeholdError } from '../../errors.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { type Job, jobKey, lease_ms, leaseIs } from './job.ts'

/** A running job: its progress and its lease. */
export interface Progress {
  readonly job: Job
  done: number
  /** The instant until which no other worker takes the job over, in milliseconds since the epoch. */
  leaseUntil: number
  /** The instant of the monotonic clock at which the caller's wait ends. The job then stops between two of its pieces. */
  readonly until_ms?: number | undefined
  /** Jobs that this one recorded for copies of copies, and that are not done here. */
  readonly left?: Job[] | undefined
  /** For a removal: another worker has ended it, by removing the item or by taking the removal back. */
  isEnded?: boolean
  /** The running renewal of the lease. Parallel pieces of a job share it: otherwise each would take the lease from the next. */
  renewal?: Promise<void> | undefined
}

/** Thrown when another worker has taken a job over. It continues there. */
export class LeaseLost extends Error {}

/** Thrown when the caller's wait has ended. A program that resumes jobs does the rest. */
export class WaitEnded extends Error {}

/** Releases the lease, so that the next program that resumes jobs continues at once. Otherwise it would wait for the end of the lease. */
export async function releaseLease(runtime: Runtime, { job, done, leaseUntil }: Progress): Promise<void> {
  const now = runtime.now().toISOString()
  const conditions = leaseIs(runtime.worker, new Date(leaseUntil).toISOString())
  const origin = { step: 'job', role: 'job', entity: 'Job' } as const
  const action = { kind: 'update', key: jobKey(job.id), set: { leaseUntil: now, done }, remove: [], conditions, origin } as const
  // The job stops in any case. A failure here only means that another worker takes it later.
  await sendActions(runtime, [action]).catch(() => undefined)
}

/** Takes or renews the lease of a job. `from` is the lease that was read: if it has changed, the job belongs to another worker. */
export async function renewLease(runtime: Runtime, progress: Progress, from: { holder: string; leaseUntil: string }): Promise<void> {
  const until = runtime.now().getTime() + lease_ms
  const { failed } = await sendActions(runtime, [
    {
      kind: 'update',
      key: jobKey(progress.job.id),
      set: { holder: runtime.worker, leaseUntil: new Date(until).toISOString(), done: progress.done },
      remove: [],
      conditions: leaseIs(from.holder, from.leaseUntil),
      origin: { step: 'job', role: 'job', entity: 'Job' },
    },
  ])
  if (failed.length > 0) throw new LeaseLost('the lease of a job was lost')
  progress.leaseUntil = until
}

/**
 * Renews the lease in its second half. Throws `LeaseLost` if another worker has taken the job over, `WaitEnded` if the caller's wait has
 * ended.
 */
export async function keepLease(runtime: Runtime, progress: Progress): Promise<void> {
  if (runtime.monotonic_ms() > (progress.until_ms ?? Number.POSITIVE_INFINITY)) throw new WaitEnded('the caller has waited long enough')
  if (runtime.now().getTime() + lease_ms / 2 < progress.leaseUntil) return
  progress.renewal ??= renewLease(runtime, progress, {
    holder: runtime.worker,
    leaseUntil: new Date(progress.leaseUntil).toISOString(),
  }).finally(() => {
    progress.renewal = undefined
  })
  await progress.renewal
}

/** Waits until an instant of the monotonic clock, and keeps the lease meanwhile. */
async function waitUntil(runtime: Runtime, progress: Progress, instant_ms: number): Promise<void> {
  for (;;) {
    const left_ms = instant_ms - runtime.monotonic_ms()
    if (left_ms <= 0) return
    await runtime.sleep(Math.min(left_ms, lease_ms / 4))
    await keepLease(runtime, progress)
  }
}

/** Reports progress to the caller. Its errors do not affect the job, and the write that recorded the job is done. */
function tell({ onProgress }: Runtime, { job: { id: job, kind, entity, key }, done }: Progress): void {
  try {
    onProgress?.({ job, kind, subject: `${entity} ${key.PK}`, done })
  } catch {
    // An error of the caller's own function is ignored here.
  }
}

/** Counts items as done, reports progress, keeps the lease, and waits if the job has exceeded its write budget. */
export async function advance(runtime: Runtime, progress: Progress, items: number): Promise<void> {
  progress.done += items
  tell(runtime, progress)
  await keepLease(runtime, progress)
  if (runtime.jobBudget !== undefined) await waitUntil(runtime, progress, runtime.jobBudget.paid_ms())
}

/** The smallest cost of an action in a transaction: one unit for up to 1 KB, doubled for the transaction. */
const unitsOfAction = 2

/**
 * The largest number of actions in one transaction of a job, unless one item needs more. DynamoDB allows 100, but on the embedded engine
 * requests of other tenants then take four times as long (`npm --prefix bench run deletion`).
 */
const jobActions_max = 40

/** The largest number of actions in one transaction of this job. A budget lowers it to the actions that one second allows. */
export function jobActionsMax({ jobBudget }: Runtime, actions_max = jobActions_max): number {
  if (jobBudget === undefined) return actions_max
  return Math.max(1, Math.min(actions_max, Math.floor(jobBudget.units_per_s / unitsOfAction)))
}

/**
 * Does a piece of a job with this many writes, once the budget has room for them. Otherwise parallel pieces would all begin before the
 * first answer shows its cost.
 */
export async function withinBudget<T>(runtime: Runtime, progress: Progress, actions: number, write: () => Promise<T>): Promise<T> {
  const { jobBudget } = runtime
  if (jobBudget === undefined) return write()
  const units = actions * unitsOfAction
  const from_ms = jobBudget.reserve(units)
  try {
    await waitUntil(runtime, progress, from_ms)
    return await write()
  } finally {
    jobBudget.release(units)
  }
}

/**
 * Deletes the record of a job. Doing so twice does no harm. A removal that another worker has taken back may have become a job for copies, whose record
 * stays.
 */
export async function deleteJobRecord(runtime: Runtime, { id, kind }: Job): Promise<void> {
  const conditions = [{ is: 'equal', attribute: 'kind', value: kind }] as const
  await sendActions(runtime, [{ kind: 'delete', key: jobKey(id), conditions, origin: { step: 'job', role: 'job', entity: 'Job' } }])
}

export function entityNamed(runtime: Runtime, name: string) {
  const entity = runtime.design.form.entities.get(name)
  if (entity === undefined)
    throw new FreeholdError('UnknownName', `A job needs the entity '${name}', which the design ${runtime.design.name} does not have.`, {
      entity: name,
    })
  return entity
}
