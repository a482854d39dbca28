import type { Unkind } from '@freehold/engine'
import type { AnyDesign } from '../design/design.ts'
import { type ConnectOptions, connect, type Table } from '../run/connect.ts'
import { ensureTable } from '../run/ensure-table.ts'
import { type FaultRule, faultySender } from './faulty-sender.ts'

/** The options of a connection. None is required. `engine` is one that several tables share. */
export interface TestTableOptions extends Omit<ConnectOptions, 'dynamo' | 'sender'> {
  /** How the engine is unkind: late indexes and stale reads among it. By default it is not. */
  readonly unkind?: Unkind
  /** What goes wrong with chosen requests, once the table is there. */
  readonly faults?: readonly FaultRule[]
}

/**
 * An empty table in memory, connected to its design. The engine and the table have the same clock: `now`, or that of the system. No call waits before it
 * retries. Its deadline comes nearer by as much instead. The package `@freehold/engine` must be installed beside this one.
 */
export async function testTable<D extends AnyDesign>(design: D, { unkind, faults, ...options }: TestTableOptions = {}): Promise<Table<D>> {
  const { now, table } = options
  const { openEngine } = await import('@freehold/engine')
  // An engine reads its shares at each request. A table that is being made loses none.
  const shares = unkind && { ...unkind, lostBefore: 0, lostAfter: 0 }
  const engine = options.engine ?? (await openEngine({ memory: true, ...(now && { now }), ...(shares && { unkind: shares }) }))
  await ensureTable(connect(design, { engine, ...(table !== undefined && { table }) }).runtime)
  if (shares !== undefined) Object.assign(shares, { lostBefore: 0, lostAfter: 0 }, unkind)
  let passed_ms = 0
  return connect(design, {
    monotonic_ms: () => performance.now() + passed_ms,
    sleep: (ms) => {
      passed_ms += ms
      return new Promise((resolve) => setImmediate(resolve))
    },
    ...options,
    engine,
    ...(faults && { sender: faultySender(engine.sender, faults) }),
  })
}
