import { fromItem } from '../dynamo/attribute-value.ts'
import type { Item, QueryInput } from '../dynamo/operation.ts'
import type { KeyRange } from '../key/range.ts'
import type { Stored } from '../plan/stored.ts'
import { together } from './meter.ts'
import { textOf } from './read.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'

const pageItemsMax = 1000

function inputOf(runtime: Runtime, partition: string, { from, to }: KeyRange, limit: number, descending: boolean): QueryInput {
  return {
    TableName: runtime.table,
    KeyConditionExpression: '#p = :p AND #s BETWEEN :s0 AND :s1',
    ExpressionAttributeNames: { '#p': 'PK', '#s': 'SK' },
    ExpressionAttributeValues: { ':p': { S: partition }, ':s0': { S: from }, ':s1': { S: to } },
    ScanIndexForward: !descending,
    Limit: limit,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  }
}

/** DynamoDB pages of a range of one partition, each as it lies in the table; always consistent. */
export async function* collectionPages(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  limit = pageItemsMax,
): AsyncGenerator<Stored[], void, void> {
  let start: Item | undefined
  do {
    const input = inputOf(runtime, partition, range, limit, false)
    const output = await send(runtime, 'Query', start === undefined ? input : { ...input, ExclusiveStartKey: start })
    yield (output.Items ?? []).map((item) => fromItem(item))
    start = output.LastEvaluatedKey
  } while (start !== undefined)
}

async function firstPage(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  start: Item | undefined,
): Promise<{ items: Stored[]; next: Item | undefined }> {
  const input = inputOf(runtime, partition, range, pageItemsMax, false)
  const output = await send(runtime, 'Query', start === undefined ? input : { ...input, ExclusiveStartKey: start })
  return { items: (output.Items ?? []).map((item) => fromItem(item)), next: output.LastEvaluatedKey }
}

async function lastSortKey(runtime: Runtime, partition: string, range: KeyRange): Promise<string> {
  const output = await send(runtime, 'Query', inputOf(runtime, partition, range, 1, true))
  return textOf(output.Items?.[0]?.SK)
}

/**
 * A whole range of one partition, consistently. One round trip for each 1,000 items or 1 MB: a full page says that more follows even
 * where nothing does, so the last sort key is asked for side by side with the second page.
 */
export async function readCollection(runtime: Runtime, partition: string, range: KeyRange): Promise<readonly Stored[]> {
  const first = await firstPage(runtime, partition, range, undefined)
  if (first.next === undefined) return first.items
  const items = first.items
  let start: Item | undefined = first.next
  const [second, last] = await together(
    () => firstPage(runtime, partition, range, start),
    () => lastSortKey(runtime, partition, range),
  )
  items.push(...second.items)
  start = second.next
  while (start !== undefined && textOf(start.SK) !== last) {
    const page = await firstPage(runtime, partition, range, start)
    items.push(...page.items)
    start = page.next
  }
  return items
}
