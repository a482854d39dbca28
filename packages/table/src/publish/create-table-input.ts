import type { CreateTableInput } from '../dynamo/operation.ts'
import type { TableDefinition } from './table-definition.ts'

const keySchema = ([partition, sort]: readonly [string, string]) =>
  [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ] as const

/** The input of CreateTable, billed by request. CloudFormation's properties have the same names. */
export function createTableInput({ table, keyAttributes, key, indexes }: TableDefinition): CreateTableInput {
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
