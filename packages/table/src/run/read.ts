import type { Item, KeysToGet } from '../dynamo/operation.ts'
import { backoffMs } from '../dynamo/retry.ts'
import { FreeholdError } from '../errors.ts'
import { keyText, type TableKey } from '../plan/keys.ts'
import type { Stored } from '../plan/stored.ts'
import { withDeadline } from './deadline.ts'
import { parallelMap } from './meter.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'
import { received } from './stored-from.ts'
import { textOf } from './text-of.ts'

export interface ReadOptions {
  /** A strongly consistent read sees every acknowledged write and costs twice as much. */
  readonly consistent?: boolean | undefined
}

/** A read that sees every acknowledged write. */
export const consistent = { consistent: true }

/** DynamoDB's limit of one BatchGetItem. */
const batchKeysMax = 100
/** The largest number of BatchGetItem calls in a row without any result. */
const barrenMax = 8

/** Reads one item, as it is understood. */
export async function readItem(runtime: Runtime, key: TableKey, { consistent = false }: ReadOptions): Promise<Stored | undefined> {
  if (!consistent || runtime.reads === undefined) return getItem(runtime, key, consistent)
  return (await readItems(runtime, [key], { consistent })).get(keyText(key))
}

async function getItem(runtime: Runtime, { PK, SK }: TableKey, consistent: boolean): Promise<Stored | undefined> {
  const output = await send(runtime, 'GetItem', {
    TableName: runtime.table,
    Key: { PK: { S: PK }, SK: { S: SK } },
    ConsistentRead: consistent,
    ReturnConsumedCapacity: 'TOTAL',
  })
  return output.Item === undefined ? undefined : received(runtime, output.Item)
}

async function readBatch(
  runtime: Runtime,
  keys: readonly TableKey[],
  consistent: boolean,
  found: Map<string, Stored | undefined>,
): Promise<void> {
  let rest: readonly Item[] = keys.map(({ PK, SK }) => ({ PK: { S: PK }, SK: { S: SK } }))
  for (let barren = 0; rest.length > 0; ) {
    const request: KeysToGet = { Keys: rest, ConsistentRead: consistent }
    const output = await send(runtime, 'BatchGetItem', { RequestItems: { [runtime.table]: request }, ReturnConsumedCapacity: 'TOTAL' })
    const items = output.Responses?.[runtime.table] ?? []
    for (const item of items) found.set(keyText({ PK: textOf(item.PK), SK: textOf(item.SK) }), received(runtime, item))
    rest = output.UnprocessedKeys?.[runtime.table]?.Keys ?? []
    if (rest.length === 0) return
    barren = items.length > 0 ? 0 : barren + 1
    if (barren > barrenMax) throw new FreeholdError('Busy', 'The table is throttled: it answers no key of a batch. Try again later.')
    // Unprocessed keys mean throttling (spec rule 13).
    await runtime.sleep(backoffMs(barren + 1, runtime.random))
  }
}

/** Reads items in parallel, by key text. Undefined for a key without an item. The number of keys is unlimited. */
export function readItems(
  runtime: Runtime,
  keys: readonly TableKey[],
  { consistent = false }: ReadOptions,
): Promise<Map<string, Stored | undefined>> {
  return consistent && runtime.reads !== undefined
    ? runtime.reads.items(keys, (wanted) => readAll(runtime, wanted, consistent))
    : readAll(runtime, keys, consistent)
}

async function readAll(runtime: Runtime, keys: readonly TableKey[], consistent: boolean): Promise<Map<string, Stored | undefined>> {
  const found = new Map<string, Stored | undefined>()
  const all: TableKey[] = []
  for (const key of keys) {
    const text = keyText(key)
    if (found.has(text)) continue
    found.set(text, undefined)
    all.push(key)
  }
  const [only] = all
  if (all.length === 1 && only !== undefined) return found.set(keyText(only), await getItem(runtime, only, consistent))
  const bounded = withDeadline(runtime)
  if (all.length <= batchKeysMax) {
    await readBatch(bounded, all, consistent, found)
    return found
  }
  const batches = Array.from({ length: Math.ceil(all.length / batchKeysMax) }, (_, index) =>
    all.slice(index * batchKeysMax, (index + 1) * batchKeysMax),
  )
  await parallelMap(batches, (batch) => readBatch(bounded, batch, consistent, found))
  return found
}
