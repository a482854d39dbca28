import { isDeepStrictEqual } from 'node:util'
import type { Put } from '../../plan/action.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { isWaiting, type Job, jobKey, leaseIs, readJob, waitingKey } from './job.ts'

const origin = { step: 'job', role: 'job', entity: 'Job' } as const
const consistent = { consistent: true }

export interface Waiting {
  /** The job that waits and is the same; none where it has begun. */
  readonly job?: Job
  /** The id of the job that is named, whether it has begun or not. */
  readonly named?: string
}

/** The job that waits of those that are the same. */
export async function waitingJob(runtime: Runtime, same: string): Promise<Waiting> {
  const found = await readItem(runtime, waitingKey(same), consistent)
  if (typeof found?.job !== 'string') return {}
  const record = await readItem(runtime, jobKey(found.job), consistent)
  const job = record === undefined ? undefined : readJob(record)
  return { named: found.job, ...(job !== undefined && isWaiting(job) ? { job } : {}) }
}

/** Names the job that waits from now on, in the transaction that records it; `instead` of the one that was named. */
export function putWaiting(same: string, id: string, instead: string | undefined): Put {
  const key = waitingKey(same)
  const unchanged =
    instead === undefined ? ({ is: 'absent', now: new Date(0) } as const) : ({ is: 'equal', attribute: 'job', value: instead } as const)
  return { kind: 'put', key, item: { ...key, Type: 'Job', version: 1, job: id }, conditions: [unchanged], origin }
}

/**
 * Asks for a waiting job again: it is as if it had been asked for now, and no earlier, so that it does not leave out what came in between.
 * Undefined where it has begun, or was asked for meanwhile by another.
 */
export async function joinWaiting(runtime: Runtime, waiting: Job, { createdAt, input }: Job): Promise<Job | undefined> {
  // Of those that are asked for in the same millisecond the last counts, too.
  const isSame = waiting.createdAt === createdAt && isDeepStrictEqual(waiting.input ?? null, input ?? null)
  if (waiting.createdAt > createdAt || isSame) return waiting
  const { id, holder, leaseUntil } = waiting
  const asked = { createdAt, leaseUntil: createdAt, input: input ?? null }
  const conditions = leaseIs(holder, leaseUntil)
  const { failed } = await sendActions(runtime, [{ kind: 'update', key: jobKey(id), set: asked, remove: [], conditions, origin }])
  return failed.length === 0 ? { ...waiting, ...asked } : undefined
}

/** Takes away what names a job, unless it names another by now. Before the job's record goes, or nobody would do so after a crash. */
export async function forgetWaiting(runtime: Runtime, { id, same }: Job): Promise<void> {
  if (same === undefined) return
  await sendActions(runtime, [
    { kind: 'delete', key: waitingKey(same), conditions: [{ is: 'equal', attribute: 'job', value: id }], origin },
  ])
}
