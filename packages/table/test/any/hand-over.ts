import { randomUUID } from 'node:crypto'
import { toItem } from '../../src/dynamo/attribute-value.ts'
import { isFreeholdError } from '../../src/errors.ts'
import { type AnyDesign, creating } from '../../src/index.ts'
import { asStored } from '../../src/plan/understood.ts'
import { type ConnectedTable, connect } from '../../src/run/connect.ts'
import { ensureTable } from '../../src/run/ensure-table.ts'
import { scanItems } from '../../src/run/scan.ts'
import { send } from '../../src/run/send.ts'
import { directSender, noWait } from '../depot/table.ts'
import type { Stage } from './rollout.ts'

export const tableName = () => `rollout-${randomUUID()}`

/**
 * What the second deployment does before it writes, where no program of the first one runs with it: it copies the items to its own table, or edges to others.
 * Returns the table.
 */
export async function handOver({ change, table, clock }: Pick<Stage, 'change' | 'table' | 'clock'>, first: AnyDesign, second: AnyDesign) {
  const to = change.apart === 'moved' ? tableName() : table
  const open = (design: AnyDesign, at: string): ConnectedTable =>
    connect(design, { table: at, now: clock.now, sleep: noWait, sender: directSender() })
  const [old, now] = [open(first, table), open(second, to)]
  await ensureTable(now.runtime)
  for await (const page of scanItems(old.runtime))
    for (const item of page) {
      if (to !== table) await send(now.runtime, 'PutItem', { TableName: to, Item: toItem(asStored(item)) })
      const { ZA } = second.entities
      if (item.Type !== 'YA' || ZA === undefined) continue
      const { a, b } = item
      const result = await now.transact({ copy: creating(ZA, { a, b } as never) }).catch((error: unknown) => error)
      // The new end may not be there.
      if (isFreeholdError(result) && result.code !== 'MissingEnd' && result.code !== 'BeingDeleted') throw result
    }
  return to
}
