import { anything, flag, list, map, required, type Shape, structure, text, whole } from './shape.ts'

// Members with constraints, as the API reference lists them. Members that no rule concerns are missing: whatever they hold is ignored.

const name = { min: 1, max: 255, pattern: '[a-zA-Z0-9_.-]+' }
const newName = { min: 3, max: 255, pattern: '[a-zA-Z0-9_.-]+' }
const tableName = required(text(name))
const capacity = { ReturnConsumedCapacity: text({ among: ['INDEXES', 'TOTAL', 'NONE'] }) }
const metrics = { ReturnItemCollectionMetrics: text({ among: ['SIZE', 'NONE'] }) }
const returnValues = { ReturnValues: text({ among: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] }) }
const onFailure = { ReturnValuesOnConditionCheckFailure: text({ among: ['ALL_OLD', 'NONE'] }) }
const bound = { ExpressionAttributeNames: map(), ExpressionAttributeValues: map() }
const condition = { ConditionExpression: text(), ...bound, ...onFailure }
const projection = { ProjectionExpression: text(), ExpressionAttributeNames: map(), AttributesToGet: list(text(), { min: 1 }) }
const legacyCondition = { Expected: map(), ConditionalOperator: text({ among: ['OR', 'AND'] }) }

const reading: Shape = {
  TableName: tableName,
  IndexName: text({ ...newName }),
  ...capacity,
  Select: text({ among: ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'] }),
  ...projection,
  ...bound,
  FilterExpression: text(),
  ConditionalOperator: text({ among: ['OR', 'AND'] }),
  ConsistentRead: flag(),
  ExclusiveStartKey: map(),
}

const keySchema = list(
  structure({ AttributeName: required(text({ min: 1, max: 255 })), KeyType: required(text({ among: ['HASH', 'RANGE'] })) }),
  {
    min: 1,
    max: 2,
    of: 'KeySchemaElement',
  },
)
const indexProjection = structure({
  ProjectionType: text({ among: ['ALL', 'INCLUDE', 'KEYS_ONLY'] }),
  NonKeyAttributes: list(text({ min: 1, max: 255 }), { min: 1 }),
})
const throughput = structure({ ReadCapacityUnits: required(whole({ min: 1 })), WriteCapacityUnits: required(whole({ min: 1 })) })
const index = {
  IndexName: required(text(newName)),
  KeySchema: required(keySchema),
  Projection: required(indexProjection),
  ProvisionedThroughput: throughput,
}
const attributeDefinitions = list(
  structure({ AttributeName: required(text({ min: 1, max: 255 })), AttributeType: required(text({ among: ['B', 'N', 'S'] })) }),
)
const billingMode = text({ among: ['PROVISIONED', 'PAY_PER_REQUEST'] })
const tableSettings = {
  BillingMode: billingMode,
  ProvisionedThroughput: throughput,
  DeletionProtectionEnabled: flag(),
  TableClass: text({ among: ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'] }),
}

const keysToGet = structure({ Keys: required(list(map(), { min: 1 })), ...projection, ConsistentRead: flag() })
const put = structure({ TableName: tableName, Item: required(map()), ...condition })
const update = structure({ TableName: tableName, Key: required(map()), UpdateExpression: required(text()), ...condition })
const remove = structure({ TableName: tableName, Key: required(map()), ...condition })
const check = structure({ TableName: tableName, Key: required(map()), ...condition, ConditionExpression: required(text()) })
const transaction = { min: 1, max: 100 }
const writeRequest = structure({ PutRequest: structure({ Item: required(map()) }), DeleteRequest: structure({ Key: required(map()) }) })

export const shapes = {
  GetItem: { TableName: tableName, Key: required(map()), ...projection, ...capacity, ConsistentRead: flag() },
  PutItem: { TableName: tableName, Item: required(map()), ...capacity, ...metrics, ...returnValues, ...condition, ...legacyCondition },
  UpdateItem: {
    TableName: tableName,
    Key: required(map()),
    ...capacity,
    ...metrics,
    ...returnValues,
    UpdateExpression: text(),
    AttributeUpdates: map(),
    ...condition,
    ...legacyCondition,
  },
  DeleteItem: { TableName: tableName, Key: required(map()), ...capacity, ...metrics, ...returnValues, ...condition, ...legacyCondition },
  Query: { ...reading, KeyConditionExpression: text(), KeyConditions: map(), QueryFilter: map(), Limit: whole(), ScanIndexForward: flag() },
  Scan: {
    ...reading,
    ScanFilter: map(),
    Limit: whole({ min: 1 }),
    Segment: whole({ min: 0, max: 999_999 }),
    TotalSegments: whole({ min: 1, max: 1_000_000 }),
  },
  BatchGetItem: { RequestItems: required(map(keysToGet)), ...capacity },
  BatchWriteItem: { RequestItems: required(map(list(writeRequest))), ...capacity, ...metrics },
  TransactGetItems: {
    TransactItems: required(
      list(structure({ Get: required(structure({ TableName: tableName, Key: required(map()), ...projection })) }), transaction),
    ),
    ...capacity,
  },
  TransactWriteItems: {
    TransactItems: required(list(structure({ ConditionCheck: check, Put: put, Delete: remove, Update: update }), transaction)),
    ...capacity,
    ...metrics,
    ClientRequestToken: text({ min: 1, max: 36 }),
  },
  CreateTable: {
    AttributeDefinitions: required(attributeDefinitions),
    TableName: text(newName),
    KeySchema: required(keySchema),
    LocalSecondaryIndexes: list(structure({ ...index })),
    GlobalSecondaryIndexes: list(structure(index)),
    ...tableSettings,
    Tags: list(structure({ Key: required(text({ min: 1, max: 128 })), Value: required(text({ max: 256 })) })),
  },
  UpdateTable: {
    AttributeDefinitions: attributeDefinitions,
    TableName: tableName,
    ...tableSettings,
    GlobalSecondaryIndexUpdates: list(
      structure({
        Update: structure({ IndexName: required(text(newName)), ProvisionedThroughput: required(throughput) }),
        Create: structure(index),
        Delete: structure({ IndexName: required(text(newName)) }),
      }),
    ),
  },
  DescribeTable: { TableName: tableName },
  DeleteTable: { TableName: tableName },
  ListTables: { ExclusiveStartTableName: text(newName), Limit: whole({ min: 1, max: 100 }) },
  UpdateTimeToLive: {
    TableName: tableName,
    TimeToLiveSpecification: required(structure({ Enabled: required(flag()), AttributeName: required(text({ min: 1, max: 255 })) })),
  },
  DescribeTimeToLive: { TableName: tableName },
  TagResource: { ResourceArn: required(text({ min: 1, max: 1283 })), Tags: required(list(anything())) },
  UntagResource: { ResourceArn: required(text({ min: 1, max: 1283 })), TagKeys: required(list(text())) },
  ListTagsOfResource: { ResourceArn: required(text({ min: 1, max: 1283 })) },
} as const satisfies Readonly<Record<string, Shape>>
