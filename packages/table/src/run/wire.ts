import { toItem } from '../dynamo/attribute-value.ts'
import { itemBytes, itemBytesMax } from '../dynamo/item-bytes.ts'
import type { TransactWrite } from '../dynamo/operation.ts'
import { FreeholdError } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import type { RenderedAction } from '../plan/render.ts'
import { writeIdName } from '../plan/stored.ts'

/** DynamoDB's limit of all items of one transaction. */
const transactionBytesMax = 4 * 1024 * 1024

interface Expressions {
  readonly TableName: string
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: ReturnType<typeof toItem>
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD'
}

/** The part of a request that all writes share. A failed condition returns its item, which saves a read. */
export function expressionsOf(table: string, { condition, names, values }: RenderedAction): Expressions {
  const all: { -readonly [N in keyof Expressions]: Expressions[N] } = { TableName: table }
  if (condition !== undefined) {
    all.ConditionExpression = condition
    all.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
  }
  if (Object.keys(names).length > 0) all.ExpressionAttributeNames = names
  if (Object.keys(values).length > 0) all.ExpressionAttributeValues = toItem(values)
  return all
}

export function transactWrite(table: string, rendered: RenderedAction): TransactWrite {
  const common = expressionsOf(table, rendered)
  const Key = toItem(rendered.key)
  switch (rendered.kind) {
    case 'put':
      return { Put: { Item: toItem(rendered.item ?? {}), ...common } }
    case 'update':
      return { Update: { Key, UpdateExpression: rendered.update ?? '', ...common } }
    case 'delete':
      return { Delete: { Key, ...common } }
    case 'check':
      return { ConditionCheck: { Key, ConditionExpression: rendered.condition ?? '', ...common } }
  }
}

/** The bytes that a first stamp adds to an item: its name and 16 random bytes as base64url. */
const stampBytes = writeIdName.length + 22

/**
 * Refuses items and transactions that DynamoDB would refuse as too large (spec rule 2). An update is measured by the whole item, if that is
 * known.
 */
export function checkSizes(actions: readonly Action[]): void {
  let total = 0
  for (const action of actions) {
    if (action.kind !== 'put' && action.kind !== 'update') continue
    const item = action.kind === 'put' ? action.item : (action.whole ?? action.set)
    const bytes = itemBytes(item) + (item[writeIdName] === undefined ? stampBytes : 0)
    total += bytes
    if (bytes > itemBytesMax) {
      throw new FreeholdError('TooLarge', `This ${action.origin.entity} has ${bytes} bytes; an item has at most ${itemBytesMax}.`, {
        entity: action.origin.entity,
        bytes,
      })
    }
  }
  if (total > transactionBytesMax)
    throw new FreeholdError('TooLarge', `This write has ${total} bytes; a transaction has at most ${transactionBytesMax}.`, {
      bytes: total,
    })
}
