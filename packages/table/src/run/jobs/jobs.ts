import { jobsPartition } from '../../design/design.ts'
import { backoffMs } from '../../dynamo/retry.ts'
import { FreeholdError, isFreeholdError } from '../../errors.ts'
import { prefixRange } from '../../key/range.ts'
import type { Json } from '../../kind/value.ts'
import { readCollection } from '../collection.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { recordFlowJob, runFlowJob } from './flow-job.ts'
import { runFollowJob } from './follow-job.ts'
import { type Job, type JobKind, jobKey, readJob } from './job.ts'
import { LeaseLost, type Progress, renewLease } from './progress.ts'
import { runRemoveJob } from './remove-job.ts'

const runs: Readonly<Record<JobKind, (runtime: Runtime, progress: Progress) => Promise<void>>> = {
  remove: runRemoveJob,
  follow: runFollowJob,
  flow: runFlowJob,
}

/** Runs a job whose lease this worker holds. A job that another worker has taken over goes on there. */
export async function runJob(runtime: Runtime, job: Job): Promise<'done' | 'taken over'> {
  const progress: Progress = { job, done: job.done, leaseUntil: Date.parse(job.leaseUntil) }
  try {
    await runs[job.kind](runtime, progress)
    return 'done'
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken over'
    throw error
  }
}

/** So that a clock that stands still ends, too. */
const looksMax = 100

/** Waits for a job that goes on elsewhere, until its record is gone. Throws `Busy` where that takes longer than a request may. */
async function untilDone(runtime: Runtime, { id }: Job): Promise<void> {
  const end = runtime.now().getTime() + runtime.patience_ms
  for (let look = 1; (await readItem(runtime, jobKey(id), { consistent: true })) !== undefined; look++) {
    if (look === looksMax || runtime.now().getTime() > end) {
      throw new FreeholdError('Busy', `Another worker goes on with this (job ${id}); it is not done yet.`, { job: id })
    }
    await runtime.sleep(backoffMs(look, runtime.random))
  }
}

/** Runs the jobs that a write has recorded, and returns when all are done, by whomever. */
export async function finishJobs(runtime: Runtime, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) if ((await runJob(runtime, job)) === 'taken over') await untilDone(runtime, job)
}

/**
 * Starts a job of the design's own, recorded before anything is done, and waits for it unless told otherwise. `subject`: what it is about,
 * for whoever lists jobs. Throws `UnknownName`, and what its handler throws: then it stays recorded, and is tried again by the next to resume.
 */
export async function startJob(
  runtime: Runtime,
  name: string,
  { subject, input, wait = true }: { readonly subject: string; readonly input: Json; readonly wait?: boolean | undefined },
): Promise<Job> {
  const job = await recordFlowJob(runtime, name, subject, input, wait)
  if (wait) await finishJobs(runtime, [job])
  return job
}

/** The jobs that are recorded, oldest first: under way, or left behind by a worker that is gone. */
export async function listJobs(runtime: Runtime): Promise<readonly Job[]> {
  const items = await readCollection(runtime, jobsPartition, prefixRange('JOB#'))
  return items.map(readJob)
}

/** A job that ended in an error: it stays recorded, and the next to resume jobs tries it again. */
export interface FailedJob {
  readonly job: Job
  readonly error: FreeholdError
}

export interface Resumed {
  readonly done: number
  /** Jobs that another worker holds, and when the last of their leases ends. */
  readonly held: readonly Job[]
  readonly failed: readonly FailedJob[]
}

/** Takes over every job whose worker has been silent for the length of its lease, and finishes it (spec rule 12). */
export async function resumeJobs(runtime: Runtime): Promise<Resumed> {
  let done = 0
  const held: Job[] = []
  const failed: FailedJob[] = []
  for (const job of await listJobs(runtime)) {
    if (job.leaseUntil > runtime.now().toISOString()) {
      held.push(job)
      continue
    }
    try {
      if ((await resumeJob(runtime, job)) === 'done') done++
    } catch (error) {
      // One that cannot be done keeps no other from being done.
      if (!isFreeholdError(error) || error.category === 'retryable') throw error
      failed.push({ job, error })
    }
  }
  return { done, held, failed }
}

async function resumeJob(runtime: Runtime, job: Job): Promise<'done' | 'taken over'> {
  const progress: Progress = { job, done: job.done, leaseUntil: 0 }
  try {
    await renewLease(runtime, progress, job)
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken over'
    throw error
  }
  const leaseUntil = new Date(progress.leaseUntil).toISOString()
  return runJob(runtime, { ...job, holder: runtime.worker, leaseUntil }).catch(refusedInUse)
}

/** A removal that its design refuses was undone by the job; whoever asked for it is gone. */
function refusedInUse(error: unknown): 'done' {
  if (error instanceof Error && error.name === 'InUse') return 'done'
  throw error
}
