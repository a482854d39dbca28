import { AsyncLocalStorage } from 'node:async_hooks'
import { type ErrorCode, FreeholdError, isFreeholdError } from '../errors.ts'
import type { Job, JobKind } from './jobs/job.ts'

/**
 * A durable job of a write that is done: the write stands, and what follows from it is not finished yet. Whoever resumes jobs finishes it (spec rule
 * 12).
 */
export interface PendingJob {
  /** The job's id, a ULID: `jobs.list` shows it until it is finished. */
  readonly job: string
  readonly kind: JobKind
  /** The entity of the item that it is about; of a flow's job its name. */
  readonly entity: string
  /** Why it did not go on here; absent where nobody waited for it, where waiting took too long, and where another worker goes on with it. */
  readonly reason?: { readonly code: ErrorCode; readonly message: string }
}

/** What a write leaves to durable jobs. Absent where nothing is left to do. A type alias, so that items with it are still plain records. */
export type Pendable = { readonly pending?: readonly PendingJob[] }

export function pendingJob({ id, kind, entity }: Job, error?: FreeholdError): PendingJob {
  const reason = error === undefined ? {} : { reason: { code: error.code, message: error.message } }
  return { job: id, kind, entity, ...reason }
}

/** What a piece of work has done so far. */
interface Collected {
  readonly pending: PendingJob[]
  hasWritten: boolean
  readonly outer: Collected | undefined
}

const collecting = new AsyncLocalStorage<Collected>()

/** Tells all that collect of jobs that are left, and gives them as a part of a write's result. */
export function notePending(jobs: readonly PendingJob[]): Pendable {
  if (jobs.length === 0) return {}
  for (let each = collecting.getStore(); each !== undefined; each = each.outer) each.pending.push(...jobs)
  return { pending: jobs }
}

/** Tells all that collect that something was written. */
export function noteWritten(): void {
  for (let each = collecting.getStore(); each !== undefined && !each.hasWritten; each = each.outer) each.hasWritten = true
}

/** A fault after something was written does not say that nothing was (spec rule 13). */
function partly(error: unknown): unknown {
  if (!isFreeholdError(error) || error.details.uncertain === true) return error
  const { code, message, category, details } = error
  if (category !== 'unavailable' && category !== 'retryable') return error
  const told = `${message} A part of this was written before: read before you try again.`
  return new FreeholdError(code, told, { ...details, uncertain: true }, { cause: error })
}

/**
 * Does the work and tells which durable jobs it leaves. A flow may write several times and return something else. A fault
 * (`Unavailable`, `Busy`, `MalformedItem`) that ends the work after it has written is `uncertain`.
 */
export async function collectPending<T>(work: () => Promise<T>): Promise<{ readonly result: T } & Required<Pendable>> {
  const collected: Collected = { pending: [], hasWritten: false, outer: collecting.getStore() }
  try {
    const result = await collecting.run(collected, work)
    return { result, pending: collected.pending }
  } catch (error) {
    throw collected.hasWritten ? partly(error) : error
  }
}
