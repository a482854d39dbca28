import { readFileSync } from 'node:fs'
import { type AnyDesign, type ConnectOptions, connect, type Table } from '@freehold/table'
import { parse } from 'yaml'
import { engineSender, ownTableOf } from '../own-table.ts'

/** An item as its document has it. */
export type DocumentItem = Readonly<Record<string, unknown>> & { readonly PK: string; readonly SK: string }
export type DocumentItems = Readonly<Record<string, DocumentItem>>

type Wire = Readonly<Record<string, unknown>>

/** DynamoDB's JSON, by this file's own hand: the code under test has no part in what another program writes. */
function wire(value: unknown): Wire {
  if (value === null) return { NULL: true }
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') }
  if (value instanceof Set) return { SS: [...value] }
  if (Array.isArray(value)) return { L: value.map(wire) }
  return { M: wired(value as object) }
}

const wired = (values: object): Readonly<Record<string, Wire>> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, wire(value)]])))

/** The items of a document, by the names that they have in its file. */
export const itemsOf = (file: string): DocumentItems => parse(readFileSync(new URL(`${file}.yaml`, import.meta.url), 'utf8'))

/** The entity of an item in a file. */
export const entityOf = (name: string): string => name.split(',')[0] ?? ''

/** Puts items as another program does, which has no name for a version. */
export async function putItems(table: string, items: Iterable<Readonly<Record<string, unknown>>>): Promise<void> {
  for (const item of items) await engineSender().send('PutItem', { TableName: table, Item: wired(item) as never })
}

/** Deletes items as another program does. */
export async function deleteItem(table: string, { PK, SK }: { readonly PK: string; readonly SK: string }): Promise<void> {
  await engineSender().send('DeleteItem', { TableName: table, Key: wired({ PK, SK }) as never })
}

/** A table that another program has made and filled: nobody has adopted it. */
export async function foreignTable<D extends AnyDesign>(
  design: D,
  items: Iterable<Readonly<Record<string, unknown>>>,
  options: ConnectOptions = {},
): Promise<Table<D>> {
  const { table } = (await ownTableOf(design)).runtime
  await putItems(table, items)
  // Another process than the one that made the table.
  return connect(design, { table, sender: engineSender(), ...options })
}

function plain(value: Wire): unknown {
  const [[kind, of] = []] = Object.entries(value)
  if (kind === 'N') return Number(of)
  if (kind === 'NULL') return null
  if (kind === 'L') return (of as Wire[]).map(plain)
  if (kind === 'M') return Object.fromEntries(Object.entries(of as Record<string, Wire>).map(([name, each]) => [name, plain(each)]))
  return of
}

/** An item as it lies in the table; undefined if there is none. */
export async function rawItem(table: string, { PK, SK }: { readonly PK: string; readonly SK: string }): Promise<unknown> {
  const output = await engineSender().send('GetItem', { TableName: table, Key: wired({ PK, SK }) as never, ConsistentRead: true })
  const { Item } = output as { readonly Item?: Wire }
  return Item && plain({ M: Item })
}
