import { toItem } from '../dynamo/attribute-value.ts'
import type { BatchWrite } from '../dynamo/operation.ts'
import { backoffMs } from '../dynamo/retry.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import { type Stored, writeIdName } from '../plan/stored.ts'
import { withDeadline } from './deadline.ts'
import { parallelMap } from './meter.ts'
import { forOperators } from './operators.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'
import { newWriteId } from './write-id.ts'

/** DynamoDB's limit of one BatchWriteItem. */
const batchWritesMax = 25
/** The largest number of calls in a row that write nothing. */
const barrenMax = 8

async function writeBatch(runtime: Runtime, items: readonly Stored[], writeId: string, onWritten: () => void): Promise<void> {
  // Items get a new stamp, since a write on its way may have a condition on the old one.
  let rest: readonly BatchWrite[] = items.map((item) => ({ PutRequest: { Item: toItem({ ...item, [writeIdName]: writeId }) } }))
  for (let barren = 0; rest.length > 0; ) {
    const output = await send(runtime, 'BatchWriteItem', { RequestItems: { [runtime.table]: rest }, ReturnConsumedCapacity: 'TOTAL' })
    const unprocessed = output.UnprocessedItems?.[runtime.table] ?? []
    if (unprocessed.length < rest.length) onWritten()
    if (unprocessed.length === 0) return
    barren = unprocessed.length < rest.length ? 0 : barren + 1
    if (barren > barrenMax) throw new FreeholdError('Busy', 'The table is throttled: it accepts no item of a batch. Try again later.')
    rest = unprocessed
    // Unprocessed items mean throttling (spec rule 13).
    await runtime.sleep(backoffMs(barren + 1, runtime.random))
  }
}

/** The error of a restore that has written a part. It can be run again. */
function partly(error: unknown): unknown {
  if (!isFreeholdError(error)) return error
  return new FreeholdError(
    error.code,
    `${error.message} Some of the items were restored.`,
    { ...error.details, uncertain: true },
    { cause: error },
  )
}

/**
 * Puts items as stored, with their keys and new stamps, over any existing ones: for restoring a backup and for fixtures. Nothing is
 * checked, and no derived item or edge is written. All other writes go through a repository.
 */
export async function restoreItems(runtime: Runtime, items: readonly Stored[]): Promise<void> {
  forOperators(runtime, 'Restored items')
  const batches = Array.from({ length: Math.ceil(items.length / batchWritesMax) }, (_, index) =>
    items.slice(index * batchWritesMax, (index + 1) * batchWritesMax),
  )
  const writeId = newWriteId()
  let isBegun = false
  try {
    await parallelMap(batches, (batch) =>
      writeBatch(withDeadline(runtime), batch, writeId, () => {
        isBegun = true
      }),
    )
  } catch (error) {
    throw isBegun ? partly(error) : error
  }
}
