import { randomUUID } from 'node:crypto'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import type { Sender } from '../../src/dynamo/sender.ts'
import { type ConnectOptions, connect, type Table } from '../../src/run/connect.ts'
import { ensureTable } from '../../src/run/ensure-table.ts'
import { depot } from './design.ts'

export type Depot = Table<typeof depot>

export { Clock } from '../../src/testing/clock.ts'

/** Waiting is giving way: no test waits for time to pass. */
export const noWait = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const own = engineSender()
export const directSender = (): Sender => own

/** The design connected to a table, without making that. */
export function depotOf(table: string, options: ConnectOptions = {}): Depot {
  return connect(depot, { table, sender: directSender(), sleep: noWait, ...options })
}

/** A table of this test's own on the shared engine. */
export async function ownDepot(options: ConnectOptions = {}): Promise<Depot> {
  const table = depotOf(`depot-${randomUUID()}`, options)
  await ensureTable(table.runtime)
  return table
}
