import { FreeholdError } from '@freehold/table'
import type { FlowContext } from '../flow-host.ts'

/** Only operators choose the id of such an item, as they import. Throws `Denied`. */
export function checkChosenId({ user, flow }: FlowContext, what: string, id: string | null | undefined): void {
  if (user === undefined || id === undefined || id === null) return
  const message = `Only operators choose the id of a ${what}: leave it out, and it is made.`
  throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly', attribute: 'id' })
}
