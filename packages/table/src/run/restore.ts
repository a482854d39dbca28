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
/** Calls that may bring nothing at all before it is called off. */
const barrenMax = 8

async function writeBatch(runtime: Runtime, items: readonly Stored[], writeId: string, onWritten: () => void): Promise<void> {
  // The stamp that an item had may stand in a condition that is on its way.
  let rest: readonly BatchWrite[] = items.map((item) => ({ PutRequest: { Item: toItem({ ...item, [writeIdName]: writeId }) } }))
  for (let barren = 0; rest.length > 0; ) {
    const output = await send(runtime, 'BatchWriteItem', { RequestItems: { [runtime.table]: rest }, ReturnConsumedCapacity: 'TOTAL' })
    const unprocessed = output.UnprocessedItems?.[runtime.table] ?? []
    if (unprocessed.length < rest.length) onWritten()
    if (unprocessed.length === 0) return
    barren = unprocessed.length < rest.length ? 0 : barren + 1
    if (barren > barrenMax) throw new FreeholdError('Busy', 'The table takes no item of a batch: it is throttled. Try again later.')
    rest = unprocessed
    // Unprocessed items are a throttle in disguise (spec rule 13).
    await runtime.sleep(backoffMs(barren + 1, runtime.random))
  }
}

/** The error of a restore of which a part is there. Run again, it puts the same items. */
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
 * Puts items as they lie in a table, keys and all but their stamps, over whatever is there: for restoring a backup and for fixtures. Nothing is checked,
 * and no guard, mirror or edge is derived; everything else that writes goes through a repository.
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
