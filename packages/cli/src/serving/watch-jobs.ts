import { setTimeout } from 'node:timers/promises'
import type { Say } from '@freehold/service'
import type { Resumed, Resuming } from '@freehold/table'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'

const pause_ms_min = 100
/** The number of jobs after which it looks again, so that newly recorded jobs get their turn. */
const jobs_max = 100

export interface WatchingJobs {
  /** How often it looks for jobs that a process has left behind. */
  readonly interval_ms: number
  /** Done each time it looks. */
  readonly alongside?: () => Promise<void>
}

/**
 * Finishes jobs that crashed processes have left behind, now and from time to time (spec rule 12): free jobs at once, and jobs of processes
 * that may have died after their lease.
 * @returns a function that ends the watch
 */
export function watchJobs(
  jobs: { resume(resuming: Resuming): Promise<Resumed> },
  log: Say,
  { interval_ms, alongside = async () => {} }: WatchingJobs,
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  /** A job that fails each time is logged once, and so is an item that is none. */
  const told = new Set<string>()
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      let pause_ms = interval_ms
      try {
        await alongside()
        const { done, held, failed, malformed = [], hasMore = false } = await jobs.resume({ jobs_max })
        if (done > 0) log(`Finished ${counted(done, 'job')} of an earlier process.`)
        for (const { job, error } of failed) {
          if (!told.has(job.id)) log(safeText(`The job ${job.id} failed and is tried again: ${error.message} (${error.code})`), 'error')
          told.add(job.id)
        }
        for (const { reason } of malformed) {
          if (!told.has(reason)) log(safeText(reason), 'error')
          told.add(reason)
        }
        const next_ms = held.reduce((least_ms, { leaseUntil }) => Math.min(least_ms, Date.parse(leaseUntil) - Date.now()), interval_ms)
        pause_ms = hasMore ? pause_ms_min : Math.max(pause_ms_min, next_ms)
      } catch {
        // The table does not answer. Requests report that, too, so the next look follows as usual.
      }
      await setTimeout(pause_ms, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  void watch()
  return () => ending.abort()
}
