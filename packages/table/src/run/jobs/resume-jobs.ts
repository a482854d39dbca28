import { FreeholdError, isFreeholdError } from '../../errors.ts'
import type { Malformed } from '../query.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './job.ts'
import { takeOver } from './jobs.ts'
import { pickJobs } from './pick-jobs.ts'
import { ownerOf } from './turns.ts'

/** A job that failed. It stays recorded, and the next program that resumes jobs tries it again. */
export interface FailedJob {
  readonly job: Job
  readonly error: FreeholdError
}

export interface Resumed {
  readonly done: number
  /** Jobs that another worker holds, and when the last of their leases ends. */
  readonly held: readonly Job[]
  readonly failed: readonly FailedJob[]
  /** Items in the place of jobs that are none. They stop no job. */
  readonly malformed?: readonly Malformed[]
  /** The bounds were reached and there may be more jobs. The next call continues. */
  readonly hasMore?: true
}

/** The bounds of resuming. Without bounds it does all jobs that are recorded when it begins. */
export interface Resuming {
  readonly jobs_max?: number
  /** No job begins after this many milliseconds of the runtime's clock. The running job is finished, so that long jobs also end. */
  readonly ms_max?: number
  /** The largest number of requests for finding jobs, each of at most 1,000 records. */
  readonly pages_max?: number
  /** Only jobs that were recorded before this instant, so that a program does not resume the jobs that it has just left. */
  readonly before?: Date | undefined
}

/** After this many jobs the records are read again, so that a new job of another tenant waits for no more than these. */
const turns_max = 100

/**
 * After the jobs of this many owners in a row have found the storage unavailable, the rest are not tried: each would wait as long as a
 * request.
 */
const ownersUnavailable_max = 3

const unbounded = Number.POSITIVE_INFINITY

/**
 * Takes over jobs whose worker has been silent for the length of its lease, and finishes them (spec rule 12). Jobs are scheduled fairly:
 * one of each tenant and subject in turn. A failing job does not stop the others. Throws `Unavailable` if the storage is. Unfinished jobs
 * stay recorded.
 */
export async function resumeJobs(
  runtime: Runtime,
  { jobs_max = unbounded, ms_max = unbounded, pages_max = unbounded, before }: Resuming = {},
): Promise<Resumed> {
  const start = runtime.now()
  // Jobs that are recorded meanwhile are left to the next call: otherwise this one might never end.
  const latest_ms = before === undefined ? start.getTime() : before.getTime() - 1
  const failed: FailedJob[] = []
  const tried = new Set<string>()
  /** Owners whose jobs have found the storage unavailable since it last answered. */
  const unavailable = new Set<string>()
  let done = 0
  let left = jobs_max
  for (;;) {
    const { jobs, held, malformed, isCut } = await pickJobs(runtime, {
      jobs_max: Math.min(turns_max, left),
      pages_max,
      except: tried,
      latest_ms,
    })
    const resumed = () => ({ done, held, failed, ...(malformed.length === 0 ? {} : { malformed }) })
    for (const job of jobs) {
      if (runtime.now().getTime() - start.getTime() >= ms_max) return { ...resumed(), hasMore: true }
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
    if (!isCut) return resumed()
    if (left <= 0 || jobs.length === 0) return { ...resumed(), hasMore: true }
  }
}

/** The error of a job whose handler threw an error that is not of this project. */
function handlerFailed({ id, entity }: Job, cause: unknown): FreeholdError {
  const message = `The handler of the job '${entity}' failed. The job stays recorded, and is tried again.`
  return new FreeholdError('Unavailable', message, { job: id }, { cause })
}

async function resumeJob(runtime: Runtime, job: Job): Promise<boolean> {
  try {
    const end = await takeOver(runtime, job)
    return end === 'done' || end === 'ended'
  } catch (error) {
    // The job has taken the refused removal back. The caller that asked for it is gone.
    if (job.kind === 'remove' && isFreeholdError(error, 'InUse')) return true
    throw error
  }
}
