import { expect, test } from 'vitest'
import { checkAnswer, MalformedAnswer } from './answer.ts'
import { failureOf } from './error.ts'
import type { Operation } from './operation.ts'
import { sendWithRetry } from './retry.ts'
import type { Sender } from './sender.ts'

test.each<[Operation, unknown]>([
  ['GetItem', {}],
  ['GetItem', { Item: { PK: { S: 'a' } } }],
  ['PutItem', {}],
  ['Query', { Items: [] }],
  ['Query', { Items: [{ PK: { S: 'a' } }], LastEvaluatedKey: { PK: { S: 'a' } } }],
  ['BatchGetItem', { Responses: { t: [{ PK: { S: 'a' } }] }, UnprocessedKeys: {} }],
  ['BatchGetItem', { UnprocessedKeys: { t: { Keys: [{ PK: { S: 'a' } }] } } }],
  ['BatchWriteItem', {}],
  ['TransactWriteItems', {}],
])('%s may answer %j', (operation, answer) => {
  expect(checkAnswer(operation, answer as never)).toBe(answer)
})

const malformed: [Operation, unknown][] = [
  ['GetItem', null],
  ['GetItem', []],
  ['GetItem', 'text'],
  ['GetItem', undefined],
  ['GetItem', { Item: null }],
  ['GetItem', { Item: [] }],
  ['GetItem', { Item: { PK: null } }],
  ['Query', {}],
  ['Query', { Items: null }],
  ['Query', { Items: [null] }],
  ['Query', { Items: [], LastEvaluatedKey: null }],
  ['BatchGetItem', {}],
  ['BatchGetItem', { Responses: null }],
  ['BatchGetItem', { Responses: { t: null } }],
  ['BatchGetItem', { Responses: {}, UnprocessedKeys: { t: {} } }],
  ['PutItem', null],
  ['PutItem', { Item: null }],
  ['PutItem', { message: 'upstream unavailable' }],
  ['TransactWriteItems', { Item: null }],
  ['TransactWriteItems', []],
]

test.each(malformed)('%s does not answer %j', (operation, answer) => {
  expect(() => checkAnswer(operation, answer as never)).toThrow(MalformedAnswer)
})

const pace = { monotonic_ms: () => 0, sleep: async () => {}, random: () => 0, repeatable: true }

test.each(malformed)('%s that is answered %j is Unavailable, and uncertain where it writes', async (operation, answer) => {
  const sender: Sender = { send: async () => answer as never, close: () => {} }
  const isRead = operation === 'GetItem' || operation === 'Query' || operation === 'BatchGetItem'
  await expect(sendWithRetry(sender, operation, {} as never, pace)).rejects.toMatchObject({
    code: 'Unavailable',
    details: { uncertain: !isRead },
  })
})

test.each<[string, object]>([
  ['TransactionCanceledException', { CancellationReasons: null }],
  ['TransactionCanceledException', { CancellationReasons: [null] }],
  ['TransactionCanceledException', { CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: null }] }],
  ['ConditionalCheckFailedException', { Item: null }],
  ['ConditionalCheckFailedException', { Item: [] }],
])('a refusal %s with %j is no refusal', (name, body) => {
  expect(failureOf(Object.assign(new Error(name), body, { name })).kind).toBe('lost')
})
