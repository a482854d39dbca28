import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { takeBroken } from '../../../../test/engine/checked-sender.ts'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { type FaultySender, faultySender } from '../testing/faulty-sender.ts'
import { toItem } from './attribute-value.ts'
import { attemptsMax, backoffMs, type RetryOptions, sendWithRetry } from './retry.ts'
import type { Sender } from './sender.ts'

const table = `retry-${randomUUID()}`
const key = toItem({ PK: 'a' })
const get = { TableName: table, Key: key, ConsistentRead: true } as const
const add = {
  TableName: table,
  Key: key,
  UpdateExpression: 'ADD #n0 :v0',
  ExpressionAttributeNames: { '#n0': 'count' },
  ExpressionAttributeValues: { ':v0': { N: '1' } },
} as const

let sender: FaultySender
let time = 0
let waits: number[] = []
let pace: RetryOptions

const direct = engineSender()
await direct.send('CreateTable', {
  TableName: table,
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
})

beforeEach(async () => {
  sender = faultySender(engineSender())
  await sender.send('PutItem', { TableName: table, Item: toItem({ PK: 'a', count: 0 }) })
  time = 0
  waits = []
  pace = {
    monotonic_ms: () => time,
    sleep: async (ms) => {
      waits.push(ms)
      time += ms
    },
    random: () => 1,
  }
})

const requests = (operation: string) => sender.log.filter((one) => one.operation === operation)
const count = async () => (await sender.send('GetItem', get)).Item?.count

test('a request that is answered is sent once, and waits for nothing', async () => {
  expect(await sendWithRetry(sender, 'GetItem', get, pace)).toEqual({
    ok: true,
    output: expect.objectContaining({ Item: toItem({ PK: 'a', count: 0 }) }),
    isUncertain: false,
  })
  expect(requests('GetItem')).toHaveLength(1)
  expect(waits).toEqual([])
})

describe('a write that was not applied', () => {
  test.each(['throttle', 'conflict'] as const)('because of a %s is sent again, identical, until it is', async (kind) => {
    sender.add({ operation: 'UpdateItem', fault: { kind }, times: 3 })
    expect(await sendWithRetry(sender, 'UpdateItem', add, pace)).toMatchObject({ ok: true, isUncertain: false })
    expect(await count()).toEqual({ N: '1' })
    expect(new Set(requests('UpdateItem').map(({ input }) => JSON.stringify(input))).size).toBe(1)
    expect(waits).toEqual([25, 50, 100])
  })

  test('because a transaction met another is sent again with its token', async () => {
    sender.add({ operation: 'TransactWriteItems', fault: { kind: 'conflict' }, times: 2 })
    const input = { TransactItems: [{ Update: add }], ClientRequestToken: randomUUID() }
    expect(await sendWithRetry(sender, 'TransactWriteItems', input, pace)).toMatchObject({ ok: true, isUncertain: false })
    expect(requests('TransactWriteItems').map((one) => one.input)).toEqual([input, input, input])
  })

  test('to the end of the deadline is Busy, and has waited no longer', async () => {
    sender.add({ operation: 'UpdateItem', fault: { kind: 'throttle' }, times: 1_000 })
    await expect(sendWithRetry(sender, 'UpdateItem', add, pace)).rejects.toMatchObject({
      code: 'Busy',
      details: { failure: 'throttled', uncertain: false },
    })
    expect(time).toBeLessThanOrEqual(10_000)
    expect(time).toBeGreaterThan(9_000 - 1)
    expect(await count()).toEqual({ N: '0' })
  })

  test('ends, though the clock stands still', async () => {
    sender.add({ operation: 'UpdateItem', fault: { kind: 'conflict' }, times: 1_000 })
    const still = { ...pace, monotonic_ms: () => 0, random: () => 0 }
    await expect(sendWithRetry(sender, 'UpdateItem', add, still)).rejects.toMatchObject({ code: 'Busy' })
    expect(requests('UpdateItem')).toHaveLength(50)
  })
})

describe('a write whose answer was lost', () => {
  test('is not sent again if that could apply it twice', async () => {
    sender.add({ operation: 'UpdateItem', fault: { kind: 'lose-answer' } })
    await expect(sendWithRetry(sender, 'UpdateItem', add, pace)).rejects.toMatchObject({
      code: 'Unavailable',
      details: { failure: 'lost', uncertain: true },
    })
    expect(await count()).toEqual({ N: '1' })
    expect(requests('UpdateItem')).toHaveLength(1)
  })

  test('is applied once, as a transaction with a token', async () => {
    sender.add({ operation: 'TransactWriteItems', fault: { kind: 'lose-answer' }, times: 2 })
    const input = { TransactItems: [{ Update: add }], ClientRequestToken: randomUUID() }
    expect(await sendWithRetry(sender, 'TransactWriteItems', input, pace)).toMatchObject({ ok: true, isUncertain: true })
    expect(await count()).toEqual({ N: '1' })
    expect(requests('TransactWriteItems')).toHaveLength(3)
  })

  test('and whose condition then fails says that it may have been our own doing', async () => {
    sender.add({ operation: 'PutItem', fault: { kind: 'lose-answer' } })
    const item = toItem({ PK: randomUUID() })
    const create = {
      TableName: table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(PK)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const
    const answer = await sendWithRetry(sender, 'PutItem', create, { ...pace, repeatable: true })
    expect(answer).toMatchObject({ ok: false, refusal: { kind: 'condition', item }, isUncertain: true })
  })

  test('is Unavailable when none comes at all', async () => {
    sender.add({ operation: 'GetItem', fault: { kind: 'fail' }, times: 1_000 })
    await expect(sendWithRetry(sender, 'GetItem', get, pace)).rejects.toMatchObject({ code: 'Unavailable' })
    expect(requests('GetItem').length).toBeGreaterThan(10)
  })
})

test.each(['lose-answer', 'lose-request', 'fail'] as const)('a read is sent again after %s', async (kind) => {
  sender.add({ operation: 'GetItem', fault: { kind }, times: 2 })
  expect(await sendWithRetry(sender, 'GetItem', get, pace)).toMatchObject({ ok: true, output: { Item: toItem({ PK: 'a', count: 0 }) } })
})

test('a failed condition is an answer, given at once', async () => {
  const refused = { ...add, ConditionExpression: 'attribute_not_exists(PK)' }
  expect(await sendWithRetry(sender, 'UpdateItem', refused, pace)).toMatchObject({
    ok: false,
    refusal: { kind: 'condition' },
    isUncertain: false,
  })
  const transaction = { TransactItems: [{ Update: refused }] }
  const answer = await sendWithRetry(sender, 'TransactWriteItems', transaction, pace)
  expect(answer).toMatchObject({
    ok: false,
    refusal: { kind: 'cancelled', reasons: [{ code: 'ConditionalCheckFailed' }] },
    isUncertain: false,
  })
  expect(waits).toEqual([])
})

test('a request that can never succeed is not sent again', async () => {
  await expect(sendWithRetry(sender, 'GetItem', { ...get, TableName: `none-${table}` }, pace)).rejects.toMatchObject({
    code: 'Unavailable',
  })
  await expect(sendWithRetry(sender, 'GetItem', { ...get, Key: toItem({ other: 'a' }) }, pace)).rejects.toMatchObject({
    code: 'Unavailable',
    details: { failure: 'invalid' },
  })
  expect(requests('GetItem')).toHaveLength(2)
  expect(takeBroken()).toHaveLength(1)
})

test('an aborted signal ends it between attempts', async () => {
  sender.add({ operation: 'GetItem', fault: { kind: 'throttle' }, times: 1_000 })
  const controller = new AbortController()
  const reason = new Error('no longer wanted')
  const sleep = async () => controller.abort(reason)
  await expect(sendWithRetry(sender, 'GetItem', get, { ...pace, sleep, signal: controller.signal })).rejects.toBe(reason)
  expect(requests('GetItem')).toHaveLength(1)
})

test('waits are spread from nothing up to a limit that doubles and stops at a second', () => {
  expect([1, 2, 3, 6, 7, 50].map((attempt) => backoffMs(attempt, () => 1))).toEqual([25, 50, 100, 800, 1_000, 1_000])
  expect(backoffMs(5, () => 0)).toBe(0)
})

test('a patience of minutes is not cut by the number of attempts', async () => {
  let attempts = 0
  const throttled: Sender = {
    ...sender,
    send: async () => {
      attempts++
      throw Object.assign(new Error('slower'), { name: 'ThrottlingException' })
    },
  }
  await expect(sendWithRetry(throttled, 'GetItem', get, { ...pace, deadlineMs: 120_000 })).rejects.toMatchObject({ code: 'Busy' })
  expect(attempts).toBeGreaterThan(100)
  expect([0, 10_000, 120_000].map(attemptsMax)).toEqual([50, 50, 600])
})
