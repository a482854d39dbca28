import { randomUUID } from 'node:crypto'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import type { Sender } from '../../src/dynamo/sender.ts'
import { senderOf } from '../../src/dynamo/sender-of.ts'
import { type ConnectOptions, connect, type Table } from '../../src/run/connect.ts'
import { ensureTable } from '../../src/run/ensure-table.ts'
import { depot } from './design.ts'

export type Depot = Table<typeof depot>

/** A clock that stands still until it is moved. */
export class Clock {
  at: Date
  constructor(at = '2026-03-01T12:00:00.000Z') {
    this.at = new Date(at)
  }
  readonly now = (): Date => this.at
  forward(ms: number): void {
    this.at = new Date(this.at.getTime() + ms)
  }
}

/** Waiting is giving way: no test waits for time to pass. */
export const noWait = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** One sender for all tables of a worker: it keeps its connections, whichever test closes its table. */
const own = senderOf({ endpoint })
const direct: Sender = { send: (operation, input, options) => own.send(operation, input, options), close: () => {} }
export const directSender = (): Sender => direct

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
