import { isDeepStrictEqual } from 'node:util'
import type { Action, Put } from '../../plan/action.ts'
import { noteCall, withCall } from '../calls/call-record.ts'
import type { MadeItem } from '../calls/keyed-call.ts'
import { consistent, readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { isWaiting, type Job, jobIn, jobKey, leaseIs, waitingKey } from './job.ts'

const origin = { step: 'job', role: 'job', entity: 'Job' } as const

export interface Waiting {
  /** The equal job that still waits. Absent if it has begun. */
  readonly job?: Job
  /** The id of the named job, even if it has begun. */
  readonly named?: string
}

/** The waiting job among equal ones. */
export async function waitingJob(runtime: Runtime, same: string): Promise<Waiting> {
  const found = await readItem(runtime, waitingKey(same), consistent)
  if (typeof found?.job !== 'string') return {}
  const record = await readItem(runtime, jobKey(found.job), consistent)
  const job = record === undefined ? undefined : jobIn(record)
  return { named: found.job, ...(job !== undefined && isWaiting(job) ? { job } : {}) }
}

/** Names the waiting job, in the transaction that records it, in place of the job `instead`. */
export function putWaiting(same: string, id: string, instead: string | undefined): Put {
  const key = waitingKey(same)
  const unchanged =
    instead === undefined ? ({ is: 'absent', now: new Date(0) } as const) : ({ is: 'equal', attribute: 'job', value: instead } as const)
  return { kind: 'put', key, item: { ...key, Type: 'Job', version: 1, job: id }, conditions: [unchanged], origin }
}

/**
 * Joins a waiting job. It counts as requested now, so that it covers everything that happened in between. Undefined if it has begun, or if
 * another caller has joined it meanwhile.
 */
export async function joinWaiting(
  runtime: Runtime,
  waiting: Job,
  { createdAt, input }: Job,
  made?: readonly MadeItem[],
): Promise<Job | undefined> {
  // The last of several requests in the same millisecond counts, too.
  const isSame = waiting.createdAt === createdAt && isDeepStrictEqual(waiting.input ?? null, input ?? null)
  if (waiting.createdAt > createdAt || isSame) return waiting
  const { id, holder, leaseUntil } = waiting
  const asked = { createdAt, leaseUntil: createdAt, input: input ?? null }
  const conditions = leaseIs(holder, leaseUntil)
  const joined: Action = { kind: 'update', key: jobKey(id), set: asked, remove: [], conditions, origin }
  const actions = withCall(runtime, { actions: [joined], jobs: [waiting], made })
  const { failed } = await sendActions(runtime, actions)
  noteCall(runtime, actions, failed)
  return failed.length === 0 ? { ...waiting, ...asked } : undefined
}

/**
 * Deletes the item that names a waiting job, unless it names another by now. Called before the job's record is deleted, so that a crash
 * leaves none.
 */
export async function forgetWaiting(runtime: Runtime, { id, same }: Job): Promise<void> {
  if (same === undefined) return
  await sendActions(runtime, [
    { kind: 'delete', key: waitingKey(same), conditions: [{ is: 'equal', attribute: 'job', value: id }], origin },
  ])
}
