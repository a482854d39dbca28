import { fromItem, toItem } from '../dynamo/attribute-value.ts'
import type { Item, ScanInput } from '../dynamo/operation.ts'
import type { Entity } from '../design/entity.ts'
import type { Stored } from '../plan/stored.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'

const pageItemsMax = 1000

/**
 * Every item of these entities as it lies in the table, page by page, in no order; always consistent. It reads the whole table, whatever it
 * returns: for `export` and other tools of an operator, never for an access pattern (spec rule 14).
 */
export async function* scanItems(runtime: Runtime, entities: readonly Entity[]): AsyncGenerator<Stored[], void, void> {
  const values = Object.fromEntries(entities.map(({ name }, index) => [`:v${index}`, name]))
  const input: ScanInput = {
    TableName: runtime.table,
    FilterExpression: `#n0 IN (${Object.keys(values).join(', ')})`,
    ExpressionAttributeNames: { '#n0': 'Type' },
    ExpressionAttributeValues: toItem(values),
    ConsistentRead: true,
    Limit: pageItemsMax,
    ReturnConsumedCapacity: 'TOTAL',
  }
  let start: Item | undefined
  do {
    const output = await send(runtime, 'Scan', start === undefined ? input : { ...input, ExclusiveStartKey: start })
    const items = (output.Items ?? []).map((item) => fromItem(item))
    if (items.length > 0) yield items
    start = output.LastEvaluatedKey
  } while (start !== undefined)
}
