import { backoffMs } from '../../dynamo/retry.ts'
import { FreeholdError } from '../../errors.ts'
import { telling } from '../meter.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { recordFlowJob, runFlowJob, type StartingJob } from './flow-job.ts'
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
    await telling(runtime.jobBudget?.pay, () => runs[job.kind](runtime, progress))
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

/** Takes the lease of a job that nobody holds, as it was seen, and does it. What a flow was started with is read now where it was left out. */
export async function takeOver(runtime: Runtime, job: Job): Promise<'done' | 'taken over'> {
  const progress: Progress = { job, done: job.done, leaseUntil: 0 }
  try {
    await renewLease(runtime, progress, job)
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken over'
    throw error
  }
  const lease = { holder: runtime.worker, leaseUntil: new Date(progress.leaseUntil).toISOString() }
  if (job.kind !== 'flow' || job.input !== undefined) return runJob(runtime, { ...job, ...lease })
  const record = await readItem(runtime, jobKey(job.id), { consistent: true })
  return record === undefined ? 'taken over' : runJob(runtime, { ...readJob(record), ...lease })
}

/**
 * Starts a job of the design's own, recorded before anything is done, and waits for it unless told otherwise. It joins one that is the same and
 * has not begun: that does all that this one would. Throws `UnknownName`, and what its handler throws: then it stays recorded, and is tried
 * again by the next to resume.
 */
export async function startJob(runtime: Runtime, name: string, how: StartingJob): Promise<Job> {
  const { job, isJoined } = await recordFlowJob(runtime, name, how)
  if (how.wait === false) return job
  if (!isJoined) await finishJobs(runtime, [job])
  // Another may have asked for it since, in the same millisecond: what it was started with is read once it is held.
  else if ((await takeOver(runtime, { ...job, input: undefined })) === 'taken over') await untilDone(runtime, job)
  return job
}
