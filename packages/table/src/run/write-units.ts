import { itemBytes } from '../dynamo/item-bytes.ts'
import type { Action } from '../plan/action.ts'

/** DynamoDB counts a write by each KB that is begun. */
const unitBytes = 1024

function unitsOfAction(action: Action): number {
  const item = action.kind === 'put' ? action.item : action.kind === 'update' ? (action.whole ?? action.set) : {}
  return Math.max(1, Math.ceil(itemBytes(item) / unitBytes))
}

/** About the write units of these actions, sent together: twice the units in a transaction. */
export function writeUnits(actions: readonly Action[]): number {
  const units = actions.reduce((sum, action) => sum + unitsOfAction(action), 0)
  return actions.length > 1 ? 2 * units : units
}
