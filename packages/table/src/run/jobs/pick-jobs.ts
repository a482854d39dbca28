import { jobsPartition } from '../../design/design.ts'
import { prefixRange } from '../../key/range.ts'
import type { Stored } from '../../plan/stored.ts'
import { readRange } from '../collection.ts'
import type { Malformed } from '../query.ts'
import { removalCommand } from '../removal-command.ts'
import type { Runtime } from '../runtime.ts'
import { type Job, jobIn } from './job.ts'
import { inTurns } from './turns.ts'

/** The largest number of records that one request reads. */
const pageJobs_max = 1000

function keyAfter(items: readonly Stored[]): string | undefined {
  const last = items.at(-1)?.SK
  return last === undefined ? undefined : String(last)
}

interface RecordPage {
  readonly jobs: readonly Job[]
  /** Items in the place of jobs that are none: another program put them there, or they are damaged. They stop no job. */
  readonly malformed: readonly Malformed[]
  readonly isLast: boolean
}

function recordsOf(runtime: Runtime, items: readonly Stored[]): Pick<RecordPage, 'jobs' | 'malformed'> {
  const jobs: Job[] = []
  const malformed: Malformed[] = []
  for (const item of items) {
    const job = jobIn(item)
    const key = { PK: String(item.PK), SK: String(item.SK) }
    if (job !== undefined) jobs.push(job)
    else
      malformed.push({
        key,
        reason: `The item '${key.PK}' / '${key.SK}' is not a job, and is passed by. Remove it: ${removalCommand(runtime, key)}.`,
      })
  }
  return { jobs, malformed }
}

/** The records after the job `after`, the oldest first, until `limit` jobs were found, page by page. Reads are consistent. */
async function* recordPages(runtime: Runtime, limit: number, after?: string): AsyncGenerator<RecordPage, void, void> {
  let from = after === undefined ? undefined : `JOB#${after}`
  for (let left = limit; left > 0; ) {
    const { items, isLast } = await readRange(runtime, jobsPartition, prefixRange('JOB#'), {
      limit: Math.min(pageJobs_max, left),
      after: from,
    })
    const { jobs, malformed } = recordsOf(runtime, items)
    yield { jobs, malformed, isLast }
    if (isLast) return
    from = keyAfter(items)
    left -= jobs.length
  }
}

/** Options for listing jobs. */
export interface Listing {
  /** 1,000 by default. */
  readonly limit?: number
  /** The id of the last job of the previous list. */
  readonly after?: string | undefined
  /** Told of each item in the place of a job that is none. */
  onMalformed?(malformed: Malformed): void
}

/** The recorded jobs, the oldest first: running, or left behind by a crashed worker. If there are `limit` of them, more may follow. */
export async function listJobs(runtime: Runtime, { limit = pageJobs_max, after, onMalformed }: Listing = {}): Promise<readonly Job[]> {
  const all: Job[] = []
  for await (const { jobs, malformed } of recordPages(runtime, limit, after)) {
    all.push(...jobs)
    for (const each of malformed) onMalformed?.(each)
  }
  return all
}

export interface Picking {
  readonly jobs_max: number
  /** The largest number of requests for finding jobs. */
  readonly pages_max: number
  /** Ids of jobs that are skipped. */
  readonly except: ReadonlySet<string>
  /** Jobs that were recorded later are skipped. */
  readonly latest_ms: number
}

/** Picked jobs, without their inputs, which may be large. An input is read when its job is done. */
export interface Picked {
  /** Free jobs, in the order in which they are to be done. */
  readonly jobs: readonly Job[]
  /** Jobs that another worker holds. */
  readonly held: readonly Job[]
  readonly malformed: readonly Malformed[]
  /** There are more free jobs, or records that were not read. */
  readonly isCut: boolean
}

/**
 * Searches the records for free jobs and picks those whose turn it is. Jobs kept from one page compete with the next page, so the memory is
 * bounded by one page and the picked jobs, however many jobs are recorded.
 */
export async function pickJobs(runtime: Runtime, { jobs_max, pages_max, except, latest_ms }: Picking): Promise<Picked> {
  let picked: Job[] = []
  let isCut = false
  const held: Job[] = []
  const malformed: Malformed[] = []
  let pages = 0
  for await (const { jobs, malformed: others, isLast } of recordPages(runtime, Number.POSITIVE_INFINITY)) {
    malformed.push(...others)
    const now = runtime.now().toISOString()
    for (const { input: _, ...job } of jobs) {
      if (except.has(job.id)) continue
      if (job.leaseUntil > now) {
        // A job that this worker holds is running here, or has just failed here, so no one waits for the end of its lease.
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
  return { jobs: picked, held, malformed, isCut }
}
