import { setTimeout } from 'node:timers/promises'
import { type ConnectedTable, isFreeholdError } from '@freehold/table'
import type { Tenancy } from './tenancy.js'

/** A job whose lease another worker holds is looked at again after so long. */
const pause_ms = 50

/**
 * Deletes a tenant and waits until no job is left. A call that waits for a bounded time only ends early: the job stays recorded, and is gone on with
 * until it is done.
 */
export async function deleteTenant({ remove }: Tenancy, table: ConnectedTable, id: string): Promise<void> {
  try {
    await remove(table, id)
  } catch (error) {
    if (!isFreeholdError(error) || error.category !== 'retryable') throw error
  }
  while ((await table.jobs.list({ limit: 1 })).length > 0) {
    const { done, failed } = await table.jobs.resume()
    const [first] = failed
    if (first !== undefined && first.error.category !== 'retryable') throw first.error
    if (done === 0) await setTimeout(pause_ms)
  }
}
