import { createHash } from 'node:crypto'
import { FreeholdError } from '../../errors.ts'
import type { Json } from '../../kind/value.ts'
import type { JobHandler, Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { type Job, lease_ms, putJob } from './job.ts'
import { advance, deleteJobRecord, LeaseLost, type Progress, WaitEnded } from './progress.ts'
import { forgetWaiting, joinWaiting, putWaiting, waitingJob } from './waiting.ts'

/** How a job of the design's own is started. */
export interface StartingJob {
  /** What it is about, for whoever lists jobs. */
  readonly subject: string
  readonly input: Json
  /** False: it is recorded only, and left to whoever resumes jobs. */
  readonly wait?: boolean | undefined
  /** What it has in common with jobs that would do the same: the input unless given. Of those that are asked for before one begins the last counts. */
  readonly same?: Json | undefined
}

export interface Recorded {
  readonly job: Job
  /** The job was recorded by another, and waits. */
  readonly isJoined: boolean
}

/** So that a table where others are faster again and again ends, too. */
const attempts_max = 10

/**
 * Records a job of the design's own before it starts, or finds the one that is the same and has not begun: whatever that does comes after now, so
 * it does all that this one would. Throws `UnknownName` where nothing would run it.
 */
export async function recordFlowJob(runtime: Runtime, name: string, how: StartingJob): Promise<Recorded> {
  const { subject, input, wait = true, same: alike = input } = how
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
    // Nobody holds the job of a caller who does not wait: whoever resumes jobs may take it at once.
    leaseUntil: new Date(now.getTime() + (wait ? lease_ms : 0)).toISOString(),
    input,
    tenant: tenantIn(runtime, input),
    // One that begins at once is not there to be joined.
    ...(wait ? {} : { same }),
  }
  for (let attempt = 1; attempt <= attempts_max; attempt++) {
    const waiting = await waitingJob(runtime, same)
    // It was recorded, whatever became of the answer that said so, and has begun by now.
    if (waiting.job === undefined && waiting.named === job.id) return { job, isJoined: false }
    if (waiting.job === undefined) {
      const { failed } = await sendActions(runtime, wait ? [putJob(job)] : [putJob(job), putWaiting(same, job.id, waiting.named)])
      if (failed.length === 0) return { job, isJoined: false }
    } else {
      const joined = await joinWaiting(runtime, waiting.job, job)
      if (joined !== undefined) return { job: joined, isJoined: true }
    }
  }
  throw new FreeholdError('Busy', `Others keep starting the job '${name}' of ${subject}. Try again.`, { name })
}

/** The tenant that an input names by the attribute that the design's items do. */
function tenantIn({ design }: Runtime, input: Json): string | undefined {
  const by = design.tenants?.by
  const named: unknown = by === undefined || typeof input !== 'object' || input === null ? undefined : Reflect.get(input, by)
  return typeof named === 'string' ? named : undefined
}

function handlerNamed({ jobHandlers, design }: Runtime, name: string): JobHandler {
  const handler = Object.hasOwn(jobHandlers, name) ? jobHandlers[name] : undefined
  if (handler !== undefined) return handler
  throw new FreeholdError('UnknownName', `The design ${design.name} is connected without what does the job '${name}'.`, { name })
}

/** Does the work, then takes the record away. Safe to run twice, as its handler is. */
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
  // Whoever has the lease takes the record away, whatever the handler made of having lost it.
  if (lost !== undefined) throw lost
  await forgetWaiting(runtime, job)
  await deleteJobRecord(runtime, job)
}
