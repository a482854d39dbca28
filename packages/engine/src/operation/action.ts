import { conditionFailed, invalid, invalidValues } from '../errors.ts'
import { Bindings, type ExpressionInput } from '../expression/bindings.ts'
import { type Condition, conditionOf, meets } from '../expression/condition.ts'
import { type Update, updated, updateOf } from '../expression/update.ts'
import type { StoredItem } from '../table/rows.ts'
import { checkIndexKeys, keyOf, keyOfKey, type Table } from '../table/table.ts'
import type { Item } from '../value/attribute-value.ts'
import { checkedItem } from '../value/checked-value.ts'
import { itemBytes } from '../value/item-size.ts'

/** A change or check of one item, as single writes, batches and transactions have it. */
export interface Action {
  readonly kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  /** The item to put, or the key of another action. */
  readonly item: Item
  /** The size of the item to put. */
  readonly bytes: number
  readonly condition?: Condition | undefined
  readonly update?: Update | undefined
  /** True if a failed condition gives the item. */
  readonly showsItem?: boolean
}

export interface ActionInput extends ExpressionInput {
  readonly TableName: string
  readonly ConditionExpression?: string
  readonly UpdateExpression?: string
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

/** "The maximum item size in DynamoDB is 400 KB" (Developer Guide, "Quotas in Amazon DynamoDB"). */
const item_bytes_max = 400 * 1024

/**
 * @param given the item to put, or the key
 * @throws ServiceError for a request that DynamoDB refuses whatever the table
 */
export function actionOf(kind: Action['kind'], given: unknown, input: ActionInput): Action {
  const { ConditionExpression, UpdateExpression } = input
  const item = checkedItem(given)
  const bytes = kind === 'Put' ? itemBytes(item) : 0
  checkSize(bytes, 'Item size has exceeded the maximum allowed size')
  const bindings = new Bindings(input, kind === 'Update' ? { UpdateExpression, ConditionExpression } : { ConditionExpression })
  const update = UpdateExpression === undefined ? undefined : updateOf(bindings, UpdateExpression)
  const condition = ConditionExpression === undefined ? undefined : conditionOf(bindings, 'ConditionExpression', ConditionExpression)
  bindings.finish()
  return { kind, item, bytes, update, condition, showsItem: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' }
}

/** Where the action's item lies. @throws ServiceError for what does not fit the table */
export function placeOf(table: Table, { kind, item, update }: Action): string {
  if (kind !== 'Put') {
    const key = update?.paths.find(([name]) => table.keyNames.includes(String(name)))
    if (key !== undefined) throw invalidValues(`Cannot update attribute ${key[0]}. This attribute is part of the key`)
    return keyOfKey(table, item)
  }
  const place = keyOf(table, item)
  checkIndexKeys(table, item)
  return place
}

/**
 * What the action leaves of the item that is there. It writes nothing.
 * @throws ServiceError `ConditionalCheckFailedException`, or `ValidationException` for an update that the item has no place for
 */
export function outcomeOf(table: Table, action: Action, before: StoredItem | undefined): StoredItem | undefined {
  const { kind, item, condition, update, showsItem = false } = action
  if (condition !== undefined && !meets(condition, before?.[1])) throw conditionFailed(showsItem ? before?.[1] : undefined)
  if (kind === 'ConditionCheck') return before
  if (kind === 'Delete') return undefined
  if (kind === 'Put') return [action.bytes, item]
  const next = update === undefined ? (before?.[1] ?? item) : updated(before?.[1] ?? item, update)
  const after = sorted(next)
  const bytes = itemBytes(after)
  checkSize(bytes, 'Item size to update has exceeded the maximum allowed size')
  checkIndexKeys(table, after)
  return [bytes, after]
}

function checkSize(bytes: number, message: string): void {
  if (bytes > item_bytes_max) throw invalid(message)
}

/** The order of `checkedItem`. */
function sorted(item: Item): Item {
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
}
