import type { CreateTableInput } from '../dynamo/operation.ts'
import type { TableDefinition } from './table-definition.ts'

const keySchema = ([partition, sort]: readonly [string, string]) =>
  [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ] as const

/** What DynamoDB is asked for to make a table, billed by request: CreateTable's input, and CloudFormation's properties by the same names. */
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
