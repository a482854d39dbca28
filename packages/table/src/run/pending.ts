import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorCode, FreeholdError } from '../errors.ts'
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

const collecting = new AsyncLocalStorage<PendingJob[]>()

/** Tells whoever collects of jobs that are left, and gives them as a part of a write's result. */
export function notePending(jobs: readonly PendingJob[]): Pendable {
  if (jobs.length === 0) return {}
  collecting.getStore()?.push(...jobs)
  return { pending: jobs }
}

/** Does the work and tells what it leaves to durable jobs, whatever it gives back: a flow may write several times, and return something else. */
export async function collectPending<T>(work: () => Promise<T>): Promise<{ readonly result: T } & Required<Pendable>> {
  const outer = collecting.getStore()
  const pending: PendingJob[] = []
  try {
    const result = await collecting.run(pending, work)
    return { result, pending }
  } finally {
    outer?.push(...pending)
  }
}
