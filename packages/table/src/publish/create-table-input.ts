import type { CreateTableInput, IndexInput } from '../dynamo/operation.ts'
import type { TableDefinition } from './table-definition.ts'

const keySchema = ([partition, sort]: readonly [string, string]) =>
  [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ] as const

/** An index as CreateTable and UpdateTable take it. */
export function indexInput({ name, key }: TableDefinition['indexes'][number]): IndexInput {
  return { IndexName: name, KeySchema: keySchema(key), Projection: { ProjectionType: 'ALL' } }
}

const attributesOf = (names: readonly string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }) as const)

/** The input of UpdateTable that adds an index. */
export function addIndexInput(table: string, index: TableDefinition['indexes'][number]) {
  return {
    TableName: table,
    AttributeDefinitions: attributesOf(index.key),
    GlobalSecondaryIndexUpdates: [{ Create: indexInput(index) }],
  } as const
}

/** The input of CreateTable, billed by request. CloudFormation's properties have the same names. */
export function createTableInput({ table, keyAttributes, key, indexes }: TableDefinition): CreateTableInput {
  return {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributesOf(keyAttributes),
    KeySchema: keySchema(key),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map(indexInput),
        }),
  }
}
