import { describe, expect, test } from 'vitest'
import { brokenRule } from './request-rules.ts'
import { keysCreated } from './rules/asked.ts'

const schema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
]
const creation = {
  TableName: 'table',
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  KeySchema: schema('PK', 'SK'),
  GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: schema('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' as const } }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}
const keysOf = () => keysCreated(creation)

const TableName = 'table'
const key = (PK: string, SK = 'META') => ({ PK: { S: PK }, SK: { S: SK } })
const ExpressionAttributeNames = { '#n0': 'name' }
const ExpressionAttributeValues = { ':v0': { S: 'x' } }
const Key = key('a')
const get = { TableName, Key }
const put = (more: object, PK = 'a') => ({ TableName, Item: { ...key(PK), ...more } })
const update = (UpdateExpression: string, value: object = { S: 'x' }, names: object = ExpressionAttributeNames) => {
  return { TableName, Key, UpdateExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: { ':v0': value } }
}
const query = (sort: string, values: object = {}, more: object = {}) => ({
  TableName,
  KeyConditionExpression: `#p = :p${sort}`,
  ExpressionAttributeNames: { '#p': 'PK', ...(sort === '' ? {} : { '#s': 'SK' }) },
  ExpressionAttributeValues: { ':p': { S: 'a' }, ...values },
  ...more,
})
const ofIndex = { IndexName: 'GSI1', ExpressionAttributeNames: { '#p': 'GSI1PK' } }
const range = (from: string, to: string) => query(' AND #s BETWEEN :s0 AND :s1', { ':s0': { S: from }, ':s1': { S: to } })
const transaction = (...TransactItems: object[]) => ({ TransactItems, ClientRequestToken: 'token' })
const check = { ConditionCheck: { ...get, ConditionExpression: 'attribute_exists(#n0)', ExpressionAttributeNames } }
const gets = (Keys: object[], more: object = {}) => ({ RequestItems: { table: { Keys, ...more } } })
const puts = (...items: object[]) => ({ RequestItems: { table: items.map((Item) => ({ PutRequest: { Item } })) } })
const keys = (count: number) => Array.from({ length: count }, (_, index) => key(String(index)))
const condition = (ConditionExpression: string) => ({
  ...put({}),
  ConditionExpression,
  ExpressionAttributeNames,
  ExpressionAttributeValues,
})

describe('keeps the rules:', () => {
  test.each<[string, object]>([
    ['GetItem', get],
    ['PutItem', put({ tags: { SS: [''] }, size: { N: '-1.5e3' }, map: { M: { empty: { S: '' } } }, GSI1PK: { S: 'x' } })],
    ['UpdateItem', update('SET #n0 = if_not_exists(#n0, :v0)')],
    ['UpdateItem', update('ADD #n0 :v0', { N: '1' })],
    ['UpdateItem', update('SET #n0.#n1 = :v0 REMOVE #n0.#n2', { S: '' }, { '#n0': 'a', '#n1': 'b', '#n2': 'c' })],
    ['PutItem', condition('(#n0 = :v0 OR NOT (#n0 IN (:v0))) AND attribute_exists(#n0)')],
    ['Query', query('')],
    ['Query', query(' AND #s <= :s0', { ':s0': { S: '\u{10ffff}' } }, { Limit: 1, ExclusiveStartKey: Key, ConsistentRead: true })],
    ['Query', query('', {}, { ...ofIndex, ExclusiveStartKey: { ...Key, GSI1PK: { S: 'x' }, GSI1SK: { S: 'x' } } })],
    ['Query', range('a', 'a')],
    ['Scan', { TableName, Segment: 0, TotalSegments: 1 }],
    ['BatchGetItem', gets(keys(100), { ProjectionExpression: '#n0', ExpressionAttributeNames })],
    ['BatchWriteItem', puts(...keys(25))],
    ['TransactWriteItems', transaction({ Put: put({}, 'b') }, check)],
    ['CreateTable', creation],
    ['DescribeTable', { TableName }],
  ])('%s %j', (operation, input) => {
    expect(brokenRule(operation, { ...input }, keysOf)).toBeUndefined()
  })
})

describe('breaks a rule:', () => {
  test.each<[string, string, object]>([
    ['an empty value in a key', 'GetItem', { TableName, Key: key('') }],
    ['a key that lacks an attribute', 'GetItem', { TableName, Key: { PK: { S: 'a' } } }],
    ['a long sort key', 'GetItem', { TableName, Key: key('a', 'x'.repeat(1_025)) }],
    ['an empty key of an index', 'PutItem', put({ GSI1PK: { S: '' } })],
    ['a key of another type', 'PutItem', put({ GSI1SK: { N: '1' } })],
    ['an item without its key', 'PutItem', { TableName, Item: { PK: { S: 'a' } } }],
    ['an empty end of a range', 'Query', range('', 'a')],
    ['a reversed range', 'Query', range('b', 'a')],
    ['an empty partition', 'Query', query('', { ':p': { S: '' } })],
    ['two comparisons of a sort key', 'Query', query(' AND #s < :s0 AND #s > :s0', { ':s0': { S: 'a' } })],
    ['a key of another index', 'Query', query('', {}, { IndexName: 'GSI1' })],
    ['a start key without that of the index', 'Query', query('', {}, { ...ofIndex, ExclusiveStartKey: Key })],
    ['a filtered key attribute', 'Query', query('', {}, { FilterExpression: '#p = :p' })],
    ['a consistent read of an index', 'Query', query('', {}, { ...ofIndex, ConsistentRead: true })],
    ['a limit of none', 'Query', query('', {}, { Limit: 0 })],
    ['a segment beyond their number', 'Scan', { TableName, Segment: 1, TotalSegments: 1 }],
    ['an updated key attribute', 'UpdateItem', update('SET #n0 = :v0', { S: 'x' }, { '#n0': 'SK' })],
    ['a name that is not used', 'PutItem', { ...put({}), ConditionExpression: 'attribute_exists(PK)', ExpressionAttributeNames }],
    ['a name that is not defined', 'PutItem', { ...put({}), ConditionExpression: 'attribute_exists(#n0)' }],
    ['a value that is not used', 'UpdateItem', { ...update('REMOVE #n0'), ExpressionAttributeValues }],
    ['a value that is not defined', 'UpdateItem', { ...update('SET #n0 = :v1'), ExpressionAttributeValues }],
    ['names of no expression', 'GetItem', { ...get, ExpressionAttributeNames: {} }],
    ['an empty expression', 'PutItem', { ...put({}), ConditionExpression: '' }],
    ['a malformed expression', 'PutItem', condition('#n0 = :v0 ;')],
    ['parentheses that say nothing', 'PutItem', condition('NOT ((#n0 = :v0))')],
    ['a comparison with itself', 'PutItem', condition('#n0 = :v0 AND #n0 = #n0')],
    ['paths that overlap', 'UpdateItem', update('SET #n0 = :v0 REMOVE #n0.#n1', { S: '' }, { '#n0': 'a', '#n1': 'b' })],
    ['projections that overlap', 'GetItem', { ...get, ProjectionExpression: 'a.b, a' }],
    ['a clause twice', 'UpdateItem', update('SET #n0 = :v0 SET #n1 = :v0', { S: '' }, { '#n0': 'a', '#n1': 'b' })],
    ['ADD of text', 'UpdateItem', update('ADD #n0 :v0')],
    ['DELETE of a number', 'UpdateItem', update('DELETE #n0 :v0', { N: '1' })],
    ['a batch of 101 keys', 'BatchGetItem', gets(keys(101))],
    ['a batch of 26 items', 'BatchWriteItem', puts(...keys(26))],
    ['a batch of none', 'BatchGetItem', gets([])],
    ['a key twice in a batch', 'BatchGetItem', gets([Key, { ...Key }])],
    ['an item twice in a batch', 'BatchWriteItem', puts(Key, { ...Key, name: { S: 'x' } })],
    ['an item twice in a transaction', 'TransactWriteItems', transaction({ Put: put({}) }, check)],
    ['a transaction of 101 actions', 'TransactWriteItems', transaction(...keys(101).map((Key) => ({ Delete: { TableName, Key } })))],
    ['a long token', 'TransactWriteItems', { ...transaction(check), ClientRequestToken: 'x'.repeat(37) }],
    ['a check without a condition', 'TransactWriteItems', transaction({ ConditionCheck: get })],
    ['an unknown action', 'TransactWriteItems', transaction({ Get: 1 })],
    ['a large item', 'PutItem', put({ fill: { S: 'x'.repeat(409_600) } })],
    [
      'a large transaction',
      'TransactWriteItems',
      transaction(...keys(11).map((Item) => ({ Put: { TableName, Item: { ...Item, fill: { S: 'x'.repeat(400_000) } } } }))),
    ],
    ['a value of two types', 'PutItem', put({ both: { S: 'a', N: '1' } })],
    ['an empty set', 'PutItem', put({ tags: { SS: [] } })],
    ['a member twice', 'PutItem', put({ tags: { NS: ['1', '1'] } })],
    ['39 digits', 'PutItem', put({ size: { N: `1${'0'.repeat(37)}1` } })],
    ['a magnitude beyond 125', 'PutItem', put({ size: { N: '1e126' } })],
    ['a number that is none', 'UpdateItem', update('SET #n0 = :v0', { N: 'NaN' })],
    ['a name of a table', 'DescribeTable', { TableName: 'a b c' }],
    ['an attribute of no key', 'CreateTable', { ...creation, GlobalSecondaryIndexes: undefined }],
    ['a table without a billing mode', 'CreateTable', { ...creation, BillingMode: undefined }],
    [
      'an index twice',
      'CreateTable',
      { ...creation, GlobalSecondaryIndexes: [...creation.GlobalSecondaryIndexes, ...creation.GlobalSecondaryIndexes] },
    ],
  ])('%s, %s', (_, operation, input) => {
    expect(brokenRule(operation, { ...input }, keysOf)).toMatchObject({
      what: expect.any(String),
      source: expect.stringMatching(/API_|Constraints|Guide/),
    })
  })
})
