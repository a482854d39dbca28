import { errorOf, failureOf } from '../dynamo/error.ts'
import type { TableDescription } from '../dynamo/operation.ts'
import { FreeholdError } from '../errors.ts'
import { createTableInput } from '../publish/create-table-input.ts'
import { type TableDefinition, type TableOptions, tableDefinition } from '../publish/table-definition.ts'
import { rememberAdopted } from './adopt/adopted.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'

/** One attempt, so that a caller learns at once that nothing answers at its endpoint. */
async function describe({ sender, table: TableName, attempt_ms: timeoutMs }: Runtime): Promise<TableDescription | undefined> {
  try {
    return (await sender.send('DescribeTable', { TableName }, { timeoutMs })).Table
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'missing-table') return undefined
    throw errorOf(failure)
  }
}

type Schema = TableDescription['KeySchema']

const keyText = (schema: Schema = []) => schema.map(({ AttributeName }) => AttributeName).join(' and ')

/** The difference between a table and the design's definition, or undefined. */
function difference({ key, indexes }: TableDefinition, { KeySchema, GlobalSecondaryIndexes = [] }: TableDescription): string | undefined {
  if (keyText(KeySchema) !== key.join(' and ')) return `has the key ${keyText(KeySchema)}`
  for (const index of indexes) {
    const there = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index.name)
    if (there === undefined) return `has no index ${index.name}`
    if (keyText(there.KeySchema) !== index.key.join(' and ')) return `has the key ${keyText(there.KeySchema)} in its index ${index.name}`
  }
  return undefined
}

function checkShape(definition: TableDefinition, description: TableDescription): void {
  const what = difference(definition, description)
  if (what === undefined) return
  throw new FreeholdError(
    'Unavailable',
    `The table ${definition.table} exists, but ${what}: it is not this design's. Name another table.`,
    { table: definition.table },
  )
}

/** DynamoDB creates a table within seconds. Each look waits a second. */
const looksMax = 120

async function whenActive(runtime: Runtime, definition: TableDefinition): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const description = await describe(runtime)
    if (description?.TableStatus === undefined || description.TableStatus === 'ACTIVE' || description.TableStatus === 'UPDATING') {
      if (description !== undefined) return checkShape(definition, description)
    }
    await runtime.sleep(1000)
  }
  throw new FreeholdError('Unavailable', `The table ${runtime.table} did not become active.`, { table: runtime.table })
}

/** Returns true if this call created the table. */
async function create(runtime: Runtime, definition: TableDefinition): Promise<boolean> {
  try {
    await runtime.sender.send('CreateTable', createTableInput(definition), { timeoutMs: runtime.attempt_ms })
    return true
  } catch (error) {
    // Another process was faster.
    const failure = failureOf(error)
    if (failure.kind === 'table-in-use') return false
    throw errorOf(failure)
  }
}

async function isTimeToLiveOn(runtime: Runtime): Promise<boolean> {
  const { TimeToLiveDescription } = await send(runtime, 'DescribeTimeToLive', { TableName: runtime.table })
  return TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') === true
}

/** Turns TTL on, even for an existing table: its creator may have ended before this step. */
async function ensureTimeToLive(runtime: Runtime, attribute: string): Promise<void> {
  if (await isTimeToLiveOn(runtime)) return
  try {
    await send(runtime, 'UpdateTimeToLive', {
      TableName: runtime.table,
      TimeToLiveSpecification: { AttributeName: attribute, Enabled: true },
    })
  } catch (error) {
    // DynamoDB refuses to turn TTL on again, after another process has done so.
    if (!(await isTimeToLiveOn(runtime))) throw error
  }
}

/** Throws `Unavailable` if the design's table is missing, or has other keys. */
export async function checkTable(runtime: Runtime): Promise<void> {
  const description = await describe(runtime)
  if (description === undefined) throw errorOf({ kind: 'missing-table', cause: undefined }, false, runtime.table)
  checkShape(tableDefinition(runtime.design, runtime.table), description)
}

/**
 * Creates the design's table unless it exists, and turns TTL on where items expire or `options` say so. Throws `Unavailable` if a table with this name has other keys.
 * @returns true if this call created it
 */
export async function ensureTable(runtime: Runtime, options?: TableOptions): Promise<boolean> {
  const definition = tableDefinition(runtime.design, runtime.table, options)
  const isNew = (await describe(runtime)) === undefined && (await create(runtime, definition))
  await whenActive(runtime, definition)
  if (definition.ttl !== undefined) await ensureTimeToLive(runtime, definition.ttl)
  if (isNew) rememberAdopted(runtime)
  return isNew
}
