import { FreeholdError } from '@freehold/table'
import type { AccountContext } from './account-host.ts'

/** Only operators choose the id of a user or role, as they import. Throws `Denied`. */
export function checkChosenId({ user, flow }: AccountContext, what: 'user' | 'role', id: string | undefined): void {
  if (user === undefined || id === undefined) return
  const message = `Only operators choose the id of a ${what}: leave it out, and it is made.`
  throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly', attribute: 'id' })
}
