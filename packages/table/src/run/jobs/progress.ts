import { FreeholdError } from '../../errors.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { type Job, jobKey, lease_ms, leaseIs } from './job.ts'

/** A job under way: what it has done, and its lease. */
export interface Progress {
  readonly job: Job
  done: number
  /** The instant until which nobody else takes the job over, in milliseconds since the epoch. */
  leaseUntil: number
  /** The instant of the monotonic clock by which a caller has waited long enough: then the job is left between two of its pieces. */
  readonly until_ms?: number | undefined
  /** Jobs that this one left to follow in turn, and that are not done here. */
  readonly left?: Job[] | undefined
  /** Of a removal: another worker has ended it, by removing the item or by taking the removal back. */
  isEnded?: boolean
  /** The renewal of the lease that is under way: pieces of a job that are done side by side share it, or each would take the lease from the next. */
  renewal?: Promise<void> | undefined
}

/** Thrown where another worker has taken a job over: it goes on there. */
export class LeaseLost extends Error {}

/** Thrown where a caller has waited long enough: what is left of the job is done by whoever resumes it. */
export class WaitEnded extends Error {}

/** Gives the lease back, so that the next to resume jobs goes on at once; without it others wait for its end. */
export async function releaseLease(runtime: Runtime, { job, done, leaseUntil }: Progress): Promise<void> {
  const now = runtime.now().toISOString()
  const conditions = leaseIs(runtime.worker, new Date(leaseUntil).toISOString())
  const origin = { step: 'job', role: 'job', entity: 'Job' } as const
  const action = { kind: 'update', key: jobKey(job.id), set: { leaseUntil: now, done }, remove: [], conditions, origin } as const
  // The job is left either way: whether its lease was given back only says how soon another takes it.
  await sendActions(runtime, [action]).catch(() => undefined)
}

/** Takes or renews the lease of a job. `from`: the lease that was seen; a job whose lease has changed since belongs to another. */
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

/** Renews the lease once half of it is over. Throws `LeaseLost` where another worker has taken the job over, `WaitEnded` where its caller has waited. */
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

/** Waits until an instant of the monotonic clock. However far away it is, the lease is kept. */
async function waitUntil(runtime: Runtime, progress: Progress, instant_ms: number): Promise<void> {
  for (;;) {
    const left_ms = instant_ms - runtime.monotonic_ms()
    if (left_ms <= 0) return
    await runtime.sleep(Math.min(left_ms, lease_ms / 4))
    await keepLease(runtime, progress)
  }
}

/** What a caller makes of the progress of a job changes nothing about the job, and the write that recorded it is done. */
function tell({ onProgress }: Runtime, { job: { id: job, kind, entity, key }, done }: Progress): void {
  try {
    onProgress?.({ job, kind, subject: `${entity} ${key.PK}`, done })
  } catch {
    // A fault of the caller's own, which it sees where it made it.
  }
}

/** Counts items as done, tells whoever wants to know, keeps the lease, and waits where the job has written more than its budget. */
export async function advance(runtime: Runtime, progress: Progress, items: number): Promise<void> {
  progress.done += items
  tell(runtime, progress)
  await keepLease(runtime, progress)
  if (runtime.jobBudget !== undefined) await waitUntil(runtime, progress, runtime.jobBudget.paid_ms())
}

/** The least that one action of a transaction takes: an item of up to 1 KB, and twice for the transaction. */
const unitsOfAction = 2

/**
 * The most actions in one transaction of a job, unless one item needs more. Requests of others wait behind it: DynamoDB takes 100, and on the embedded
 * engine those of other tenants then take four times as long (`npm --prefix bench run deletion`).
 */
const jobActions_max = 40

/** The same, or what the job asks for. A budget lowers it to what one second pays for. */
export function jobActionsMax({ jobBudget }: Runtime, actions_max = jobActions_max): number {
  if (jobBudget === undefined) return actions_max
  return Math.max(1, Math.min(actions_max, Math.floor(jobBudget.units_per_s / unitsOfAction)))
}

/**
 * Does a piece of a job that writes so many items, once the budget has room for it. Pieces side by side would otherwise all begin before the first
 * answer tells what it took.
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

/** Takes the record of a job away. Doing so twice is the same as once. */
export async function deleteJobRecord(runtime: Runtime, { id }: Job): Promise<void> {
  await sendActions(runtime, [{ kind: 'delete', key: jobKey(id), conditions: [], origin: { step: 'job', role: 'job', entity: 'Job' } }])
}

export function entityNamed(runtime: Runtime, name: string) {
  const entity = runtime.design.form.entities.get(name)
  if (entity === undefined)
    throw new FreeholdError('UnknownName', `A job is about '${name}', which the design ${runtime.design.name} does not have.`, {
      entity: name,
    })
  return entity
}
