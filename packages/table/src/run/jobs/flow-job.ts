import { FreeholdError } from '../../errors.ts'
import type { Json } from '../../kind/value.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../write.ts'
import { type Job, lease_ms, putJob } from './job.ts'
import { advance, finishJob, LeaseLost, type Progress } from './progress.ts'

/** A flow's job under way, as its handler sees it. */
export interface FlowJob {
  /** A ULID. */
  readonly id: string
  /** What the job was started with. */
  readonly input: Json
  /** When it was recorded: an ISO instant, the same each time it is run. */
  readonly createdAt: string
  readonly runtime: Runtime
  /** Counts items as done and keeps the lease. Throws where another worker has taken the job over: do not catch that. */
  advance(items: number): Promise<void>
}

/**
 * Does the work of one kind of job. It may be run again from the beginning at any time, by another process and after a crash between any two
 * requests: what is done already must not be done twice (spec rule 12).
 */
export type JobHandler = (job: FlowJob) => Promise<void>

/** By the name of the job. */
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** Records a job of the design's own before it starts. Throws `UnknownName` where nothing would run it. */
export async function recordFlowJob(runtime: Runtime, name: string, subject: string, input: Json, isWaitedFor: boolean): Promise<Job> {
  handlerNamed(runtime, name)
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
    leaseUntil: new Date(now.getTime() + (isWaitedFor ? lease_ms : 0)).toISOString(),
    input,
  }
  await sendActions(runtime, [putJob(job)])
  return job
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
  let lost: LeaseLost | undefined
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
        if (error instanceof LeaseLost) lost = error
        throw error
      }),
  })
  // Whoever has the lease takes the record away, whatever the handler made of having lost it.
  if (lost !== undefined) throw lost
  await finishJob(runtime, job)
}
