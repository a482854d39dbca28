import { keyNames } from '../../design/compiled-pattern.ts'
import { errorOf } from '../../dynamo/error.ts'
import type { IndexDescription, Inputs, TableDescription } from '../../dynamo/operation.ts'
import { isFreeholdError } from '../../errors.ts'
import { addIndexInput } from '../../publish/create-table-input.ts'
import { type TableDefinition, tableDefinition } from '../../publish/table-definition.ts'
import { checkKeys, describe } from '../ensure-table.ts'
import type { Runtime } from '../runtime.ts'
import { send } from '../send.ts'

/** How the indexes of a table differ from those of its design. */
export interface IndexChanges {
  /** Indexes that the table lacks. */
  readonly added: readonly string[]
  /** Indexes that a former version of the design had. */
  readonly removed: readonly string[]
}

/** An index is a design's if its keys have the names that a design gives. Others are somebody else's. */
function isOfDesigns({ IndexName = '', KeySchema = [] }: IndexDescription): boolean {
  const names = keyNames(IndexName)
  return KeySchema.length === 2 && KeySchema.every(({ AttributeName }, index) => AttributeName === names[index])
}

function changesOf({ indexes, isShared }: TableDefinition, { GlobalSecondaryIndexes = [] }: TableDescription): IndexChanges {
  const there = GlobalSecondaryIndexes.map(({ IndexName }) => IndexName)
  const wanted = indexes.map(({ name }) => name)
  const ours = isShared === true ? [] : GlobalSecondaryIndexes.filter(isOfDesigns).flatMap(({ IndexName }) => IndexName ?? [])
  return { added: wanted.filter((name) => !there.includes(name)), removed: ours.filter((name) => !wanted.includes(name)) }
}

async function described(runtime: Runtime): Promise<TableDescription> {
  const description = await describe(runtime)
  if (description === undefined) throw errorOf({ kind: 'missing-table', cause: undefined }, false, runtime.table)
  checkKeys(tableDefinition(runtime.design, runtime.table), description)
  return description
}

/** The indexes that are to be added and removed, and about how many items the table has. Throws `Unavailable` if it is not this design's. */
export async function indexChanges(runtime: Runtime): Promise<IndexChanges & { readonly itemCount: number }> {
  const description = await described(runtime)
  return { ...changesOf(tableDefinition(runtime.design, runtime.table), description), itemCount: description.ItemCount ?? 0 }
}

const active = (status: string | undefined) => status === undefined || status === 'ACTIVE'

function isSettled({ TableStatus, GlobalSecondaryIndexes = [] }: TableDescription): boolean {
  return active(TableStatus) && GlobalSecondaryIndexes.every(({ IndexStatus }) => active(IndexStatus))
}

/** The next change. DynamoDB takes one index at a time. */
function nextInput(definition: TableDefinition, description: TableDescription, isFinal: boolean): Inputs['UpdateTable'] | undefined {
  const { added, removed } = changesOf(definition, description)
  const index = definition.indexes.find(({ name }) => name === added[0])
  if (index !== undefined) return addIndexInput(definition.table, index)
  const [IndexName] = isFinal ? removed : []
  return IndexName === undefined ? undefined : { TableName: definition.table, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] }
}

/** Another process may have asked for the same, or the answer was lost: the next look tells. */
async function change(runtime: Runtime, input: Inputs['UpdateTable']): Promise<void> {
  try {
    await send(runtime, 'UpdateTable', input)
  } catch (error) {
    const isTold = isFreeholdError(error) && (error.details.failure === 'table-in-use' || error.details.uncertain === true)
    if (!isTold) throw error
  }
}

const pause_ms = 1000

/**
 * Adds the indexes that the table lacks, one after another, and waits until each is filled. With `isFinal` it removes those of former versions, too.
 * @param wait called before each look: it keeps the lease of the job
 */
export async function migrateIndexes(runtime: Runtime, isFinal: boolean, wait: () => Promise<void>): Promise<void> {
  const definition = tableDefinition(runtime.design, runtime.table)
  for (;;) {
    await wait()
    const description = await described(runtime)
    const input = isSettled(description) ? nextInput(definition, description, isFinal) : undefined
    if (input === undefined && isSettled(description)) return
    if (input === undefined) await runtime.sleep(pause_ms)
    else await change(runtime, input)
  }
}
