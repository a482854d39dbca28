import { type ConnectOptions, FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'

/**
 * What durable jobs may write a second, by `FREEHOLD_JOB_WRITE_UNITS`. A variable and no option, since whichever command opens a table may finish
 * the jobs of others. Throws `InvalidInput` for what is no number from 1 on.
 */
export function jobBudget({ env }: Pick<Shell, 'env'>): Pick<ConnectOptions, 'jobWriteUnits_per_s'> {
  const { FREEHOLD_JOB_WRITE_UNITS: text } = env
  if (text === undefined) return {}
  const units = Number(text)
  if (Number.isFinite(units) && units >= 1) return { jobWriteUnits_per_s: units }
  const message = `FREEHOLD_JOB_WRITE_UNITS is '${safeText(text)}': write how many write units a second jobs may take, a number from 1 on.`
  throw new FreeholdError('InvalidInput', message, { issues: [] })
}
