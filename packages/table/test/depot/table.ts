import { engineSender } from '../../../../test/engine/endpoint.ts'
import { noWait, ownTableOf } from '../../../../test/engine/own-table.ts'
import type { Sender } from '../../src/dynamo/sender.ts'
import { type ConnectOptions, connect, type Table } from '../../src/run/connect.ts'
import { depot } from './design.ts'

export type Depot = Table<typeof depot>

export { Clock } from '../../src/testing/clock.ts'
export { noWait }

const own = engineSender()
export const directSender = (): Sender => own

/** The design connected to a table, without making that. */
export function depotOf(table: string, options: ConnectOptions = {}): Depot {
  return connect(depot, { table, sender: directSender(), sleep: noWait, ...options })
}

/** A table of this test's own on the shared engine. */
export const ownDepot = (options: ConnectOptions = {}): Promise<Depot> => ownTableOf(depot, { sender: own, ...options })
