import { type ErrorCode, FreeholdError, isFreeholdError } from '../errors.ts'
import type { Job, JobKind } from './jobs/job.ts'

/**
 * A durable job that a finished write has left: the write is done, but its consequences are not. A program that resumes jobs finishes it
 * (spec rule 12).
 */
export interface PendingJob {
  /** The job's id, a ULID. `jobs.list` shows the job until it is finished. */
  readonly job: string
  readonly kind: JobKind
  /** The entity of the job's item. For a flow's job, its name. */
  readonly entity: string
  /** Why the job stopped here. Absent if no caller waited, if the wait ended, or if another worker continues the job. */
  readonly reason?: { readonly code: ErrorCode; readonly message: string }
}

/** The durable jobs that a write has left. Absent if there are none. A type alias, so that items with it are still plain records. */
export type Pendable = { readonly pending?: readonly PendingJob[] }

export function pendingJob({ id, kind, entity }: Job, error?: FreeholdError): PendingJob {
  const reason = error === undefined ? {} : { reason: { code: error.code, message: error.message } }
  return { job: id, kind, entity, ...reason }
}

/** The jobs and writes of some work so far. */
interface Collected {
  readonly pending: PendingJob[]
  hasWritten: boolean
  readonly outer: Collected | undefined
}

/**
 * The part of a runtime that collects what its work leaves. It is handed on with the runtime: an `AsyncLocalStorage` would make every promise
 * of the process slower, on Node 20 by a quarter of a decision's CPU.
 */
export interface Collecting {
  readonly collected?: Collected | undefined
}

/** Reports jobs that are left to all collectors, and returns them as part of a write's result. */
export function notePending({ collected }: Collecting, jobs: readonly PendingJob[]): Pendable {
  if (jobs.length === 0) return {}
  for (let each = collected; each !== undefined; each = each.outer) each.pending.push(...jobs)
  return { pending: jobs }
}

/** Reports to all collectors that something was written. */
export function noteWritten({ collected }: Collecting): void {
  for (let each = collected; each !== undefined && !each.hasWritten; each = each.outer) each.hasWritten = true
}

/** The error that ended some work after a part of it was written. It must not claim that nothing was (spec rule 13). */
class PartlyWritten extends FreeholdError {
  readonly end: FreeholdError
  constructor(end: FreeholdError) {
    const told = `${end.message} A part of this was already written: read before you try again.`
    super(end.code, told, { ...end.details, uncertain: true }, { cause: end })
    this.end = end
  }
}

/** A removal that is refused, as its item is in use, was taken back; and a pending job is told as such. */
const isWhole = ({ code, category, details }: FreeholdError) => details.uncertain === true || code === 'InUse' || category === 'pending'

const partly = (error: unknown) => (isFreeholdError(error) && !isWhole(error) ? new PartlyWritten(error) : error)

/** The error by which some work ended, without the word that a part was written before. */
export const endOf = (error: FreeholdError): FreeholdError => (error instanceof PartlyWritten ? error.end : error)

/**
 * Does the work and returns the durable jobs that it leaves, since a flow may write several times and return something else. An error that ends the
 * work after a write is `uncertain`.
 * @param runtime the runtime that the caller was given: its own collector is told, too
 * @param work gets a function that makes a runtime collect, and does all its work with such runtimes
 */
export async function collectPending<T>(
  runtime: Collecting,
  work: (collecting: <R extends Collecting>(runtime: R) => R) => Promise<T>,
): Promise<{ readonly result: T } & Required<Pendable>> {
  const collected: Collected = { pending: [], hasWritten: false, outer: runtime.collected }
  try {
    const result = await work((each) => ({ ...each, collected }))
    return { result, pending: collected.pending }
  } catch (error) {
    throw collected.hasWritten ? partly(error) : error
  }
}
