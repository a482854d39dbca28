import type { Entity } from '../../design/form.ts'
import { FreeholdError } from '../../errors.ts'
import type { TableKey } from '../../plan/keys.ts'
import { consistent, readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { jobKey, lease_ms, readJob } from './job.ts'
import { isDoneElsewhere, takeOver } from './jobs.ts'

/** Finishes the removal of an item that is being removed, for a job that goes on after it. Throws `Busy` while another worker is at it. */
export async function finishRemoval(runtime: Runtime, { name }: Entity, key: TableKey): Promise<void> {
  const deleting = (await readItem(runtime, key, consistent))?.deleting
  if (typeof deleting !== 'string') return
  const record = await readItem(runtime, jobKey(deleting), consistent)
  const job = record && readJob(record)
  if (job !== undefined && job.leaseUntil <= runtime.now().toISOString()) await takeOver(runtime, job)
  // The job that waits has a lease of its own.
  else if (job !== undefined) await isDoneElsewhere(runtime, job, runtime.monotonic_ms() + lease_ms / 2)
  if ((await readItem(runtime, key, consistent))?.deleting === undefined) return
  throw new FreeholdError('Busy', `Another process is removing this ${name}. This goes on once it is gone.`, { entity: name })
}
