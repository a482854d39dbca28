import { jobsPartition } from '../design/design.ts'
import { toItem } from '../dynamo/attribute-value.ts'
import { writeIdName } from '../plan/stored.ts'
import { forOperators } from './operators.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'
import { newWriteId } from './write-id.ts'

/**
 * A key in the partition of the jobs. No design has keys there, exports leave it out, and the list of jobs begins after it.
 */
const key = { PK: jobsPartition, SK: 'HEALTH' } as const

/** Puts one small item over itself, to test whether the table accepts writes. Throws like any write. */
export async function touchTable(runtime: Runtime): Promise<void> {
  const { table, now } = forOperators(runtime, 'Checks of health')
  const item = { ...key, Type: 'Job', version: 1, [writeIdName]: newWriteId(), checkedAt: now().toISOString() }
  await send(runtime, 'PutItem', { TableName: table, Item: toItem(item), ReturnConsumedCapacity: 'TOTAL' })
}
