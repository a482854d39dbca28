import { invalidInput } from '@freehold/table/runtime'
import type { KeyLimits } from './purpose.ts'

/** More than an application runs. The list is cached with its key. */
const flows_max = 100

interface Limits extends KeyLimits {
  /** The end of the key of its maker. */
  readonly until?: string | undefined
}

/** An input of a key that does not fit. */
export const refused = (name: string, message: string) => invalidInput('The API key', [{ path: [name], message }])

/** Checks that the limits of a new key mean something. Throws `InvalidInput`. */
export function checkLimits({ purpose = 'operator', designs, tenant, flows, expiresAt, until }: Limits, now: Date): void {
  if (designs?.length === 0) throw refused('designs', 'names no design')
  if (purpose === 'tenant' && tenant === undefined) throw refused('tenant', 'is missing: a key with the purpose tenant names one')
  const isOfOneDesign = purpose === 'tenant' || purpose === 'application'
  if (!isOfOneDesign && tenant !== undefined) throw refused('tenant', 'is only for the purposes tenant and application')
  if (tenant?.trim() === '') throw refused('tenant', 'is blank')
  // Another design may have a tenant of the same id, and a flow of the same name.
  if (isOfOneDesign && designs?.length !== 1) throw refused('designs', `names the one design of the ${purpose}`)
  if (purpose !== 'application' && flows !== undefined) throw refused('flows', 'is only for the purpose application')
  if (flows !== undefined && !(flows.length >= 1 && flows.length <= flows_max))
    throw refused('flows', `is not a list of 1 to ${flows_max} flows`)
  if (expiresAt !== undefined && !(Date.parse(expiresAt) > now.getTime())) throw refused('expiresAt', 'is no instant to come')
  if (until !== undefined && !(expiresAt !== undefined && Date.parse(expiresAt) <= Date.parse(until)))
    throw refused('expiresAt', `is after ${until}, when the key of the caller expires`)
}
