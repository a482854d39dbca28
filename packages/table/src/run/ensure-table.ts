import { errorOf, failureOf } from '../dynamo/error.ts'
import type { TableDescription } from '../dynamo/operation.ts'
import { FreeholdError } from '../errors.ts'
import { createTableInput } from '../publish/create-table-input.ts'
import { type TableDefinition, type TableOptions, tableDefinition } from '../publish/table-definition.ts'
import { rememberAdopted } from './adopt/adopted.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'

/** The table as DynamoDB describes it, or undefined. One attempt, so that a caller learns at once that nothing answers at its endpoint. */
export async function describe({ sender, table: TableName, attempt_ms: timeoutMs }: Runtime): Promise<TableDescription | undefined> {
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

/** How the keys of a table differ from the design's definition, or undefined. */
function otherKey({ key, indexes }: TableDefinition, { KeySchema, GlobalSecondaryIndexes = [] }: TableDescription): string | undefined {
  if (keyText(KeySchema) !== key.join(' and ')) return `has the key ${keyText(KeySchema)}`
  for (const index of indexes) {
    const there = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index.name)
    if (there !== undefined && keyText(there.KeySchema) !== index.key.join(' and '))
      return `has the key ${keyText(there.KeySchema)} in its index ${index.name}`
  }
  return undefined
}

/** Throws `Unavailable` if the table has other keys, so that no migration makes it this design's. */
export function checkKeys(definition: TableDefinition, description: TableDescription): void {
  const { table } = definition
  const what = otherKey(definition, description)
  if (what === undefined) return
  throw new FreeholdError('Unavailable', `The table ${table} exists, but ${what}: it is not this design's. Name another table.`, { table })
}

/** The error of a table that lacks indexes of its design. */
export function lacksIndex({ design, table }: Pick<Runtime, 'design' | 'table'>, named: string): FreeholdError {
  const message = `The table ${table} has no index ${named}. \`freehold migrate ${design.name}\` adds what it lacks.`
  return new FreeholdError('Unavailable', message, { table })
}

function checkShape({ design }: Runtime, definition: TableDefinition, description: TableDescription): void {
  checkKeys(definition, description)
  const { table, indexes } = definition
  const there = new Set(description.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName))
  const lacking = indexes.filter(({ name }) => !there.has(name)).map(({ name }) => name)
  if (lacking.length === 0) return
  throw lacksIndex({ design, table }, lacking.join(', '))
}

/** DynamoDB creates a table within seconds. Each look waits a second. */
const looksMax = 120

async function whenActive(runtime: Runtime, definition: TableDefinition): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const description = await describe(runtime)
    if (description?.TableStatus === undefined || description.TableStatus === 'ACTIVE' || description.TableStatus === 'UPDATING') {
      if (description !== undefined) return checkShape(runtime, definition, description)
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
export async function ensureTimeToLive(runtime: Runtime, attribute: string): Promise<void> {
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
  checkShape(runtime, tableDefinition(runtime.design, runtime.table), description)
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
