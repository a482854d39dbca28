import { fromItem, toItem } from '../../src/dynamo/attribute-value.ts'
import type { Item, PageOutput } from '../../src/dynamo/operation.ts'
import type { Stored } from '../../src/plan/stored.ts'
import type { Runtime } from '../../src/run/runtime.ts'
import { directSender } from './table.ts'

// The table as it is, past the code under test: literal requests of the protocol. The stamps of writes are left out, as they are random.

interface Place {
  readonly runtime: Runtime
}

/** Every item of the table, or of an index, ordered by its key. */
export async function rawItems({ runtime }: Place, index?: string): Promise<Stored[]> {
  const items: Stored[] = []
  let start: Item | undefined
  const page = (from: Item | undefined): Promise<PageOutput> =>
    directSender().send('Scan', {
      TableName: runtime.table,
      Limit: 1000,
      ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    })
  do {
    const output = await page(start)
    items.push(...(output.Items ?? []).map(unstamped))
    start = output.LastEvaluatedKey
  } while (start !== undefined)
  return items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

export const keyOf = ({ PK, SK }: Stored): string => `${PK} / ${SK}`

/** The keys of all items, or of those in an index. */
export async function rawKeys(place: Place, index?: string): Promise<string[]> {
  return (await rawItems(place, index)).map(keyOf)
}

export async function rawItem({ runtime }: Place, PK: string, SK: string): Promise<Stored | undefined> {
  const { Item } = await directSender().send('GetItem', { TableName: runtime.table, Key: toItem({ PK, SK }), ConsistentRead: true })
  return Item === undefined ? undefined : unstamped(Item)
}

/** The random id of the write that an item was last written by. */
export async function stampOf({ runtime }: Place, PK: string, SK: string): Promise<unknown> {
  const { Item } = await directSender().send('GetItem', { TableName: runtime.table, Key: toItem({ PK, SK }), ConsistentRead: true })
  return Item === undefined ? undefined : fromItem(Item).writeId
}

function unstamped(raw: Item): Stored {
  const { writeId: _, ...item } = fromItem(raw)
  return item
}

/** Writes an item exactly as given, over whatever is there. */
export async function putRaw({ runtime }: Place, ...items: Readonly<Record<string, unknown>>[]): Promise<void> {
  for (const item of items) await directSender().send('PutItem', { TableName: runtime.table, Item: toItem(item) })
}

export async function deleteRaw({ runtime }: Place, PK: string, SK: string): Promise<void> {
  await directSender().send('DeleteItem', { TableName: runtime.table, Key: toItem({ PK, SK }) })
}

/** Another worker takes the lease of a job, and does no more than that. */
export async function takeLease({ runtime }: Place, job: string): Promise<void> {
  await directSender().send('UpdateItem', {
    TableName: runtime.table,
    Key: toItem({ PK: 'FREEHOLD_JOBS', SK: `JOB#${job}` }),
    UpdateExpression: 'SET holder = :h',
    ExpressionAttributeValues: toItem({ ':h': 'another worker' }),
  })
}
