import { randomUUID } from 'node:crypto'
import { type AnyDesign, type ConnectOptions, connect, type Table } from '@freehold/table'
import { ensureTable, type Sender, senderOf } from '@freehold/table/runtime'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { rebac } from '../src/rebac/design.ts'

const connections = senderOf({ endpoint })

/** A sender for one table. All tables of a worker share its connections, which no table closes. */
export const engineSender = (): Sender => ({
  send: (operation, input, options) => connections.send(operation, input, options),
  close: () => {},
})

/** A table of this test's own for a design, on the shared engine. */
export async function ownTableOf<D extends AnyDesign>(design: D, options: ConnectOptions = {}): Promise<Table<D>> {
  const table = connect(design, { table: `${design.name}-${randomUUID()}`, sender: engineSender(), ...options })
  await ensureTable(table.runtime)
  return table
}

/** A rebac table of this test's own. */
export const ownTable = (options: ConnectOptions = {}): Promise<Table<typeof rebac>> => ownTableOf(rebac, options)
