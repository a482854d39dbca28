import { backoffMs } from '../../dynamo/retry.ts'
import { FreeholdError, isFreeholdError } from '../../errors.ts'
import { telling } from '../meter.ts'
import { notePending, type PendingJob, pendingJob } from '../pending.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { recordFlowJob, runFlowJob, type StartingJob } from './flow-job.ts'
import { runFollowJob } from './follow-job.ts'
import { type Job, type JobKind, jobKey, readJob } from './job.ts'
import { LeaseLost, type Progress, releaseLease, renewLease, WaitEnded } from './progress.ts'
import { checkRemoved, runRemoveJob } from './remove-job.ts'

const runs: Readonly<Record<JobKind, (runtime: Runtime, progress: Progress) => Promise<void>>> = {
  remove: runRemoveJob,
  follow: runFollowJob,
  flow: runFlowJob,
}

/** How the work on a job ended here. `ended`: another worker has ended the removal, by removing the item or by taking the removal back. */
type End = 'done' | 'ended' | 'taken over' | 'left'

/**
 * Runs a job whose lease this worker holds. A job that another worker has taken over continues there. A job that is not done by `until_ms`
 * of the monotonic clock stops between two of its pieces, and any worker can continue it. Its own jobs that are not done are added to
 * `left`.
 */
export async function runJob(runtime: Runtime, job: Job, until_ms = Number.POSITIVE_INFINITY, left: Job[] = []): Promise<End> {
  const progress: Progress = { job, done: job.done, leaseUntil: Date.parse(job.leaseUntil), until_ms, left }
  try {
    await telling(runtime.jobBudget?.pay, () => runs[job.kind](runtime, progress))
    return progress.isEnded === true ? 'ended' : 'done'
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken over'
    if (!(error instanceof WaitEnded)) throw error
    await releaseLease(runtime, progress)
    return 'left'
  }
}

/** A bound for the case that the clock stands still. */
const looksMax = 1000

/** Waits until another worker has ended a job: its record is gone, or has become that of another job. False if that takes too long. */
export async function isDoneElsewhere(runtime: Runtime, { id, kind }: Job, until_ms: number): Promise<boolean> {
  for (let look = 1; (await readItem(runtime, jobKey(id), { consistent: true }))?.kind === kind; look++) {
    if (look === looksMax || runtime.monotonic_ms() > until_ms) return false
    await runtime.sleep(backoffMs(look, runtime.random))
  }
  return true
}

/** True for an error that ends the job: the removal was taken back, and its record is gone. */
const isAnswer = ({ kind }: Job, error: unknown) => kind === 'remove' && isFreeholdError(error, 'InUse')

/** The reason why a job is not done here. Its record stays, and the next program that resumes jobs continues it. */
function reasonOf({ id, entity }: Job, error: unknown): FreeholdError {
  if (isFreeholdError(error)) return error
  return new FreeholdError(
    'Unavailable',
    `The handler of the job '${entity}' failed. The job is tried again.`,
    { job: id },
    { cause: error },
  )
}

/** The jobs that no worker has done in time. A job whose record cannot be read counts as one of them. */
async function notDoneElsewhere(runtime: Runtime, jobs: readonly Job[], until_ms: number): Promise<readonly Job[]> {
  const left: Job[] = []
  for (const job of jobs) if (!(await isDoneElsewhere(runtime, job, until_ms).catch(() => false))) left.push(job)
  return left
}

/** Runs a job. Returns the jobs that are not done: this one and its own. */
async function finishOne(runtime: Runtime, job: Job, until_ms: number): Promise<readonly PendingJob[]> {
  const left: Job[] = []
  const asPending = (jobs: readonly Job[]) => jobs.map((each) => pendingJob(each))
  let end: End
  try {
    end = await runJob(runtime, job, until_ms, left)
  } catch (error) {
    if (isAnswer(job, error)) throw error
    return [pendingJob(job, reasonOf(job, error)), ...asPending(left)]
  }
  if (end === 'left') return asPending([job, ...left])
  const notDone = await notDoneElsewhere(runtime, end === 'taken over' ? [job, ...left] : left, until_ms)
  if (end !== 'done' && !notDone.includes(job)) await checkRemoved(runtime, job)
  return asPending(notDone)
}

/**
 * Runs the jobs of a write for as long as the caller waits, and returns those that are not done by then. The write itself is done (spec
 * rule 13). Throws `InUse` if a removal was taken back.
 */
export async function finishJobs(runtime: Runtime, jobs: readonly Job[]): Promise<readonly PendingJob[]> {
  const until_ms = runtime.monotonic_ms() + runtime.wait_ms
  const pending: PendingJob[] = []
  for (const job of jobs) pending.push(...(await finishOne(runtime, job, until_ms)))
  return pending
}

/** Takes the lease of a free job, if it is unchanged, and runs it. The input of a flow's job is read now if it was left out. */
export async function takeOver(runtime: Runtime, job: Job, until_ms?: number): Promise<End> {
  const progress: Progress = { job, done: job.done, leaseUntil: 0 }
  try {
    await renewLease(runtime, progress, job)
  } catch (error) {
    if (error instanceof LeaseLost) return 'taken over'
    throw error
  }
  const lease = { holder: runtime.worker, leaseUntil: new Date(progress.leaseUntil).toISOString() }
  if (job.kind !== 'flow' || job.input !== undefined) return runJob(runtime, { ...job, ...lease }, until_ms)
  const record = await readItem(runtime, jobKey(job.id), { consistent: true })
  return record === undefined ? 'taken over' : runJob(runtime, { ...readJob(record), ...lease }, until_ms)
}

/** The error of a flow's job that has begun and is not finished, so that it has no result yet. */
function notFinished(runtime: Runtime, job: Job, reason?: FreeholdError): FreeholdError {
  const pending = pendingJob(job, reason)
  notePending(runtime, [pending])
  const why = reason === undefined ? '' : ` ${reason.message}`
  const message = `This has begun and is not finished: it continues as the job ${job.id}.${why}`
  return new FreeholdError('Pending', message, { pending: [pending] }, { cause: reason })
}

async function finishStarted(runtime: Runtime, job: Job, isJoined: boolean): Promise<void> {
  const until_ms = runtime.monotonic_ms() + runtime.wait_ms
  // Another caller may have joined it in the same millisecond, so its input is read once the lease is held.
  const run = () => (isJoined ? takeOver(runtime, { ...job, input: undefined }, until_ms) : runJob(runtime, job, until_ms))
  let end: End
  try {
    end = await run()
    if (end === 'taken over' && (await isDoneElsewhere(runtime, job, until_ms))) end = 'done'
  } catch (error) {
    if (isFreeholdError(error) && error.category !== 'unavailable' && error.category !== 'retryable') throw error
    throw notFinished(runtime, job, reasonOf(job, error))
  }
  if (end !== 'done') throw notFinished(runtime, job)
}

/**
 * Starts a job of a flow, which is recorded first, and waits for it unless told otherwise. It joins an equal job that has not begun, since
 * that will do the same. Throws `UnknownName`, `Pending` if the job is not finished in time, and the errors of its handler. In the last two
 * cases the record stays, and the next program that resumes jobs tries again.
 * A job that `willStart` is only recorded: if the process ends before it starts the job, the next program that resumes jobs runs it.
 */
export async function startJob(runtime: Runtime, name: string, how: StartingJob): Promise<Job> {
  const { job, isJoined } = await recordFlowJob(runtime, name, how)
  // The call is recorded with the job. Another process may make the job's own writes.
  if (how.willStart === true) return job
  if (how.wait === false) notePending(runtime, [pendingJob(job)])
  else await finishStarted({ ...runtime, call: undefined }, job, isJoined)
  return job
}
