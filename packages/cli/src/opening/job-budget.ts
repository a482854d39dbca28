import { type ConnectOptions, FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'

/**
 * The write units a second of durable jobs, from `FREEHOLD_JOB_WRITE_UNITS`. This is a variable and not an option, since any command that
 * opens a table may finish the jobs of others. Throws `InvalidInput` for anything but a number of at least 1.
 */
export function jobBudget({ env }: Pick<Shell, 'env'>): Pick<ConnectOptions, 'jobWriteUnits_per_s'> {
  const { FREEHOLD_JOB_WRITE_UNITS: text } = env
  if (text === undefined) return {}
  const units = Number(text)
  if (Number.isFinite(units) && units >= 1) return { jobWriteUnits_per_s: units }
  const message = `FREEHOLD_JOB_WRITE_UNITS is '${safeText(text)}': write the write units a second that jobs may use, a number of at least 1.`
  throw new FreeholdError('InvalidInput', message, { issues: [] })
}
