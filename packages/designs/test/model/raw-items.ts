import type { Runtime } from '@freehold/table'
import { type Item, placeOfItem } from './parts.ts'

/** A value of DynamoDB's protocol as plain data. */
function plain(value: unknown): unknown {
  const [[type, content] = ['', undefined]] = Object.entries(value as Readonly<Record<string, unknown>>)
  if (type === 'N') return Number(content)
  if (type === 'NULL') return null
  if (type === 'L') return (content as readonly unknown[]).map(plain)
  if (type === 'M') return plainItem(content as Item)
  return content
}

const plainItem = (item: Item): Item => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)]))

/** Without the stamp of the write, which is random. In the order of names: the engine's differs each time, and objects would share no hidden class. */
function unstamped(item: Item): Item {
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(item).sort()) if (name !== 'writeId') rest[name] = plain(item[name])
  return rest
}

/** Every item of a table, by its key: jobs, guards and whatever else lies there. */
export async function rawItems({ sender, table }: Runtime): Promise<Map<string, Item>> {
  const items: Item[] = []
  let start: Readonly<Record<string, unknown>> | undefined
  do {
    const request = {
      TableName: table,
      ConsistentRead: true,
      Limit: 1000,
      ...(start === undefined ? {} : { ExclusiveStartKey: start as never }),
    }
    const output = await sender.send('Scan', request)
    items.push(...(output.Items ?? []).map(unstamped))
    start = output.LastEvaluatedKey
  } while (start !== undefined)
  return new Map(items.map((item) => [placeOfItem(item), item]))
}
