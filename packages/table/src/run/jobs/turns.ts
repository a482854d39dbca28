import type { Job } from './job.ts'

function grouped(jobs: readonly Job[], nameOf: (job: Job) => string): Job[][] {
  const groups = new Map<string, Job[]>()
  for (const job of jobs) {
    const group = groups.get(nameOf(job))
    if (group === undefined) groups.set(nameOf(job), [job])
    else group.push(job)
  }
  return [...groups.values()]
}

/** The first of each, then the second of each, and so on. */
function oneOfEach(groups: readonly Job[][]): Job[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat()
}

const subjectOf = ({ key }: Job) => key.PK
/** Whose turn a job takes: its tenant's, or its subject's where it has none. */
export const ownerOf = (job: Job) => (job.tenant === undefined ? `subject ${subjectOf(job)}` : `tenant ${job.tenant}`)

/** Since when a job has waited: from its lease's end, so that one that failed comes after those that were not tried since. */
const byWaiting = (one: Job, other: Job) => (one.leaseUntil < other.leaseUntil ? -1 : one.leaseUntil > other.leaseUntil ? 1 : 0)

/**
 * The order in which jobs are done: one of each tenant in turn, and of each tenant's one of each subject in turn, so that however many one has
 * recorded, the first of another waits for one of them. Among its own, what has waited longest comes first.
 */
export function inTurns(jobs: readonly Job[]): Job[] {
  const waiting = [...jobs].sort(byWaiting)
  return oneOfEach(grouped(waiting, ownerOf).map((of) => oneOfEach(grouped(of, subjectOf))))
}
