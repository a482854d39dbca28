import { type AttributeValue, fromItem } from '../dynamo/attribute-value.ts'
import type { Item, QueryInput } from '../dynamo/operation.ts'
import type { KeyRange } from '../key/range.ts'
import type { Stored } from '../plan/stored.ts'
import { parallel } from './meter.ts'
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

/** DynamoDB's pages of a range of one partition, as stored. Reads are consistent. */
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

/** Options for reading a range. */
export interface RangeReading {
  /** Values that the items must have. Other items are read, and paid for, but not returned. */
  readonly equal?: Readonly<Record<string, string>> | undefined
}

/** Adds the filter. Its placeholders are numbered, since the embedded engine aborts on attribute names in them. */
function filtered(input: QueryInput, { equal }: RangeReading): QueryInput {
  if (equal === undefined) return input
  const names: Record<string, string> = { ...input.ExpressionAttributeNames }
  const values: Record<string, AttributeValue> = { ...input.ExpressionAttributeValues }
  const filters = Object.entries(equal).map(([name, value], index) => {
    names[`#f${index}`] = name
    values[`:f${index}`] = { S: value }
    return `#f${index} = :f${index}`
  })
  if (filters.length === 0) return input
  return { ...input, FilterExpression: filters.join(' AND '), ExpressionAttributeNames: names, ExpressionAttributeValues: values }
}

/** Reads at most `limit` items of a range after the sort key `after`, in one consistent request. `isLast`: no item follows. */
export async function readRange(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly items: readonly Stored[]; readonly isLast: boolean }> {
  const input = inputOf(runtime, partition, range, limit, false)
  const start = after === undefined ? {} : { ExclusiveStartKey: { PK: { S: partition }, SK: { S: after } } }
  const output = await send(runtime, 'Query', { ...input, ...start })
  return { items: (output.Items ?? []).map((item) => fromItem(item)), isLast: output.LastEvaluatedKey === undefined }
}

async function pageFrom(
  runtime: Runtime,
  input: QueryInput,
  start: Item | undefined,
): Promise<{ items: Stored[]; next: Item | undefined }> {
  const output = await send(runtime, 'Query', start === undefined ? input : { ...input, ExclusiveStartKey: start })
  return { items: (output.Items ?? []).map((item) => fromItem(item)), next: output.LastEvaluatedKey }
}

async function lastSortKey(runtime: Runtime, partition: string, range: KeyRange): Promise<string> {
  const output = await send(runtime, 'Query', inputOf(runtime, partition, range, 1, true))
  return textOf(output.Items?.[0]?.SK)
}

/**
 * Reads a whole range of one partition consistently, in one round trip for each 1,000 items or 1 MB. A full page says that more follows
 * even if nothing does, so the last sort key is read in parallel with the second page.
 */
export async function readCollection(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  reading: RangeReading = {},
): Promise<readonly Stored[]> {
  const input = filtered(inputOf(runtime, partition, range, pageItemsMax, false), reading)
  const first = await pageFrom(runtime, input, undefined)
  if (first.next === undefined) return first.items
  const items = first.items
  let start: Item | undefined = first.next
  const [second, last] = await parallel(
    () => pageFrom(runtime, input, start),
    () => lastSortKey(runtime, partition, range),
  )
  items.push(...second.items)
  start = second.next
  while (start !== undefined && textOf(start.SK) !== last) {
    const page = await pageFrom(runtime, input, start)
    items.push(...page.items)
    start = page.next
  }
  return items
}
