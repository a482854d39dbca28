import type { Entity } from '../design/form.ts'
import { toItem } from '../dynamo/attribute-value.ts'
import type { Item, ScanInput } from '../dynamo/operation.ts'
import type { Stored } from '../plan/stored.ts'
import { forOperators } from './operators.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'
import { received } from './stored-from.ts'

const pageItemsMax = 1000

/** The filter of a scan: items of these entities, or no filter. */
function filterOf(entities: readonly Entity[] | undefined): Partial<ScanInput> {
  if (entities === undefined) return {}
  const values = Object.fromEntries(entities.map(({ name }, index) => [`:v${index}`, name]))
  return {
    // An item without a Type is known by its keys, once it is read.
    FilterExpression: `#n0 IN (${Object.keys(values).join(', ')}) OR NOT attribute_type(#n0, :s)`,
    ExpressionAttributeNames: { '#n0': 'Type' },
    ExpressionAttributeValues: toItem({ ...values, ':s': 'S' }),
  }
}

/** One page of a scan, as it is understood; `next`: where the next one begins. */
export interface ScannedPage {
  readonly items: readonly Stored[]
  readonly next?: Item | undefined
}

/**
 * Reads a page of the whole table, consistently and in no order. It is for tools of an operator, never for an access pattern (spec rule 14).
 * @param how `limit`: the number of items that DynamoDB looks at, up to 1,000
 */
export async function scanPage(
  runtime: Runtime,
  {
    limit = pageItemsMax,
    start,
    entities,
  }: { readonly limit?: number; readonly start?: Item | undefined; readonly entities?: readonly Entity[] | undefined },
): Promise<ScannedPage> {
  forOperators(runtime, 'Scans')
  const output = await send(runtime, 'Scan', {
    TableName: runtime.table,
    ...filterOf(entities),
    ConsistentRead: true,
    Limit: limit,
    ReturnConsumedCapacity: 'TOTAL',
    ...(start === undefined ? {} : { ExclusiveStartKey: start }),
  })
  const names = entities === undefined ? undefined : new Set<unknown>(entities.map(({ name }) => name))
  const all = (output.Items ?? []).map((item) => received(runtime, item))
  return { items: names === undefined ? all : all.filter(({ Type }) => names.has(Type)), next: output.LastEvaluatedKey }
}

/**
 * Reads every item of these entities, or of the table, as they are understood, page by page, in no order. Reads are consistent. It always reads the
 * whole table: it is for `export` and other tools of an operator, never for an access pattern (spec rule 14).
 */
export async function* scanItems(runtime: Runtime, entities?: readonly Entity[]): AsyncGenerator<readonly Stored[], void, void> {
  let start: Item | undefined
  do {
    const { items, next } = await scanPage(runtime, { start, entities })
    if (items.length > 0) yield items
    start = next
  } while (start !== undefined)
}
