import type { Reading, Store, Writing } from '../store/store.ts'
import type { Catalog } from '../table/catalog.ts'
import { firstRows, replaceEntry, storedItem } from '../table/rows.ts'
import type { Keyed } from '../table/table.ts'

// An index that comes is filled, and the rows of one that goes are removed, by many small writes: a table may have more items than memory
// holds, and others must not wait. What is left of it is kept in the store. So any process goes on after one that was killed.

const prefix = '\x02work\0'
const end = '\x02work\x01'

/** What is left to do in the space of a table or an index. */
interface Work {
  /** The table by which the index is filled. Absent where all rows are removed. */
  readonly table?: string
  readonly next: string
  readonly end: string
}

export function fillLater(writing: Writing, table: Keyed, index: Keyed): void {
  writing.put(prefix + index.space, { table: table.name, next: table.space, end: table.end } satisfies Work)
}

/** Removes what is left of filling it, too. */
export function clearLater(writing: Writing, { space, end }: Keyed): void {
  writing.put(prefix + space, { next: space, end } satisfies Work)
}

function firstWork(reading: Reading): { readonly space: string; readonly work: Work } | undefined {
  // Only `Work` is written under this prefix.
  for (const { key, value } of reading.range({ start: prefix, end })) return { space: key.slice(prefix.length), work: value as Work }
  return undefined
}

/** How much of its work a request does itself, so that a small table is ready when it is answered. */
const own_rows_max = 500

/** Does what is left, if it is little. */
export function advanceSome(writing: Writing, catalog: Catalog): void {
  for (let rows = 0; rows < own_rows_max; ) rows += advance(writing, catalog) ?? own_rows_max
}

/** Does a part of the first work that is left. Returns its rows, or undefined if nothing was left. */
function advance(writing: Writing, catalog: Catalog): number | undefined {
  const found = firstWork(writing)
  if (found === undefined) return undefined
  const { space, work } = found
  const { rows, next } = firstRows(writing, { start: work.next, end: work.end })
  const table = work.table === undefined ? undefined : catalog.table(writing, work.table)
  const index = table?.indexes.find((each) => each.space === space)
  for (const { key, value } of rows) {
    if (index === undefined) writing.remove(key)
    else replaceEntry(writing, index, { key, before: undefined, after: storedItem(value)?.[1] })
  }
  if (next !== undefined) {
    writing.put(prefix + space, { ...work, next } satisfies Work)
    return rows.length
  }
  writing.remove(prefix + space)
  if (table !== undefined && index !== undefined) {
    const { isFilling: _, ...filled } = index.definition
    const indexes = table.definition.indexes.map((each) => (each.space === filled.space ? filled : each))
    catalog.put(writing, { ...table.definition, indexes })
  }
  return rows.length
}

/** Does all work that is left in a store, part by part, while requests go on. */
export class Upkeep {
  readonly #store: Store
  readonly #catalog: Catalog
  #running: Promise<void> | undefined
  #isEnded = false

  constructor(store: Store, catalog: Catalog) {
    this.#store = store
    this.#catalog = catalog
  }

  /** Begins, unless nothing is left. */
  start(): void {
    if (this.#isEnded) return
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    try {
      // The caller may be within a write.
      await new Promise(setImmediate)
      while (!this.#isEnded && this.#store.read(firstWork) !== undefined) {
        await this.#store.write((writing) => advance(writing, this.#catalog))
        await new Promise(setImmediate)
      }
    } catch {
      // What a disk that fails leaves undone is begun again by the next request that meets it.
    } finally {
      this.#running = undefined
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await this.#running
  }
}
