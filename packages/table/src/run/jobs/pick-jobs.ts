import { jobsPartition } from '../../design/design.ts'
import { prefixRange } from '../../key/range.ts'
import type { Stored } from '../../plan/stored.ts'
import { readRange } from '../collection.ts'
import type { Runtime } from '../runtime.ts'
import { type Job, readJob } from './job.ts'
import { inTurns } from './turns.ts'

/** Records that one request reads at most. */
const pageJobs_max = 1000

function keyAfter(items: readonly Stored[]): string | undefined {
  const last = items.at(-1)?.SK
  return last === undefined ? undefined : String(last)
}

/** The records, oldest first, page by page: at most `limit` of them, from after the job `after`. Consistent. */
async function* recordPages(runtime: Runtime, limit: number, after?: string): AsyncGenerator<{ jobs: Job[]; isLast: boolean }, void, void> {
  let from = after === undefined ? undefined : `JOB#${after}`
  for (let left = limit; left > 0; ) {
    const { items, isLast } = await readRange(runtime, jobsPartition, prefixRange('JOB#'), {
      limit: Math.min(pageJobs_max, left),
      after: from,
    })
    yield { jobs: items.map(readJob), isLast }
    if (isLast) return
    from = keyAfter(items)
    left -= items.length
  }
}

/** Which of the recorded jobs are listed. */
export interface Listing {
  /** 1,000 unless given. */
  readonly limit?: number
  /** The id of the last one of the list before. */
  readonly after?: string | undefined
}

/** The jobs that are recorded, oldest first: under way, or left behind by a worker that is gone. As many as `limit` where more follow. */
export async function listJobs(runtime: Runtime, { limit = pageJobs_max, after }: Listing = {}): Promise<readonly Job[]> {
  const all: Job[] = []
  for await (const { jobs } of recordPages(runtime, limit, after)) all.push(...jobs)
  return all
}

export interface Picking {
  readonly jobs_max: number
  /** Requests that may be made to look for them. */
  readonly pages_max: number
  /** Ids of jobs that are not taken. */
  readonly except: ReadonlySet<string>
  /** Jobs that were recorded later are left alone. */
  readonly latest_ms: number
}

/** Jobs without what they were started with, which may be large: it is read with the job when that is done. */
export interface Picked {
  /** Those that nobody holds, in the order in which they are to be done. */
  readonly jobs: readonly Job[]
  /** Those that another worker holds. */
  readonly held: readonly Job[]
  /** There are more that nobody holds, or records that were not looked at. */
  readonly isCut: boolean
}

/**
 * Looks through the records for jobs that nobody holds, and picks those whose turn it is. What is kept of one page competes with the next, so that
 * this takes no more memory than one page and what it picks, however many jobs are recorded.
 */
export async function pickJobs(runtime: Runtime, { jobs_max, pages_max, except, latest_ms }: Picking): Promise<Picked> {
  let picked: Job[] = []
  let isCut = false
  const held: Job[] = []
  let pages = 0
  for await (const { jobs, isLast } of recordPages(runtime, Number.POSITIVE_INFINITY)) {
    const now = runtime.now().toISOString()
    for (const { input: _, ...job } of jobs) {
      if (except.has(job.id)) continue
      if (job.leaseUntil > now) {
        // What this worker holds is under way here, or has just failed here: nobody need watch for the end of its lease.
        if (job.holder !== runtime.worker) held.push(job)
      } else if (!(Date.parse(job.createdAt) > latest_ms)) picked.push(job)
    }
    picked = inTurns(picked)
    if (picked.length > jobs_max) {
      picked = picked.slice(0, jobs_max)
      isCut = true
    }
    if (++pages >= pages_max && !isLast) {
      isCut = true
      break
    }
  }
  return { jobs: picked, held, isCut }
}
