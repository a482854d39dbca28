import { FreeholdError, isFreeholdError } from '../../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './job.ts'
import { takeOver } from './jobs.ts'
import { pickJobs } from './pick-jobs.ts'
import { ownerOf } from './turns.ts'

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
  /** There may be more to do than this was to take: the next to resume jobs goes on. */
  readonly hasMore?: true
}

/** What resuming may take; without bounds it does all that there is to do when it begins. */
export interface Resuming {
  readonly jobs_max?: number
  /** No further job is begun after so many milliseconds of the runtime's clock. The one that is under way is finished, or none ever would be. */
  readonly ms_max?: number
  /** Requests that may be made to look for jobs, each of at most 1,000 records. */
  readonly pages_max?: number
  /** Only jobs that were recorded before this instant: whoever has just left one is not the first to do it. */
  readonly before?: Date | undefined
}

/** Jobs whose turn it is are looked for anew after so many: whoever recorded one meanwhile waits for no more than these. */
const turns_max = 100

/** Storage that fails the jobs of so many owners in a row fails those of all: each would wait for it as long as a request may. */
const ownersUnavailable_max = 3

const unbounded = Number.POSITIVE_INFINITY

/**
 * Takes over jobs whose worker has been silent for the length of its lease, and finishes them (spec rule 12): one of each tenant and subject in
 * turn. One that cannot be done keeps no other from being done. Throws `Unavailable` where storage is: whatever was not done stays recorded.
 */
export async function resumeJobs(
  runtime: Runtime,
  { jobs_max = unbounded, ms_max = unbounded, pages_max = unbounded, before }: Resuming = {},
): Promise<Resumed> {
  const start = runtime.now()
  // What is recorded while this goes on is left to the next, or it might never end.
  const latest_ms = before === undefined ? start.getTime() : before.getTime() - 1
  const failed: FailedJob[] = []
  const tried = new Set<string>()
  /** Owners whose jobs storage has failed since it last answered. */
  const unavailable = new Set<string>()
  let done = 0
  let left = jobs_max
  for (;;) {
    const { jobs, held, isCut } = await pickJobs(runtime, { jobs_max: Math.min(turns_max, left), pages_max, except: tried, latest_ms })
    for (const job of jobs) {
      if (runtime.now().getTime() - start.getTime() >= ms_max) return { done, held, failed, hasMore: true }
      left--
      try {
        if (await resumeJob(runtime, job)) done++
        else tried.add(job.id)
        unavailable.clear()
      } catch (error) {
        failed.push({ job, error: isFreeholdError(error) ? error : handlerFailed(job, error) })
        tried.add(job.id)
        if (!isFreeholdError(error, 'Unavailable')) unavailable.clear()
        else if (unavailable.add(ownerOf(job)).size >= ownersUnavailable_max) throw error
      }
    }
    if (!isCut) return { done, held, failed }
    if (left <= 0 || jobs.length === 0) return { done, held, failed, hasMore: true }
  }
}

/** What a job ended in that is no error of this project, so a fault of what does the job. */
function handlerFailed({ id, entity }: Job, cause: unknown): FreeholdError {
  const message = `What does the job '${entity}' has a fault. The job stays recorded, and is tried again.`
  return new FreeholdError('Unavailable', message, { job: id }, { cause })
}

async function resumeJob(runtime: Runtime, job: Job): Promise<boolean> {
  try {
    const end = await takeOver(runtime, job)
    return end === 'done' || end === 'ended'
  } catch (error) {
    // A removal that its design refuses was undone by the job; whoever asked for it is gone.
    if (job.kind === 'remove' && isFreeholdError(error, 'InUse')) return true
    throw error
  }
}
