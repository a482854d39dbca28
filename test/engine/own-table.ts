import { randomUUID } from 'node:crypto'
import { type AnyDesign, type ConnectOptions, connect, type Table } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { engineSender } from './endpoint.ts'

/** Waiting is giving way: no test waits for time to pass. */
export const noWait = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A table of a test's own for a design, on the engine of its file. */
export async function ownTableOf<D extends AnyDesign>(design: D, options: ConnectOptions = {}): Promise<Table<D>> {
  const table = connect(design, { table: `${design.name}-${randomUUID()}`, sender: engineSender(), sleep: noWait, ...options })
  await ensureTable(table.runtime)
  return table
}
