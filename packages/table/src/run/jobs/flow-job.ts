import { createHash } from 'node:crypto'
import { FreeholdError } from '../../errors.ts'
import type { Json } from '../../kind/value.ts'
import { noteCall, withCall } from '../calls/call-record.ts'
import type { MadeItem } from '../calls/keyed-call.ts'
import type { JobHandler, Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { type Job, lease_ms, putJob } from './job.ts'
import { advance, deleteJobRecord, LeaseLost, type Progress, WaitEnded } from './progress.ts'
import { forgetWaiting, joinWaiting, putWaiting, waitingJob } from './waiting.ts'

/** The options for starting a job of a flow. */
export interface StartingJob {
  /** The subject of the job, shown in lists of jobs. */
  readonly subject: string
  readonly input: Json
  /** False: the job is only recorded. A program that resumes jobs does it. */
  readonly wait?: boolean | undefined
  /** The caller starts it again, after a write that makes it necessary. Until then it is no result of the caller's work. */
  readonly willStart?: true | undefined
  /** A value that equal jobs share, the input by default. Of equal jobs that have not begun, only the last request counts. */
  readonly same?: Json | undefined
  /** The items that the job is about, for the record of a call under an idempotency key. */
  readonly made?: readonly MadeItem[] | undefined
}

export interface Recorded {
  readonly job: Job
  /** Another call recorded the job, which still waits. */
  readonly isJoined: boolean
}

/** A bound for the case that other writers are faster each time. */
const attempts_max = 10

/**
 * Records a job of a flow before it starts, or joins an equal one that has not begun: it will begin after this moment, so it does
 * everything that this one would. Throws `UnknownName` if no handler would run it.
 */
export async function recordFlowJob(runtime: Runtime, name: string, how: StartingJob): Promise<Recorded> {
  const { subject, input, willStart, same: alike = input, made } = how
  const wait = how.wait !== false && willStart !== true
  handlerNamed(runtime, name)
  const same = createHash('sha256')
    .update(JSON.stringify([name, subject, alike]))
    .digest('hex')
  const now = runtime.now()
  const job: Job = {
    id: runtime.making().ulid(),
    kind: 'flow',
    entity: name,
    key: { PK: subject, SK: '' },
    createdAt: now.toISOString(),
    done: 0,
    holder: runtime.worker,
    // If the caller does not wait, the job has no lease, so that a program that resumes jobs may take it at once.
    leaseUntil: new Date(now.getTime() + (wait ? lease_ms : 0)).toISOString(),
    input,
    tenant: tenantIn(runtime, input),
    // A job that begins at once cannot be joined.
    ...(wait ? {} : { same }),
  }
  for (let attempt = 1; attempt <= attempts_max; attempt++) {
    const waiting = await waitingJob(runtime, same)
    // The job was recorded although the answer was lost, and has begun by now.
    if (waiting.job === undefined && waiting.named === job.id) return { job, isJoined: false }
    if (waiting.job === undefined) {
      const records = wait ? [putJob(job)] : [putJob(job), putWaiting(same, job.id, waiting.named)]
      const actions = withCall(runtime, { actions: records, jobs: [job], made })
      const { failed } = await sendActions(runtime, actions)
      noteCall(runtime, actions, failed)
      if (failed.length === 0) return { job, isJoined: false }
    } else {
      const joined = await joinWaiting(runtime, waiting.job, job, made)
      if (joined !== undefined) return { job: joined, isJoined: true }
    }
  }
  throw new FreeholdError('Busy', `Others keep starting the job '${name}' of ${subject}. Try again.`, { name })
}

/** The tenant of an input, by the tenant attribute of the design. */
function tenantIn({ design }: Runtime, input: Json): string | undefined {
  const by = design.tenants?.by
  const named: unknown = by === undefined || typeof input !== 'object' || input === null ? undefined : Reflect.get(input, by)
  return typeof named === 'string' ? named : undefined
}

function handlerNamed({ jobHandlers, design }: Runtime, name: string): JobHandler {
  const handler = Object.hasOwn(jobHandlers, name) ? jobHandlers[name] : undefined
  if (handler !== undefined) return handler
  throw new FreeholdError('UnknownName', `The design ${design.name} is connected without a handler of the job '${name}'.`, { name })
}

/** Runs the handler, then removes the record. Safe to run twice, since the handler is. */
export async function runFlowJob(runtime: Runtime, progress: Progress): Promise<void> {
  const { job } = progress
  const { id, input = null, createdAt } = job
  let lost: LeaseLost | WaitEnded | undefined
  await handlerNamed(
    runtime,
    job.entity,
  )({
    id,
    input,
    createdAt,
    runtime,
    advance: (items) =>
      advance(runtime, progress, items).catch((error: unknown) => {
        if (error instanceof LeaseLost || error instanceof WaitEnded) lost = error
        throw error
      }),
  })
  // The holder of the lease removes the record, even if the handler here ignored the lost lease.
  if (lost !== undefined) throw lost
  await forgetWaiting(runtime, job)
  await deleteJobRecord(runtime, job)
}
