import { setTimeout } from 'node:timers/promises'
import type { Resumed, Resuming } from '@freehold/table'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'

/** How often a server looks for jobs that some process left behind. */
const interval_ms = 30_000
const pause_ms_min = 100
/** Jobs that are done before it looks again: what was recorded meanwhile takes its turn, too. */
const jobs_max = 100

/**
 * Finishes what crashed processes left behind, now and from time to time (spec rule 12): at once what nobody holds, and after its lease what
 * is held by a process that may have died. @returns what ends it
 */
export function watchJobs(jobs: { resume(resuming: Resuming): Promise<Resumed> }, log: (sentence: string) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  /** Jobs that fail each time are told of once. */
  const told = new Set<string>()
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      let pause_ms = interval_ms
      try {
        const { done, held, failed, hasMore = false } = await jobs.resume({ jobs_max })
        if (done > 0) log(`Finished ${counted(done, 'job')} that an earlier process left behind.`)
        for (const { job, error } of failed) {
          if (!told.has(job.id)) log(safeText(`The job ${job.id} failed and is tried again: ${error.message} (${error.code})`))
          told.add(job.id)
        }
        const next_ms = held.reduce((least_ms, { leaseUntil }) => Math.min(least_ms, Date.parse(leaseUntil) - Date.now()), interval_ms)
        pause_ms = hasMore ? pause_ms_min : Math.max(pause_ms_min, next_ms)
      } catch {
        // The table does not answer, which requests say too: the next look comes.
      }
      await setTimeout(pause_ms, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  void watch()
  return () => ending.abort()
}
