import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { takeBroken } from '../../../../test/engine/checked-sender.ts'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { fromItem, toItem } from './attribute-value.ts'
import { failureOf } from './error.ts'
import type { Sender } from './sender.ts'
import { senderOf } from './sender-of.ts'

/** A client as a caller has one. */
const ownClient = (url: string) =>
  new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'mine', secretAccessKey: 'mine' }, maxAttempts: 1 })

const client = ownClient(endpoint)

/** All implementations of the port keep the same promises. */
const senders: readonly [string, Sender][] = [
  ['a sender of our own', senderOf({ endpoint })],
  ["a sender over a caller's own client", senderOf({ client })],
]

afterAll(() => {
  for (const [, sender] of senders) sender.close()
  client.destroy()
})

const full = {
  text: 'ä€𝒏',
  whole: 12,
  part: -0.25,
  yes: true,
  none: null,
  list: [1, ['two']],
  map: { a: { b: 'c' } },
  bytes: Uint8Array.of(0, 255),
}

describe.each(senders)('%s', (_, sender) => {
  const table = `sender-${randomUUID()}`
  const measured = { TableName: table, ReturnConsumedCapacity: 'TOTAL' } as const
  const key = (sort: string) => toItem({ PK: 'a', SK: sort })

  beforeAll(async () => {
    await sender.send('CreateTable', {
      TableName: table,
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
  })

  test('writes and reads an item of every type, and tells its units', async () => {
    await sender.send('PutItem', { ...measured, Item: toItem({ PK: 'a', SK: 'full', ...full }) })
    const { Item, ConsumedCapacity } = await sender.send('GetItem', { ...measured, Key: key('full'), ConsistentRead: true })
    expect(Item && fromItem(Item)).toEqual({ PK: 'a', SK: 'full', ...full })
    expect(ConsumedCapacity?.CapacityUnits).toBe(1)
    expect(await sender.send('GetItem', { ...measured, Key: key('nothing') })).not.toHaveProperty('Item')
  })

  test('queries pages', async () => {
    const writes = ['p1', 'p2', 'p3'].map((SK) => ({ PutRequest: { Item: toItem({ PK: 'q', SK }) } }))
    await sender.send('BatchWriteItem', { RequestItems: { [table]: writes } })
    const query = {
      ...measured,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': { S: 'q' } },
      Limit: 2,
    } as const
    const first = await sender.send('Query', query)
    expect(first.Items?.map((item) => item.SK)).toEqual([{ S: 'p1' }, { S: 'p2' }])
    const last = await sender.send('Query', { ...query, ...(first.LastEvaluatedKey ? { ExclusiveStartKey: first.LastEvaluatedKey } : {}) })
    expect(last.Items?.map((item) => item.SK)).toEqual([{ S: 'p3' }])
    const batch = await sender.send('BatchGetItem', { RequestItems: { [table]: { Keys: [toItem({ PK: 'q', SK: 'p3' })] } } })
    expect(batch.Responses?.[table]).toEqual([toItem({ PK: 'q', SK: 'p3' })])
  })

  test('shows the item that failed a condition, if asked', async () => {
    const put = { ...measured, Item: toItem({ PK: 'a', SK: 'once', n: 1 }), ConditionExpression: 'attribute_not_exists(PK)' }
    await sender.send('PutItem', put)
    const error = await sender.send('PutItem', { ...put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }).catch((caught) => caught)
    expect(failureOf(error)).toEqual({ kind: 'condition', item: toItem({ PK: 'a', SK: 'once', n: 1 }), cause: error })
  })

  test('tells why each action of a transaction failed', async () => {
    const absent = { ConditionExpression: 'attribute_not_exists(PK)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const action = (SK: string) => ({ Put: { TableName: table, Item: toItem({ PK: 't', SK }), ...absent } })
    await sender.send('TransactWriteItems', { TransactItems: [action('1')] })
    const error = await sender.send('TransactWriteItems', { TransactItems: [action('2'), action('1')] }).catch((caught) => caught)
    expect(failureOf(error)).toEqual({
      kind: 'cancelled',
      reasons: [{ code: 'None' }, { code: 'ConditionalCheckFailed', item: toItem({ PK: 't', SK: '1' }) }],
      cause: error,
    })
  })

  test('applies a transaction with the same token once', async () => {
    const input = {
      TransactItems: [
        {
          Update: {
            TableName: table,
            Key: key('counter'),
            UpdateExpression: 'ADD #n0 :v0',
            ExpressionAttributeNames: { '#n0': 'count' },
            ExpressionAttributeValues: { ':v0': { N: '1' } },
          },
        },
      ],
      ClientRequestToken: randomUUID(),
    }
    await sender.send('TransactWriteItems', input)
    await sender.send('TransactWriteItems', input)
    const { Item } = await sender.send('GetItem', { ...measured, Key: key('counter') })
    expect(Item?.count).toEqual({ N: '1' })
    const other = { ...input, TransactItems: [{ Delete: { TableName: table, Key: key('counter') } }] }
    const error = await sender.send('TransactWriteItems', other).catch((caught) => caught)
    expect(failureOf(error).kind).toBe('idempotency')
  })

  test('tells a missing table and a malformed request', async () => {
    const missing = await sender.send('GetItem', { TableName: `none-${table}`, Key: key('x') }).catch((caught) => caught)
    expect(failureOf(missing).kind).toBe('missing-table')
    const malformed = await sender.send('GetItem', { TableName: table, Key: toItem({ PK: 'a' }) }).catch((caught) => caught)
    expect(failureOf(malformed).kind).toBe('invalid')
    expect(takeBroken()).toHaveLength(1)
    const again = await sender
      .send('CreateTable', {
        TableName: table,
        AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      })
      .catch((caught) => caught)
    expect(failureOf(again).kind).toBe('table-in-use')
  })

  test('sends nothing once its signal is aborted, and rejects with the reason', async () => {
    const reason = new Error('no longer wanted')
    const put = sender.send(
      'PutItem',
      { TableName: table, Item: toItem({ PK: 'a', SK: 'aborted' }) },
      { signal: AbortSignal.abort(reason) },
    )
    await expect(put).rejects.toThrow()
    expect(await sender.send('GetItem', { TableName: table, Key: key('aborted'), ConsistentRead: true })).not.toHaveProperty('Item')
  })
})

describe('a sender without an answer', () => {
  let silent: Server
  let received = 0
  let silence: string
  let sender: Sender
  const get = { TableName: 'any', Key: toItem({ PK: 'a' }) }

  beforeAll(async () => {
    silent = createServer(() => {
      received += 1
      silent.emit('received')
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    // A server that listens on TCP has an AddressInfo.
    silence = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    sender = senderOf({ endpoint: silence, maxSockets: 1 })
  })
  afterAll(() => {
    sender.close()
    silent.closeAllConnections()
    silent.close()
  })

  test('gives up after the time that it was given', async () => {
    const own = ownClient(silence)
    for (const each of [sender, senderOf({ client: own })]) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const arrived = once(silent, 'received')
      const sent = each.send('GetItem', get, { timeoutMs: 500 }).catch((caught) => caught)
      await arrived
      vi.advanceTimersByTime(500)
      expect(failureOf(await sent).kind).toBe('lost')
      vi.useRealTimers()
    }
    own.destroy()
  })

  test('stops a request under way, and one that waits for a connection, when the signal aborts', async () => {
    const controller = new AbortController()
    const arrival = () => once(silent, 'received')
    const before = received
    const first = arrival()
    const sent = sender.send('GetItem', get, { signal: controller.signal, timeoutMs: 60_000 }).catch((caught) => caught)
    const queued = sender.send('GetItem', get, { signal: controller.signal }).catch((caught) => caught)
    await first
    const next = arrival()
    controller.abort('enough')
    expect(await Promise.all([sent, queued])).toEqual(['enough', 'enough'])
    // There is one connection, so that a later request arrives only when both have left, and after them.
    const end = new AbortController()
    const last = sender.send('GetItem', get, { signal: end.signal }).catch((caught) => caught)
    await next
    end.abort('enough')
    await last
    expect(received).toBe(before + 2)
  })
})

test('what could not be sent is told from what was lost', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const sender = senderOf({ endpoint: `http://127.0.0.1:${port}` })
  const error = await sender.send('DescribeTable', { TableName: 'any' }).catch((caught) => caught)
  expect(failureOf(error).kind).toBe('unreached')
  sender.close()
})
