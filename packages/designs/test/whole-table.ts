import type { Runtime } from '@freehold/table'
import { type Stored, scanItems } from '@freehold/table/runtime'

interface Place {
  readonly runtime: Runtime
}

/** Every item as it lies in the table, but for the random stamps of writes: a Scan, which only tests and exports may use. */
export async function wholeTable({ runtime }: Place): Promise<Stored[]> {
  const all: Stored[] = []
  for await (const page of scanItems(runtime)) all.push(...page.map(({ writeId: _, ...item }) => item))
  return all
}

/** The keys of items that mention a text anywhere, in their keys or attributes. */
export async function mentions(table: Place, text: string): Promise<string[]> {
  const items = await wholeTable(table)
  return items.filter((item) => JSON.stringify(item).includes(text)).map(({ PK, SK }) => `${PK} / ${SK}`)
}
