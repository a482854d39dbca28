import { errorOf, failureOf } from '../dynamo/error.ts'
import type { CreateTableInput, TableDescription } from '../dynamo/operation.ts'
import { FreeholdError } from '../errors.ts'
import { type TableDefinition, tableDefinition } from '../publish/table-definition.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'

const keySchema = ([partition, sort]: readonly [string, string]) =>
  [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ] as const

function createInput({ table, keyAttributes, key, indexes }: TableDefinition): CreateTableInput {
  return {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keyAttributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(key),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: keySchema(index.key),
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
  }
}

async function describe(runtime: Runtime): Promise<TableDescription | undefined> {
  try {
    return (await runtime.sender.send('DescribeTable', { TableName: runtime.table })).Table
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'missing-table') return undefined
    throw errorOf(failure)
  }
}

function checkShape(definition: TableDefinition, { KeySchema = [], GlobalSecondaryIndexes = [] }: TableDescription): void {
  const key = KeySchema.map(({ AttributeName }) => AttributeName).join(' and ')
  const missing = definition.indexes.find(({ name }) => !GlobalSecondaryIndexes.some(({ IndexName }) => IndexName === name))
  if (key === definition.key.join(' and ') && missing === undefined) return
  const what = missing === undefined ? `has the key ${key}` : `has no index ${missing.name}`
  throw new FreeholdError(
    'Unavailable',
    `The table ${definition.table} is there but ${what}: it is not this design's. Name another table.`,
    { table: definition.table },
  )
}

/** A DynamoDB table is made in seconds; each look waits a second. */
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

/**
 * Makes the design's table unless it is there. Throws `Unavailable` where a table of that name has other keys.
 * @returns true where it was made
 */
export async function ensureTable(runtime: Runtime): Promise<boolean> {
  const definition = tableDefinition(runtime.design, runtime.table)
  const isNew = (await describe(runtime)) === undefined
  if (isNew) {
    try {
      await runtime.sender.send('CreateTable', createInput(definition))
    } catch (error) {
      // Another process was faster.
      const failure = failureOf(error)
      if (failure.kind !== 'table-in-use') throw errorOf(failure)
    }
  }
  await whenActive(runtime, definition)
  if (isNew && definition.ttl !== undefined) {
    await send(runtime, 'UpdateTimeToLive', {
      TableName: runtime.table,
      TimeToLiveSpecification: { AttributeName: definition.ttl, Enabled: true },
    })
  }
  return isNew
}
