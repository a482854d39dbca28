import type { AttributeValue } from '../dynamo/attribute-value.ts'
import type { Item, PageOutput, QueryInput } from '../dynamo/operation.ts'
import type { KeyRange } from '../key/range.ts'
import type { Stored } from '../plan/stored.ts'
import { isDropped } from '../plan/understood.ts'
import { withDeadline } from './deadline.ts'
import { parallel } from './meter.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'
import { received } from './stored-from.ts'
import { textOf } from './text-of.ts'

const pageItemsMax = 1000

/**
 * A query of a range. Its filter is by numbered placeholders, since the embedded engine aborts on attribute names in them. A range from the first key of
 * the partition has one end: DynamoDB refuses an empty value of a key attribute in a condition, too.
 */
function inputOf(
  runtime: Runtime,
  partition: string,
  { from, to }: KeyRange,
  { limit, descending = false, equal }: RangeReading & { readonly limit: number; readonly descending?: boolean },
): QueryInput {
  const names: Record<string, string> = { '#p': 'PK', '#s': 'SK' }
  const values: Record<string, AttributeValue> = { ':p': { S: partition }, ':s1': { S: to } }
  if (from !== '') values[':s0'] = { S: from }
  const filters: string[] = []
  for (const name in equal) {
    names[`#f${filters.length}`] = name
    values[`:f${filters.length}`] = { S: equal[name] ?? '' }
    filters.push(`#f${filters.length} = :f${filters.length}`)
  }
  return {
    TableName: runtime.table,
    KeyConditionExpression: from === '' ? '#p = :p AND #s <= :s1' : '#p = :p AND #s BETWEEN :s0 AND :s1',
    // JSON leaves out what is undefined.
    FilterExpression: filters.length === 0 ? undefined : filters.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: !descending,
    Limit: limit,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  }
}

/** Options for reading a range. */
export interface RangeReading {
  /** Values that the items must have. Other items are read, and paid for, but not returned. */
  readonly equal?: Readonly<Record<string, string>> | undefined
}

interface RangePage {
  readonly items: Stored[]
  readonly next: Item | undefined
}

/** Items of entities that were dropped count as gone. */
function pageOf(runtime: Runtime, { Items = [], LastEvaluatedKey: next }: PageOutput): RangePage {
  const items = Items.map((item) => received(runtime, item))
  const { design } = runtime
  return { items: design.form.dropped.size === 0 ? items : items.filter((item) => !isDropped(design.form, item)), next }
}

function pageFrom(runtime: Runtime, input: QueryInput, start: Item | undefined): Promise<RangePage> {
  const asked = start === undefined ? input : { ...input, ExclusiveStartKey: start }
  const bounded = runtime.reads === undefined ? runtime : withDeadline(runtime)
  const page = () => send(bounded, 'Query', asked)
  return (runtime.reads === undefined ? page() : runtime.reads.page(asked, page, bounded)).then((output) => pageOf(runtime, output))
}

/** DynamoDB's pages of a range of one partition, as stored. Reads are consistent. */
export async function* collectionPages(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  limit = pageItemsMax,
): AsyncGenerator<Stored[], void, void> {
  const input = inputOf(runtime, partition, range, { limit })
  let start: Item | undefined
  do {
    const { items, next } = await pageFrom(runtime, input, start)
    yield items
    start = next
  } while (start !== undefined)
}

/** Reads at most `limit` items of a range after the sort key `after`, in one consistent request. `isLast`: no item follows. */
export async function readRange(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly items: readonly Stored[]; readonly isLast: boolean }> {
  const start = after === undefined ? undefined : { PK: { S: partition }, SK: { S: after } }
  const { items, next } = await pageFrom(runtime, inputOf(runtime, partition, range, { limit }), start)
  return { items, isLast: next === undefined }
}

/**
 * Reads a whole range of one partition consistently, in one round trip for each 1,000 items or 1 MB. A full page says that more follows
 * even if nothing does, so the last sort key is read in parallel with the second page.
 */
export function readCollection(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  reading: RangeReading = {},
): Promise<readonly Stored[]> {
  const input = inputOf(runtime, partition, range, { equal: reading.equal, limit: pageItemsMax })
  // Most ranges have one page, which takes no promise more.
  return pageFrom(runtime, input, undefined).then(({ items, next }) =>
    next === undefined ? items : readOn(runtime, input, inputOf(runtime, partition, range, { limit: 1, descending: true }), items, next),
  )
}

/** The first items with those from `start` on. `backwards` finds the last sort key. */
async function readOn(
  runtime: Runtime,
  input: QueryInput,
  backwards: QueryInput,
  items: Stored[],
  start: Item,
): Promise<readonly Stored[]> {
  const [second, last] = await parallel(
    () => pageFrom(runtime, input, start),
    // The last item may be one that is left out, so nothing but its key is read.
    () => send(runtime, 'Query', backwards).then(({ Items: [item] = [] }) => textOf(item?.SK)),
  )
  items.push(...second.items)
  for (let next = second.next; next !== undefined && textOf(next.SK) !== last; ) {
    const page = await pageFrom(runtime, input, next)
    items.push(...page.items)
    next = page.next
  }
  return items
}
