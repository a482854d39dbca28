import { createRequire } from 'node:module'
import type { Range, Row, Store, Writing } from './store.ts'

// Node and Vitest differ in what the default import of such a CommonJS module is.
const { default: BTree }: typeof import('sorted-btree') = createRequire(import.meta.url)('sorted-btree')

const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Rows in memory. Values are frozen instead of copied, so that a reader cannot change what is stored. */
export class MemoryStore implements Store, Writing {
  readonly #rows = new BTree<string, unknown>(undefined, compareKeys)

  read<T>(work: (reading: Writing) => T): T {
    return work(this)
  }

  async write<T>(work: (writing: Writing) => T): Promise<T> {
    return work(this)
  }

  get(key: string): unknown {
    return this.#rows.get(key)
  }

  *range({ start, end, isReverse = false }: Range): Iterable<Row> {
    const entries = isReverse ? this.#rows.entriesReversed(end) : this.#rows.entries(start)
    for (const [key, value] of entries) {
      if (isReverse ? key < start : key >= end) return
      if (key !== end) yield { key, value }
    }
  }

  count(range: Range, limit = Number.MAX_SAFE_INTEGER): number {
    let count = 0
    for (const _ of this.range(range)) {
      if (count === limit) break
      count += 1
    }
    return count
  }

  put(key: string, value: unknown): void {
    this.#rows.set(key, frozen(value))
  }

  remove(key: string): void {
    this.#rows.delete(key)
  }

  async backup(): Promise<void> {
    throw new Error('An engine in memory has nothing to back up. Open one with a path.')
  }

  async close(): Promise<void> {
    this.#rows.clear()
  }
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}
