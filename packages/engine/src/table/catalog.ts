import { randomUUID } from 'node:crypto'
import { missing } from '../errors.ts'
import type { Reading, Writing } from '../store/store.ts'
import type { TableDefinition } from './definition.ts'
import { type Table, tableOf } from './table.ts'

const prefix = '\x02table\0'
const versionKey = '\x02version'
const spaceKey = '\x02space'

/**
 * The tables of a store. Any process may create, change and delete them. So their definitions are kept in the store, with a version that
 * changes with each of them: reading that is all that a request pays for it. A version is never used again, even if its write fails.
 */
export class Catalog {
  #version = ''
  readonly #tables = new Map<string, Table>()
  readonly #onFilling: () => void

  /** @param onFilling called when a table is read of which an index is not filled */
  constructor(onFilling: () => void) {
    this.#onFilling = onFilling
  }

  /** @throws ServiceError `ResourceNotFoundException` */
  table(reading: Reading, name: string): Table {
    const table = this.find(reading, name)
    if (table === undefined) throw missing()
    return table
  }

  find(reading: Reading, name: string): Table | undefined {
    const version = String(reading.get(versionKey))
    if (version !== this.#version) {
      this.#tables.clear()
      this.#version = version
    }
    const known = this.#tables.get(name)
    if (known !== undefined) return known
    const definition = reading.get(prefix + name)
    if (definition === undefined) return undefined
    // Only definitions are written under this prefix.
    const table = tableOf(definition as TableDefinition)
    this.#tables.set(name, table)
    if (isFilling(table)) this.#onFilling()
    return table
  }

  /** The names of all tables, in their order, from the one after `after`. */
  *names(reading: Reading, after = ''): Iterable<string> {
    for (const { key } of reading.range({ start: `${prefix}${after}\0`, end: `${prefix}\xff` })) yield key.slice(prefix.length)
  }

  put(writing: Writing, definition: TableDefinition): void {
    writing.put(prefix + definition.name, definition)
    this.#changed(writing)
  }

  remove(writing: Writing, name: string): void {
    writing.remove(prefix + name)
    this.#changed(writing)
  }

  /** A number that no table or index of the store has had. */
  newSpace(writing: Writing): number {
    const space = Number(writing.get(spaceKey) ?? 0) + 1
    writing.put(spaceKey, space)
    return space
  }

  #changed(writing: Writing): void {
    writing.put(versionKey, [randomUUID()])
  }
}

export function isFilling({ indexes }: Table): boolean {
  return indexes.some(({ definition }) => definition.isFilling === true)
}
