import type { Range, Reading, Row, Writing } from '../store/store.ts'
import type { Item } from '../value/attribute-value.ts'
import { itemBytes } from '../value/item-size.ts'
import { entryOf, type Index, type Table } from './table.ts'

/** An item as the store keeps it, with its size, so that pages need not measure it. */
export type StoredItem = readonly [bytes: number, item: Item]

export function storedItem(value: unknown): StoredItem | undefined {
  // Only items are written under the spaces of tables and indexes.
  return value as StoredItem | undefined
}

export function itemAt(reading: Reading, key: string): StoredItem | undefined {
  return storedItem(reading.get(key))
}

/** What a write changes in an index: the entry before and after it. */
export interface IndexChange {
  readonly index: Index
  /** Units of this change. */
  readonly units: number
}

/** "One write request unit … for an item up to 1 KB" (Developer Guide, "DynamoDB read and write operations"). */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024))
}

/** Puts an item in place of another one, or removes it, in the table and its indexes. */
export function replaceItem(
  writing: Writing,
  table: Table,
  { key, before, after }: { readonly key: string; readonly before: StoredItem | undefined; readonly after: StoredItem | undefined },
): IndexChange[] {
  if (after === undefined) writing.remove(key)
  else writing.put(key, after)
  return table.indexes.flatMap((index) => {
    const units = replaceEntry(writing, index, { key, before: before?.[1], after: after?.[1] })
    return units === 0 ? [] : [{ index, units }]
  })
}

/**
 * The units follow "Write throughput considerations" of the Developer Guide ("Using Global Secondary Indexes in DynamoDB"): a write each to
 * remove an entry and to put one; one to change an entry under the same key; none if nothing that the index has was changed.
 */
export function replaceEntry(
  writing: Writing,
  index: Index,
  { key, before, after }: { readonly key: string; readonly before: Item | undefined; readonly after: Item | undefined },
): number {
  const [old, next] = [before && entryOf(index, before, key), after && entryOf(index, after, key)]
  const [oldBytes, nextBytes] = [old === undefined ? 0 : itemBytes(old.item), next === undefined ? 0 : itemBytes(next.item)]
  if (old !== undefined && old.key !== next?.key) writing.remove(old.key)
  if (next === undefined) return old === undefined ? 0 : writeUnits(oldBytes)
  if (old !== undefined && old.key === next.key && isSame(old.item, next.item)) return 0
  const stored: StoredItem = [nextBytes, next.item]
  writing.put(next.key, stored)
  if (old === undefined) return writeUnits(nextBytes)
  return old.key === next.key ? writeUnits(Math.max(oldBytes, nextBytes)) : writeUnits(oldBytes) + writeUnits(nextBytes)
}

/** Checked items have one spelling and one order. */
function isSame(a: Item, b: Item): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** What one write of longer work takes: others wait for it for some milliseconds. */
const part = { rows_max: 500, bytes_max: 1024 * 1024 }

/**
 * The first rows of a range, and where the rest begins. They are read before anything is written: a range under which rows appear may see
 * them twice.
 */
export function firstRows(
  reading: Reading,
  { start, end }: Pick<Range, 'start' | 'end'>,
): { rows: readonly Row[]; next: string | undefined } {
  const rows: Row[] = []
  let bytes = 0
  for (const row of reading.range({ start, end })) {
    if (rows.length === part.rows_max || bytes > part.bytes_max) return { rows, next: row.key }
    rows.push(row)
    bytes += storedItem(row.value)?.[0] ?? 0
  }
  return { rows, next: undefined }
}
