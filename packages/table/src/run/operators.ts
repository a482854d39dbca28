import { FreeholdError } from '../errors.ts'
import type { Runtime } from './runtime.ts'

/** The runtime, where it is an operator's: what works on a whole table is nothing for one tenant (spec rule 22). Throws `Denied`. */
export function forOperators(runtime: Runtime, what: string): Runtime {
  if (runtime.tenantScope === undefined) return runtime
  throw new FreeholdError('Denied', `${what} are not for a tenant: they work on the whole table.`, { reason: 'AnotherTenant' })
}
