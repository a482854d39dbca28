import { FreeholdError } from '../errors.ts'
import type { Runtime } from './runtime.ts'

/** Returns the runtime if it is an operator's. Throws `Denied` for a tenant's: only operators work on the whole table (spec rule 22). */
export function forOperators(runtime: Runtime, what: string): Runtime {
  if (runtime.tenantScope === undefined) return runtime
  throw new FreeholdError('Denied', `${what} are not for a tenant: they work on the whole table.`, { reason: 'AnotherTenant' })
}
