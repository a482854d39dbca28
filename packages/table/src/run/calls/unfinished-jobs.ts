import { jobKey } from '../jobs/job.ts'
import type { PendingJob } from '../pending.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'

/** Those of the jobs of a recorded call that are not finished. */
export async function unfinishedJobs(runtime: Runtime, jobs: readonly PendingJob[]): Promise<readonly PendingJob[]> {
  const unfinished: PendingJob[] = []
  for (const each of jobs) if ((await readItem(runtime, jobKey(each.job), { consistent: true })) !== undefined) unfinished.push(each)
  return unfinished
}
