import { grouped } from '../../grouped.ts'
import type { Job } from './job.ts'

/** The first job of each group, then the second of each, and so on. */
function oneOfEach(groups: readonly Job[][]): Job[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat()
}

const subjectOf = ({ key }: Job) => key.PK
/** The owner whose turn a job takes: its tenant, or its subject if it has no tenant. */
export const ownerOf = (job: Job) => (job.tenant === undefined ? `subject ${subjectOf(job)}` : `tenant ${job.tenant}`)

/** Orders jobs by the end of their leases, so that a failed job comes after jobs that were not tried since. */
const byWaiting = (one: Job, other: Job) => (one.leaseUntil < other.leaseUntil ? -1 : one.leaseUntil > other.leaseUntil ? 1 : 0)

/**
 * Orders jobs fairly: one of each tenant in turn, and within a tenant one of each subject in turn. So the first job of a tenant waits for
 * only one of each other tenant, however many these have. Within a subject the job that has waited longest comes first.
 */
export function inTurns(jobs: readonly Job[]): Job[] {
  const waiting = [...jobs].sort(byWaiting)
  const groups = (some: readonly Job[], nameOf: (job: Job) => string) => [...grouped(some, nameOf).values()]
  return oneOfEach(groups(waiting, ownerOf).map((of) => oneOfEach(groups(of, subjectOf))))
}
