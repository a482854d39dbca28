import type { ConnectOptions } from '@freehold/table'
import type { Shell } from '../shell.ts'

/** The write units a second of durable jobs. Any command that opens a table may finish the jobs of others. */
export function jobBudget({ settings: { jobWriteUnits } }: Pick<Shell, 'settings'>): Pick<ConnectOptions, 'jobWriteUnits_per_s'> {
  return jobWriteUnits === undefined ? {} : { jobWriteUnits_per_s: jobWriteUnits }
}
