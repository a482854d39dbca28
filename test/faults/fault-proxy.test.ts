import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { toItem } from '../../packages/table/src/dynamo/attribute-value.ts'
import type { Sender } from '../../packages/table/src/dynamo/sender.ts'
import { senderOf } from '../../packages/table/src/dynamo/sender-of.ts'
import { endpoint } from '../engine/endpoint.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

const table = `faults-${randomUUID()}`
const direct = senderOf({ endpoint })
const put = (PK: string) => ({ TableName: table, Item: toItem({ PK }) })
const get = (PK: string) => ({ TableName: table, Key: toItem({ PK }), ConsistentRead: true })
const stored = async (PK: string) => (await direct.send('GetItem', get(PK))).Item !== undefined
const writes = (...keys: readonly string[]) => ({ [table]: keys.map((PK) => ({ PutRequest: { Item: toItem({ PK }) } })) })

let proxy: FaultProxy
let sender: Sender

beforeAll(async () => {
  await direct.send('CreateTable', {
    TableName: table,
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return () => direct.close()
})

beforeEach(async () => {
  proxy = await startFaultProxy()
  sender = senderOf({ endpoint: proxy.endpoint })
})

afterEach(async () => {
  sender.close()
  await proxy.close()
})

test('requests without a rule pass unchanged and are logged', async () => {
  await sender.send('PutItem', put('plain'))
  expect(await sender.send('GetItem', get('plain'))).toEqual(await direct.send('GetItem', get('plain')))
  expect(proxy.log).toEqual([
    { operation: 'PutItem', input: put('plain') },
    { operation: 'GetItem', input: get('plain') },
  ])
})

test.each([
  ['throttle', 'ProvisionedThroughputExceededException'],
  ['conflict', 'TransactionConflictException'],
  ['refuse', 'ValidationException'],
  ['fail', 'InternalServerError'],
] as const)('%s refuses without applying', async (kind, name) => {
  proxy.add({ fault: { kind } })
  await expect(sender.send('PutItem', put(kind))).rejects.toMatchObject({ name })
  expect(await stored(kind)).toBe(false)
})

test('a conflict cancels a transaction with a reason for each action', async () => {
  proxy.add({ operation: 'TransactWriteItems', fault: { kind: 'conflict' } })
  const TransactItems = [{ Put: put('t1') }, { Put: put('t2') }]
  await expect(sender.send('TransactWriteItems', { TransactItems })).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
  })
})

test('a lost answer was applied, a lost request was not', async () => {
  proxy.add({ fault: { kind: 'lose-answer' } }, { fault: { kind: 'lose-request' } })
  await expect(sender.send('PutItem', put('answer'))).rejects.toThrow()
  await expect(sender.send('PutItem', put('request'))).rejects.toThrow()
  expect([await stored('answer'), await stored('request')]).toEqual([true, false])
  expect(proxy.log.map(({ fault }) => fault)).toEqual(['lose-answer', 'lose-request'])
})

test('part of a batch is left over', async () => {
  proxy.add({ operation: 'BatchWriteItem', fault: { kind: 'unprocessed', left: 2 } })
  const { UnprocessedItems } = await sender.send('BatchWriteItem', { RequestItems: writes('b1', 'b2', 'b3') })
  expect(UnprocessedItems).toEqual(writes('b2', 'b3'))
  expect([await stored('b1'), await stored('b2'), await stored('b3')]).toEqual([true, false, false])

  await direct.send('PutItem', put('b2'))
  proxy.add({ operation: 'BatchGetItem', fault: { kind: 'unprocessed', left: 1 } })
  const Keys = [toItem({ PK: 'b1' }), toItem({ PK: 'b2' })]
  const { Responses, UnprocessedKeys } = await sender.send('BatchGetItem', { RequestItems: { [table]: { Keys, ConsistentRead: true } } })
  expect(Responses?.[table]).toEqual([toItem({ PK: 'b1' })])
  expect(UnprocessedKeys).toEqual({ [table]: { Keys: [toItem({ PK: 'b2' })], ConsistentRead: true } })
})

test('all of a batch is left over', async () => {
  proxy.add({ operation: 'BatchWriteItem', fault: { kind: 'unprocessed', left: 25 } })
  expect(await sender.send('BatchWriteItem', { RequestItems: writes('c1') })).toEqual({ UnprocessedItems: writes('c1') })
  expect(await stored('c1')).toBe(false)
})

test('something else can be done first', async () => {
  const run = async () => void (await direct.send('PutItem', put('race')))
  proxy.add({ operation: 'PutItem', fault: { kind: 'interleave', run } })
  const create = { ...put('race'), ConditionExpression: 'attribute_not_exists(PK)' }
  await expect(sender.send('PutItem', create)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
})

test('a rule counts the requests that it matches', async () => {
  const when = (input: { readonly Item?: unknown }) => JSON.stringify(input.Item).includes('counted')
  proxy.add({ operation: 'PutItem', when, fault: { kind: 'throttle' }, after: 1, times: 2 })
  const outcomes: string[] = []
  for (const PK of ['counted', 'other', 'counted', 'other', 'counted', 'counted']) {
    const outcome = sender.send('PutItem', put(PK))
    outcomes.push(
      await outcome.then(
        () => 'applied',
        () => 'refused',
      ),
    )
  }
  expect(outcomes).toEqual(['applied', 'applied', 'refused', 'applied', 'refused', 'applied'])
})
