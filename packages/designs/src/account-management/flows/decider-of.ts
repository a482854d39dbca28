import { FreeholdError, type Runtime } from '@freehold/table'
import type { Decider } from '../../decision/decision.ts'

/** The decisions over a table: one decider for each connection to it. */
export function deciderOf(_runtime: Runtime): Decider {
  throw new FreeholdError('Unavailable', 'There are no decisions of account-management yet.')
}
