import type { Asking } from '../decision/decision.ts'
import { deciderOf } from '../flow/flow-host.ts'
import { decideRebac } from './decide.ts'
import type { RebacTable } from './rebac-table.ts'

/**
 * May this user open this page at this location? The question by the document's name: `can`, without the reason of a no. It remembers definitions and names
 * between calls, for each connection to a table.
 * @param user an id, or an e-mail address in any spelling
 * @param location an id, or a code in any spelling
 */
export async function canUserAccessPage(table: RebacTable, user: string, location: string, page: string, how?: Asking): Promise<boolean> {
  const decider = deciderOf({ decide: decideRebac }, table.runtime)
  return (await decider.can({ user, location, page }, how)).allowed
}
