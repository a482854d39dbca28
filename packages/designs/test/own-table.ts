import { randomUUID } from 'node:crypto'
import { type AnyDesign, type ConnectOptions, connect, type Table } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { engineSender } from '../../../test/engine/endpoint.ts'
import { rebac } from '../src/rebac/design.ts'

export { engineSender }

/** A table of this test's own for a design, on the shared engine. */
export async function ownTableOf<D extends AnyDesign>(design: D, options: ConnectOptions = {}): Promise<Table<D>> {
  const table = connect(design, { table: `${design.name}-${randomUUID()}`, sender: engineSender(), ...options })
  await ensureTable(table.runtime)
  return table
}

/** A rebac table of this test's own. */
export const ownTable = (options: ConnectOptions = {}): Promise<Table<typeof rebac>> => ownTableOf(rebac, options)
