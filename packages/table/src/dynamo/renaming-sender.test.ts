import { expect, test } from 'vitest'
import { map, text, ulid } from '../design/attributes.ts'
import { entity } from '../design/entity.ts'
import { compileNames } from '../design/names.ts'
import { failureOf } from './error.ts'
import type { Inputs, Operation } from './operation.ts'
import { renamingSender } from './renaming-sender.ts'

const User = entity('User', { attributes: { id: ulid(), name: text(), more: map() }, key: ['USER#{id}', 'META'] })
const names = compileNames({ partitionKey: 'pk', type: 'kind', attributes: { name: 'full' }, types: { User: 'user' } }, [User])
const S = (text: string) => ({ S: text })
const own = { PK: S('a'), SK: S('b') }
const theirs = { pk: S('a'), SK: S('b') }
const ownItem = { ...own, Type: S('User'), name: S('n'), more: { M: { name: S('within'), Type: S('User') } }, pk: S('unknown') }
const theirItem = { ...theirs, kind: S('user'), full: S('n'), more: { M: { name: S('within'), Type: S('User') } }, PK: S('unknown') }

/** Sends one request, which the table answers with `answer`. Returns both. */
async function through<O extends Operation>(operation: O, input: Inputs[O], answer: object) {
  const sent: unknown[] = []
  const table = {
    send: async (_operation: unknown, request: unknown) => {
      sent.push(request)
      if (answer instanceof Error) throw answer
      return answer as never
    },
    close: () => undefined,
  }
  const answered: unknown = await renamingSender(table, names)
    .send(operation, input)
    .catch((error: unknown) => error)
  return { sent: sent[0], answered }
}

const TableName = 'Key' // a table may be called like a member of a request
const paths = {
  ConditionExpression: '#n0.#n1 = :v0 AND #n1 = :v1 AND #n2 IN (:v2, :v3) AND #n2 <> :v4',
  ExpressionAttributeNames: { '#n0': 'more', '#n1': 'name', '#n2': 'Type' },
  ExpressionAttributeValues: { ':v0': S('User'), ':v1': S('User'), ':v2': S('User'), ':v3': S('Job'), ':v4': S('User') },
}
const theirPaths = {
  ConditionExpression: '#n0.#n1_ = :v0 AND #n1 = :v1 AND #n2 IN (:v2, :v3) AND #n2 <> :v4',
  ExpressionAttributeNames: { '#n0': 'more', '#n1_': 'name', '#n1': 'full', '#n2': 'kind' },
  ExpressionAttributeValues: { ':v0': S('User'), ':v1': S('User'), ':v2': S('user'), ':v3': S('Job'), ':v4': S('user') },
}

/** The `Type` of a document is none of an item. */
const within = { ExpressionAttributeNames: { '#n0': 'more', '#n1': 'Type' }, ExpressionAttributeValues: { ':v0': S('User') } }

type Case = { [O in Operation]: readonly [O, Inputs[O], unknown, object, unknown] }[Operation]
const cases: readonly Case[] = [
  ['GetItem', { TableName, Key: own }, { TableName, Key: theirs }, { Item: theirItem }, { Item: ownItem }],
  ['PutItem', { TableName, Item: ownItem, ...paths }, { TableName, Item: theirItem, ...theirPaths }, {}, {}],
  [
    'UpdateItem',
    {
      TableName,
      Key: own,
      UpdateExpression: 'SET #n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'Type' },
      ExpressionAttributeValues: { ':v0': S('User') },
    },
    {
      TableName,
      Key: theirs,
      UpdateExpression: 'SET #n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'kind' },
      ExpressionAttributeValues: { ':v0': S('user') },
    },
    { Attributes: theirItem },
    { Attributes: ownItem },
  ],
  [
    'PutItem',
    { TableName, Item: own, ConditionExpression: '#n0.#n1 = :v0', ...within },
    {
      TableName,
      Item: theirs,
      ConditionExpression: '#n0.#n1_ = :v0',
      ...within,
      ExpressionAttributeNames: { '#n0': 'more', '#n1_': 'Type' },
    },
    {},
    {},
  ],
  [
    'Scan',
    { TableName, ExclusiveStartKey: own },
    { TableName, ExclusiveStartKey: theirs },
    { Items: [theirItem], LastEvaluatedKey: theirs },
    { Items: [ownItem], LastEvaluatedKey: own },
  ],
  [
    'BatchGetItem',
    { RequestItems: { [TableName]: { Keys: [own] } } },
    { RequestItems: { [TableName]: { Keys: [theirs] } } },
    { Responses: { [TableName]: [theirItem] }, UnprocessedKeys: { [TableName]: { Keys: [theirs] } } },
    { Responses: { [TableName]: [ownItem] }, UnprocessedKeys: { [TableName]: { Keys: [own] } } },
  ],
  [
    'BatchWriteItem',
    { RequestItems: { [TableName]: [{ PutRequest: { Item: ownItem } }, { DeleteRequest: { Key: own } }] } },
    { RequestItems: { [TableName]: [{ PutRequest: { Item: theirItem } }, { DeleteRequest: { Key: theirs } }] } },
    { UnprocessedItems: { [TableName]: [{ PutRequest: { Item: theirItem } }] } },
    { UnprocessedItems: { [TableName]: [{ PutRequest: { Item: ownItem } }] } },
  ],
  [
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName, Item: ownItem } }, { ConditionCheck: { TableName, Key: own, ...paths } }] },
    { TransactItems: [{ Put: { TableName, Item: theirItem } }, { ConditionCheck: { TableName, Key: theirs, ...theirPaths } }] },
    {},
    {},
  ],
]

test.each(cases)('%s has the names of the table, and its answer those of the design', async (operation, input, request, answer, read) => {
  // Each case has the input of its own operation.
  const { sent, answered } = await through(operation as 'GetItem', input as Inputs['GetItem'], answer)
  expect(sent).toEqual(request)
  expect(answered).toEqual(read)
})

test('items that an error returns have the names of the design', async () => {
  const condition = Object.assign(new Error('refused'), { name: 'ConditionalCheckFailedException', Item: theirItem })
  const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: theirItem }]
  const cancelled = Object.assign(new Error('cancelled'), { name: 'TransactionCanceledException', CancellationReasons: reasons })
  const input = { TableName, Item: ownItem }
  expect(failureOf((await through('PutItem', input, condition)).answered)).toMatchObject({ kind: 'condition', item: ownItem })
  expect(failureOf((await through('PutItem', input, cancelled)).answered)).toMatchObject({
    kind: 'cancelled',
    reasons: [{ code: 'None' }, { code: 'ConditionalCheckFailed', item: ownItem }],
  })
})
