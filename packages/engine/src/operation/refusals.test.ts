import { beforeAll, describe, expect, test } from 'vitest'
import { memoryEngine, outcome, tableInput } from '../../test/engines.ts'
import { type Engine, openEngine } from '../index.ts'

// What DynamoDB refuses whatever is stored, with the beginning of what it says. A row is an operation, its input beside the table, and the answer.

const key = { pk: { S: 'a' }, sk: { S: 'b' } }
const v = { ExpressionAttributeValues: { ':v': { S: 'x' } } }
const values = (values: object): object => ({ ExpressionAttributeValues: values })
const deep = (levels: number): object => (levels === 0 ? { S: 'x' } : { L: [deep(levels - 1)] })
const member = '1 validation error detected: Value '
const wrongValues = 'One or more parameter values were invalid: '
const condition = 'Invalid ConditionExpression: '
const update = 'Invalid UpdateExpression: '
const keyCondition = { KeyConditionExpression: 'pk = :p AND sk = :s', ...values({ ':p': { S: 'a' }, ':s': { S: 'b' } }) }

type Row = readonly [operation: string, input: object, message: string]

const ofValues: Row[] = [
  ['PutItem', { Item: { ...key, a: {} } }, 'Supplied AttributeValue is empty, must contain exactly one'],
  ['PutItem', { Item: { ...key, a: { S: '1', N: '1' } } }, 'Supplied AttributeValue has more than one datatypes set'],
  ['PutItem', { Item: { ...key, a: { NULL: false } } }, `${wrongValues}Null attribute value types must have the value of true`],
  ['PutItem', { Item: { ...key, a: { SS: [] } } }, `${wrongValues}An string set  may not be empty`],
  ['PutItem', { Item: { ...key, a: { NS: ['1', '1.0'] } } }, 'Input collection contains duplicates'],
  [
    'PutItem',
    { Item: { ...key, a: { BS: ['AA==', 'AA=='] } } },
    `${wrongValues}Input collection [AA==, AA==]of type BS contains duplicates.`,
  ],
  ['PutItem', { Item: { ...key, a: { N: 'one' } } }, 'The parameter cannot be converted to a numeric value: one'],
  ['PutItem', { Item: { ...key, a: deep(33) } }, 'Nesting Levels have exceeded supported limits'],
  ['PutItem', { Item: { ...key, a: { S: 'x'.repeat(400 * 1024) } } }, 'Item size has exceeded the maximum allowed size'],
  ['PutItem', { Item: { pk: { S: 'a' } } }, `${wrongValues}Missing the key sk in the item`],
  ['PutItem', { Item: { pk: { S: 'a' }, sk: { N: '1' } } }, `${wrongValues}Type mismatch for key sk expected: S actual: N`],
  [
    'PutItem',
    { Item: { pk: { S: '' }, sk: { S: 'b' } } },
    'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
  ],
  [
    'PutItem',
    { Item: { pk: { S: 'a'.repeat(2049) }, sk: { S: 'b' } } },
    `${wrongValues}Size of hashkey has exceeded the maximum size limit of2048 bytes`,
  ],
  [
    'PutItem',
    { Item: { pk: { S: 'a' }, sk: { S: 'é'.repeat(513) } } },
    `${wrongValues}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
  ],
  ['PutItem', { Item: { ...key, gp: { N: '1' } } }, `${wrongValues}Type mismatch for Index Key gp Expected: S Actual: N IndexName: global`],
  [
    'PutItem',
    { Item: { ...key, gp: { S: '' } } },
    'One or more parameter values are not valid. A value specified for a secondary index key is not supported.',
  ],
  ['GetItem', { Key: { pk: { S: 'a' } } }, 'The provided key element does not match the schema'],
  ['ListTagsOfResource', { ResourceArn: 'items' }, 'Invalid TableArn: Invalid ResourceArn provided as input items'],
  ['GetItem', { Key: { ...key, other: { S: 'c' } } }, 'The provided key element does not match the schema'],
  ['GetItem', { Key: { pk: { S: 'a' }, sk: { S: '' } } }, 'One or more parameter values are not valid.'],
]

const ofRequests: Row[] = [
  ['PutItem', {}, "1 validation error detected: Value null at 'item' failed to satisfy constraint: Member must not be null"],
  ['PutItem', { Item: key, ReturnValues: 'ALL_NEW' }, 'Return values set to invalid value'],
  ['PutItem', { Item: key, ReturnValues: 'X', ReturnConsumedCapacity: 'Y' }, '2 validation errors detected: '],
  [
    'GetItem',
    { Key: key, ConsistentRead: true, AttributesToGet: ['a'], ProjectionExpression: 'b' },
    'Can not use both expression and non-expression parameters',
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a = :v', ...v, AttributeUpdates: {} },
    'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}',
  ],
  ['Query', { KeyConditionExpression: 'pk = :p', ...values({ ':p': { S: '' } }) }, 'One or more parameter values are not valid.'],
  [
    'Query',
    { KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)', ...values({ ':p': { S: 'a' }, ':s': { S: '' } }) },
    'One or more parameter values are not valid.',
  ],
  [
    'Query',
    { KeyConditionExpression: 'pk = :p', ...values({ ':p': { N: '1' } }) },
    `${wrongValues}Condition parameter type does not match schema type`,
  ],
  ['Query', { KeyConditionExpression: 'pk > :p', ...values({ ':p': { S: 'a' } }) }, 'Query key condition not supported'],
  [
    'Query',
    { KeyConditionExpression: 'pk = :p OR sk = :p', ...values({ ':p': { S: 'a' } }) },
    'Invalid operator used in KeyConditionExpression: OR',
  ],
  [
    'Query',
    { KeyConditionExpression: 'pk = :p AND sk <> :p', ...values({ ':p': { S: 'a' } }) },
    'Invalid operator used in KeyConditionExpression: <>',
  ],
  [
    'Query',
    { KeyConditionExpression: 'pk = :p AND sk > :p AND sk < :p', ...values({ ':p': { S: 'a' } }) },
    'KeyConditionExpressions must only contain one condition per key',
  ],
  [
    'Query',
    { KeyConditionExpression: 'pk = :p AND more = :p', ...values({ ':p': { S: 'a' } }) },
    'Query condition missed key schema element: sk',
  ],
  ['Query', {}, 'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'],
  [
    'Query',
    { ...keyCondition, FilterExpression: 'sk = :s' },
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: sk',
  ],
  ['Query', { ...keyCondition, IndexName: 'none' }, 'The table does not have the specified index: none'],
  [
    'Query',
    { KeyConditionExpression: 'gp = :v', ...v, IndexName: 'global', ConsistentRead: true },
    'Consistent reads are not supported on global secondary indexes',
  ],
  [
    'Query',
    { KeyConditionExpression: 'gp = :v', ...v, IndexName: 'global', Select: 'ALL_ATTRIBUTES' },
    `${wrongValues}Select type ALL_ATTRIBUTES is not supported for global secondary index global`,
  ],
  [
    'Query',
    { KeyConditionExpression: 'gp = :v', ...v, IndexName: 'global', ProjectionExpression: 'more' },
    `${wrongValues}Global secondary index global does not project [more]`,
  ],
  ['Query', { ...keyCondition, ExclusiveStartKey: { pk: { S: 'a' } } }, 'The provided starting key is invalid'],
  [
    'Query',
    { ...keyCondition, ExclusiveStartKey: { pk: { S: 'z' }, sk: { S: 'b' } } },
    'The provided starting key is outside query boundaries',
  ],
  ['Scan', { Segment: 0 }, 'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'],
  ['Scan', { ExclusiveStartKey: { ...key, more: { S: 'x' } } }, 'The provided starting key is invalid'],
  [
    'Scan',
    { Select: 'SPECIFIC_ATTRIBUTES' },
    'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
  ],
]

const ofExpressions: Row[] = [
  ['PutItem', { Item: key, ConditionExpression: '' }, `${condition}The expression can not be empty;`],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a = :v', ...v, ExpressionAttributeNames: {} },
    'ExpressionAttributeNames must not be empty',
  ],
  ['PutItem', { Item: key, ConditionExpression: 'a = :v AND', ...v }, `${condition}Syntax error; token: "<EOF>", near: "AND"`],
  ['PutItem', { Item: key, ConditionExpression: 'a = ! :v', ...v }, `${condition}Syntax error; token: "!", near: "= ! :v"`],
  ['PutItem', { Item: key, ConditionExpression: '((a = :v))', ...v }, `${condition}The expression has redundant parentheses;`],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'size(a)' },
    `${condition}The function is not allowed to be used this way in an expression; function: size`,
  ],
  ['PutItem', { Item: key, ConditionExpression: 'Attribute_Exists(a)' }, `${condition}Invalid function name; function: Attribute_Exists`],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'attribute_exists(:v)', ...v },
    `${condition}Operator or function requires a document path; operator or function: attribute_exists`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'begins_with(a)' },
    `${condition}Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'begins_with(a, :v)', ...values({ ':v': { N: '1' } }) },
    `${condition}Incorrect operand type for operator or function; operator or function: begins_with, operand type: N`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a < :v', ...values({ ':v': { BOOL: true } }) },
    `${condition}Incorrect operand type for operator or function; operator or function: <, operand type: BOOL`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a = a' },
    `${condition}The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a BETWEEN :l AND :h', ...values({ ':l': { N: '2' }, ':h': { N: '1' } }) },
    `${condition}The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}`,
  ],
  ['PutItem', { Item: key, ConditionExpression: 'attribute_type(a, :v)', ...v }, `${condition}Invalid attribute type name found; type: x`],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'status = :v', ...v },
    `${condition}Attribute name is a reserved keyword; reserved keyword: status`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: '#a = :v', ...v },
    `${condition}An expression attribute name used in the document path is not defined; attribute name: #a`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a = :w', ...v },
    `${condition}An expression attribute value used in expression is not defined; attribute value: :w`,
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'attribute_exists(a)', ...v },
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}',
  ],
  ['PutItem', { Item: key, ...v }, 'ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null'],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a = :v', ...values({ ':v': { N: 'x' } }) },
    'ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v',
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: 'a = v', ...values({ v: { N: '1' } }) },
    'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"',
  ],
  [
    'PutItem',
    { Item: key, ConditionExpression: `attribute_exists(${'a'.repeat(4096)})` },
    `${condition}Expression size has exceeded the maximum allowed size; expression size: 4114`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a = :v SET b = :v', ...v },
    `${update}The "SET" section can only be used once in an update expression;`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a = :v, a.b = :v', ...v },
    `${update}Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a.b = :v REMOVE a[1]', ...v },
    `${update}Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'ADD a :v', ...v },
    `${update}Incorrect operand type for operator or function; operator: ADD, operand type: STRING`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a = b + :v', ...v },
    `${update}Incorrect operand type for operator or function; operator or function: +, operand type: S`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a = attribute_exists(b)' },
    `${update}The function is not allowed in an update expression; function: attribute_exists`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET pk = :v', ...v },
    `${wrongValues}Cannot update attribute pk. This attribute is part of the key`,
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a = b' },
    'The provided expression refers to an attribute that does not exist in the item',
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET a.b = :v', ...v },
    'The document path provided in the update expression is invalid for update',
  ],
  [
    'UpdateItem',
    { Key: key, UpdateExpression: 'SET gp = :v', ...values({ ':v': { N: '1' } }) },
    `${wrongValues}Type mismatch for Index Key gp Expected: S Actual: N IndexName: global`,
  ],
  [
    'GetItem',
    { Key: key, ProjectionExpression: 'a, a.b' },
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]',
  ],
]

const put = { Put: { TableName: 'items', Item: key } }
const ofGroups: Row[] = [
  [
    'BatchWriteItem',
    { RequestItems: { items: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } }] } },
    'Provided list of item keys contains duplicates',
  ],
  ['BatchGetItem', { RequestItems: { items: { Keys: [key, key] } } }, 'Provided list of item keys contains duplicates'],
  ['BatchGetItem', { RequestItems: {} }, 'The requestItems parameter is required for BatchGetItem'],
  ['TransactWriteItems', { TransactItems: [put, put] }, 'Transaction request cannot include multiple operations on one item'],
  [
    'TransactWriteItems',
    { TransactItems: [{ ...put, Delete: { TableName: 'items', Key: key } }] },
    'TransactItems can only contain one of Check, Put, Update or Delete',
  ],
  [
    'TransactGetItems',
    { TransactItems: [{ Get: { TableName: 'items', Key: key } }, { Get: { TableName: 'items', Key: key } }] },
    'Transaction request cannot include multiple operations on one item',
  ],
]

const manyKeys = (count: number) => Array.from({ length: count }, (_, at) => ({ pk: { S: 'a' }, sk: { S: String(at) } }))
const manyPuts = manyKeys(26).map((Item) => ({ PutRequest: { Item } }))
const ofLengths: Row[] = [
  ['GetItem', { TableName: 'a b', Key: key }, `${member}'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular`],
  [
    'TransactWriteItems',
    { TransactItems: [put], ClientRequestToken: 'x'.repeat(37) },
    `${member}'${'x'.repeat(37)}' at 'clientRequestToken'`,
  ],
  [
    'Query',
    { ...keyCondition, Limit: 0 },
    `${member}at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
  ],
  ['Scan', { Segment: 0, TotalSegments: 1_000_001 }, `${member}'1000001' at 'totalSegments' failed to satisfy constraint: Member must`],
  [
    'TransactGetItems',
    { TransactItems: [] },
    `${member}'[]' at 'transactItems' failed to satisfy constraint: Member must have length greater`,
  ],
  ['BatchGetItem', { RequestItems: { items: { Keys: manyKeys(101) } } }, `${member}at 'RequestItems.items.member.Keys' failed to satisfy`],
  ['BatchGetItem', { RequestItems: { items: { Keys: manyKeys(60) }, other: { Keys: manyKeys(60) } } }, 'Too many items requested for'],
  ['BatchWriteItem', { RequestItems: {} }, 'The requestItems parameter is required for BatchWriteItem'],
  ['BatchWriteItem', { RequestItems: { items: manyPuts } }, `${member}'{items=[com.amazonaws.dynamodb.v20120810.WriteRequest@`],
  ['BatchWriteItem', { RequestItems: { items: [{ ...manyPuts[0], DeleteRequest: { Key: key } }] } }, 'Supplied AttributeValue has more'],
]

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' })
const pk = hash('pk')
const index = (KeySchema: object[], Projection: object = { ProjectionType: 'ALL' }, IndexName = 'gsi') => ({
  IndexName,
  KeySchema,
  Projection,
})
const ofKey = (...KeySchema: object[]) => ({ KeySchema })
const global = (...GlobalSecondaryIndexes: object[]) => ({ GlobalSecondaryIndexes })
const local = (...LocalSecondaryIndexes: object[]) => ({ LocalSecondaryIndexes })
const projecting = (ProjectionType: string, ...NonKeyAttributes: string[]) => global(index([pk], { ProjectionType, NonKeyAttributes }))
const numbered = (count: number, keys: object[]) => Array.from({ length: count }, (_, at) => index(keys, undefined, `index${at}`))
const definitions: readonly (readonly [object, string])[] = [
  [ofKey(pk, range('none')), 'Invalid KeySchema: Some index key attribute have no definition'],
  [ofKey(range('pk'), range('sk')), 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'],
  [ofKey(pk, hash('sk')), 'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type'],
  [ofKey(pk), `${wrongValues}Number of attributes in KeySchema does not exactly match`],
  [global(), `${wrongValues}List of GlobalSecondaryIndexes is empty`],
  [global(index([hash('none')])), `${wrongValues}Some index key attributes are not defined in AttributeDefinitions. Keys: [none],`],
  [global(index([pk, range('pk')])), 'Both the Hash Key and the Range Key element in the KeySchema have the same name for index: gsi'],
  [global(index([pk]), index([pk])), `${wrongValues}Duplicate index name: gsi`],
  [global(...numbered(21, [pk])), `${wrongValues}GlobalSecondaryIndex count exceeds the per-table limit of 20`],
  [local(...numbered(6, [pk, range('sk')])), `${wrongValues}Number of LocalSecondaryIndexes exceeds per-table limit of 5`],
  [local(index([pk])), `${wrongValues}Index KeySchema does not have a range key for index: gsi`],
  [local(index([hash('sk'), range('pk')])), `${wrongValues}Index KeySchema does not have the same leading hash key as table KeySchema`],
  [global(index([pk], {})), `${wrongValues}Unknown ProjectionType: null`],
  [projecting('ALL', 'a'), `${wrongValues}ProjectionType is ALL, but NonKeyAttributes is specified`],
  [global(index([pk], { ProjectionType: 'INCLUDE' })), `${wrongValues}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`],
  [projecting('INCLUDE', 'a', 'a'), `${wrongValues}Duplicate attribute in NonKeyAttributes`],
  [{ BillingMode: 'PROVISIONED' }, `${wrongValues}ReadCapacityUnits and WriteCapacityUnits must both be specified`],
]
const ofTables = definitions.map(([change, message]): Row => ['CreateTable', { ...tableInput(), ...change }, message])

describe('DynamoDB refuses', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await openEngine({ memory: true })
    await engine.execute(
      'CreateTable',
      tableInput({
        global: {
          global: [
            ['gp', 'S'],
            ['gs', 'N'],
          ],
        },
        projection: { ProjectionType: 'KEYS_ONLY' },
      }),
    )
  })

  const titled = (rows: readonly Row[]) => rows.map(([operation, input, message]) => ({ operation, message, input }))
  test.each(titled([...ofValues, ...ofRequests, ...ofExpressions, ...ofGroups, ...ofLengths, ...ofTables]))(
    '$operation: $message',
    async ({ operation, input, message }) => {
      const ofTable = operation.startsWith('Batch') || operation.startsWith('Transact') ? input : { TableName: 'items', ...input }
      const refused = await outcome(engine, operation, ofTable)
      expect(refused.error).toBe('ValidationException')
      expect(String(refused.message).slice(0, message.length)).toBe(message)
    },
  )

  test.each([
    ['PutItem', { TableName: 5, Item: key }],
    ['PutItem', { TableName: 'items', Item: { ...key, a: { S: 5 } } }],
    ['PutItem', { TableName: 'items', Item: { ...key, a: { B: 'no base64' } } }],
    ['PutItem', { TableName: 'items', Item: [] }],
  ])('%s of a member of another type as a SerializationException: %j', async (operation, input) => {
    expect(await outcome(engine, operation, input)).toMatchObject({ error: 'SerializationException' })
  })

  test('a request to a table that is not there, and an operation that it does not have', async () => {
    expect(await outcome(engine, 'GetItem', { TableName: 'none', Key: key })).toMatchObject({ error: 'ResourceNotFoundException' })
    expect(await outcome(engine, 'ExecuteStatement', {})).toMatchObject({ error: 'UnknownOperationException' })
  })
})

test('an ARN of another account is refused', async () => {
  const ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/items'
  expect(await outcome(await memoryEngine(), 'ListTagsOfResource', { ResourceArn })).toMatchObject({ error: 'AccessDeniedException' })
})
