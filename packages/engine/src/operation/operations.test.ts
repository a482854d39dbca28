import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { kinds, memoryEngine, outcome, tableInput } from '../../test/engines.ts'
import { type Engine, openEngine } from '../index.ts'

const keyOf = (sk: string, pk = 'p') => ({ pk: { S: pk }, sk: { S: sk } })
const put = (engine: Engine, item: object) => engine.execute('PutItem', { TableName: 'items', Item: item })
const itemAt = async (engine: Engine, key = keyOf('a')) =>
  (await outcome(engine, 'GetItem', { TableName: 'items', Key: key, ConsistentRead: true })).Item

const addIndex = {
  AttributeDefinitions: [{ AttributeName: 'g', AttributeType: 'S' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: { IndexName: 'global', KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } },
    },
  ],
}

/** Puts so many items, whose sort keys are numbers of four digits. */
async function putMany(engine: Engine, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, at) => ({ ...keyOf(String(at).padStart(4, '0')), g: { S: 'x' } }))
  for (let at = 0; at < count; at += 100)
    await engine.execute('TransactWriteItems', {
      TransactItems: items.slice(at, at + 100).map((Item) => ({ Put: { TableName: 'items', Item } })),
    })
}

/** Looks again and again, and gives the engine a turn of the event loop before each look. */
async function untilActive(engine: Engine): Promise<void> {
  for (let look = 0; look < 100_000; look += 1) {
    const { Table } = await outcome(engine, 'DescribeTable', { TableName: 'items' })
    if (Object(Table).TableStatus === 'ACTIVE') return
    await new Promise(setImmediate)
  }
  throw new Error('The table did not become active.')
}

describe('an update', () => {
  const L = (...numbers: number[]) => ({ L: numbers.map((number) => ({ N: String(number) })) })
  const before = { ...keyOf('a'), n: { N: '1' }, l: L(1, 2, 3), m: { M: { x: { S: 'y' } } }, s: { SS: ['a', 'b'] } }
  const values = { ':one': { N: '1' }, ':list': L(9), ':set': { SS: ['b', 'c'] }, ':all': { SS: ['a', 'b'] } }
  const used = (expression: string) => {
    const found = Object.entries(values).filter(([name]) => expression.includes(name))
    return found.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(found) }
  }
  test.each([
    ['SET n = n + :one', { n: { N: '2' } }],
    ['SET l[7] = :one, l[8] = n', { l: L(1, 2, 3, 1, 1) }],
    ['SET l[1] = :one', { l: L(1, 1, 3) }],
    ['REMOVE l[0], l[2]', { l: L(2) }],
    ['REMOVE l[9], m.z, zero', {}],
    ['REMOVE m.x', { m: { M: {} } }],
    ['SET l = list_append(:list, l), n = if_not_exists(zero, l[0])', { l: L(9, 1, 2, 3), n: { N: '1' } }],
    ['ADD s :set, n :one', { s: { SS: ['a', 'b', 'c'] }, n: { N: '2' } }],
    ['DELETE s :set', { s: { SS: ['a'] } }],
    ['DELETE s :all', { s: undefined }],
  ])('%s', async (UpdateExpression, changed) => {
    const engine = await memoryEngine()
    await engine.execute('CreateTable', tableInput())
    await put(engine, before)
    const input = { TableName: 'items', Key: keyOf('a'), UpdateExpression, ...used(UpdateExpression), ReturnValues: 'ALL_NEW' }
    expect(await outcome(engine, 'UpdateItem', input)).toEqual(JSON.parse(JSON.stringify({ Attributes: { ...before, ...changed } })))
  })

  test.each(['REMOVE zero.x', 'REMOVE n.x', 'SET l.x = :one', 'ADD zero.x :one'])('%s has no place', async (UpdateExpression) => {
    const engine = await memoryEngine()
    await engine.execute('CreateTable', tableInput())
    await put(engine, before)
    const input = { TableName: 'items', Key: keyOf('a'), UpdateExpression, ...used(UpdateExpression) }
    expect(await outcome(engine, 'UpdateItem', input)).toMatchObject({
      message: 'The document path provided in the update expression is invalid for update',
    })
    expect(await itemAt(engine)).toEqual(before)
  })

  test('makes an item that is not there, and returns nothing of before', async () => {
    const engine = await memoryEngine()
    await engine.execute('CreateTable', tableInput())
    const input = { TableName: 'items', Key: keyOf('a'), UpdateExpression: 'REMOVE n', ReturnValues: 'ALL_OLD' }
    expect(await outcome(engine, 'UpdateItem', input)).toEqual({})
    expect(await itemAt(engine)).toEqual(keyOf('a'))
  })
})

describe('a legacy parameter', () => {
  const item = { ...keyOf('a'), n: { N: '5' }, s: { SS: ['a', 'b'] }, t: { S: 'text' } }
  const filter = (ComparisonOperator: string, ...AttributeValueList: object[]) => ({ ComparisonOperator, AttributeValueList })
  const [four, five, six] = [{ N: '4' }, { N: '5' }, { N: '6' }]
  const key = { pk: filter('EQ', { S: 'p' }), sk: filter('BEGINS_WITH', { S: 'a' }) }
  const mixed = { n: filter('EQ', four), t: filter('CONTAINS', { S: 'ex' }) }

  test.each<[string, object, object]>([
    ['GetItem', { Key: keyOf('a'), AttributesToGet: ['n', 'none'] }, { Item: { n: five } }],
    ...Object.entries({
      EQ: [five],
      NE: [four],
      LE: [five],
      LT: [six],
      GE: [five],
      GT: [four],
      IN: [four, five],
      BETWEEN: [four, six],
    }).map(([operator, values]): [string, object, object] => ['Scan', { ScanFilter: { n: filter(operator, ...values) } }, { Count: 1 }]),
    ['Scan', { ScanFilter: { n: filter('GT', five) } }, { Count: 0 }],
    ['Scan', { ScanFilter: { t: filter('BEGINS_WITH', { S: 'te' }), s: filter('CONTAINS', { S: 'b' }) } }, { Count: 1 }],
    ['Scan', { ScanFilter: { t: filter('NOT_CONTAINS', { S: 'ex' }) } }, { Count: 0 }],
    ['Scan', { ScanFilter: { n: filter('NOT_NULL'), none: filter('NULL') } }, { Count: 1 }],
    ['Query', { KeyConditions: key, QueryFilter: mixed }, { Count: 0, ScannedCount: 1 }],
    ['Query', { KeyConditions: key, QueryFilter: mixed, ConditionalOperator: 'OR' }, { Count: 1 }],
    ['PutItem', { Item: item, Expected: { n: { Value: five }, none: { Exists: false } }, ReturnValues: 'ALL_OLD' }, { Attributes: item }],
    ['PutItem', { Item: item, Expected: { n: { Exists: false } } }, { error: 'ConditionalCheckFailedException' }],
    ['DeleteItem', { Key: keyOf('a'), Expected: { n: { Exists: true } } }, { error: 'ValidationException' }],
    ['Scan', { ScanFilter: { n: filter('BETWEEN', five) } }, { error: 'ValidationException' }],
    ['UpdateItem', { Key: keyOf('a'), AttributeUpdates: { n: { Action: 'ADD' } } }, { error: 'ValidationException' }],
    [
      'UpdateItem',
      {
        Key: keyOf('a'),
        AttributeUpdates: {
          n: { Action: 'ADD', Value: four },
          s: { Action: 'DELETE', Value: { SS: ['b'] } },
          t: { Action: 'DELETE' },
          u: { Value: six },
        },
        ReturnValues: 'ALL_NEW',
      },
      { Attributes: { ...keyOf('a'), n: { N: '9' }, s: { SS: ['a'] }, u: six } },
    ],
  ])('of %s means an expression: %j', async (operation, input, answer) => {
    const engine = await memoryEngine()
    await engine.execute('CreateTable', tableInput())
    await put(engine, item)
    const told = Object.entries(await outcome(engine, operation, { TableName: 'items', ...input }))
    expect(Object.fromEntries(told.filter(([name]) => name in answer))).toEqual(answer)
  })
})

test('a table keeps its tags', async () => {
  const engine = await memoryEngine()
  const tag = (Key: string, Value: string) => ({ Key, Value })
  const { TableDescription } = await outcome(engine, 'CreateTable', { ...tableInput(), Tags: [tag('a', '1'), tag('b', '2')] })
  const ResourceArn = Object(TableDescription).TableArn
  await engine.execute('TagResource', { ResourceArn, Tags: [tag('b', '3'), tag('c', '4')] })
  await engine.execute('UntagResource', { ResourceArn, TagKeys: ['a'] })
  expect(await outcome(engine, 'ListTagsOfResource', { ResourceArn })).toEqual({ Tags: [tag('b', '3'), tag('c', '4')] })
})

describe.each(kinds)('an engine $kind', ({ open }) => {
  test('fills an index that comes later, leaves out what has no key for it, and forgets one that goes', async () => {
    const engine = await open()
    await engine.execute('CreateTable', tableInput())
    for (const [sk, g] of Object.entries({ a: { S: 'x' }, b: { S: 'y' }, c: { N: '1' }, d: { S: '' } }))
      await put(engine, { ...keyOf(sk), g })
    await engine.execute('UpdateTable', { TableName: 'items', ...addIndex })
    const scan = { TableName: 'items', IndexName: 'global' }
    expect((await outcome(engine, 'Scan', scan)).Items?.map((item) => JSON.stringify(item.g)).sort()).toEqual(['{"S":"x"}', '{"S":"y"}'])
    await engine.execute('UpdateTable', { TableName: 'items', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'global' } }] })
    expect(await outcome(engine, 'Scan', scan)).toMatchObject({ message: 'The table does not have the specified index: global' })
  })

  test('fills an index of many items while requests go on, and refuses to read it until then', async () => {
    const engine = await open()
    await engine.execute('CreateTable', tableInput())
    await putMany(engine, 5_000)
    const added = await outcome(engine, 'UpdateTable', { TableName: 'items', ...addIndex })
    expect(added.TableDescription).toMatchObject({
      TableStatus: 'UPDATING',
      GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING', Backfilling: true }],
    })
    const scan = { TableName: 'items', IndexName: 'global', Select: 'COUNT' }
    const requests = [
      outcome(engine, 'Scan', scan),
      ...['DeleteTable', 'UpdateTable'].map((each) => outcome(engine, each, { TableName: 'items', TableClass: 'STANDARD' })),
    ]
    expect(await Promise.all(requests)).toMatchObject([
      { message: 'Cannot read from backfilling global secondary index: global' },
      { error: 'ResourceInUseException' },
      { error: 'ResourceInUseException' },
    ])
    await put(engine, { ...keyOf('0000'), g: { S: 'other' } })
    await put(engine, { ...keyOf('new'), g: { S: 'x' } })
    await engine.execute('DeleteItem', { TableName: 'items', Key: keyOf('4999') })
    await untilActive(engine)
    expect(await outcome(engine, 'Scan', scan)).toMatchObject({ Count: 5_000 })
    const query = { TableName: 'items', IndexName: 'global', KeyConditionExpression: 'g = :g', Select: 'COUNT' }
    expect(await outcome(engine, 'Query', { ...query, ExpressionAttributeValues: { ':g': { S: 'other' } } })).toMatchObject({ Count: 1 })
  })

  test('deletes an index that is not filled yet, and a table of many items whose name is free at once', async () => {
    const engine = await open()
    await engine.execute('CreateTable', tableInput())
    await putMany(engine, 5_000)
    await engine.execute('UpdateTable', { TableName: 'items', ...addIndex })
    await engine.execute('UpdateTable', { TableName: 'items', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'global' } }] })
    await engine.execute('DeleteTable', { TableName: 'items' })
    await engine.execute('CreateTable', tableInput())
    expect(await outcome(engine, 'Scan', { TableName: 'items', Select: 'COUNT' })).toMatchObject({ Count: 0 })
  })

  test('ends a page at 1 MB, before the filter, and goes on after its last key', async () => {
    const engine = await open()
    await engine.execute('CreateTable', tableInput())
    for (const sk of ['a', 'b', 'c', 'd']) await put(engine, { ...keyOf(sk), text: { S: 'x'.repeat(300 * 1024) } })
    const query = {
      TableName: 'items',
      KeyConditionExpression: 'pk = :p',
      FilterExpression: 'attribute_not_exists(zero)',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      Select: 'COUNT',
    }
    const first = await outcome(engine, 'Query', query)
    expect(first).toMatchObject({ Count: 3, ScannedCount: 3, LastEvaluatedKey: keyOf('c') })
    expect(await outcome(engine, 'Query', { ...query, ExclusiveStartKey: first.LastEvaluatedKey })).toEqual({ Count: 1, ScannedCount: 1 })
    const back = await outcome(engine, 'Query', { ...query, ScanIndexForward: false, Limit: 2 })
    expect(back).toMatchObject({ Count: 2, LastEvaluatedKey: keyOf('c') })
    expect(await outcome(engine, 'Query', { ...query, ScanIndexForward: false, ExclusiveStartKey: back.LastEvaluatedKey })).toEqual({
      Count: 2,
      ScannedCount: 2,
    })
  })

  test('gives each item in one segment of a Scan, page by page', async () => {
    const engine = await open()
    await engine.execute('CreateTable', tableInput({ key: [['pk', 'S']] }))
    const all = Array.from({ length: 60 }, (_, at) => `p${at}`)
    for (const pk of all) await put(engine, { pk: { S: pk } })
    const found: string[] = []
    for (const Segment of [0, 1, 2]) {
      let ExclusiveStartKey: object | undefined
      do {
        const page = await outcome(engine, 'Scan', { TableName: 'items', Segment, TotalSegments: 3, Limit: 7, ExclusiveStartKey })
        found.push(...(page.Items ?? []).map((item) => Object(item.pk).S))
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
    }
    expect(found.sort()).toEqual(all.sort())
  })

  test('reads what a local index lacks from the table', async () => {
    const engine = await open()
    await engine.execute(
      'CreateTable',
      tableInput({
        local: {
          local: [
            ['pk', 'S'],
            ['n', 'N'],
          ],
        },
        projection: { ProjectionType: 'KEYS_ONLY' },
      }),
    )
    await put(engine, { ...keyOf('a'), n: { N: '1' }, more: { S: 'x' } })
    const query = {
      TableName: 'items',
      IndexName: 'local',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
    }
    expect((await outcome(engine, 'Query', query)).Items).toEqual([{ ...keyOf('a'), n: { N: '1' } }])
    const whole = await outcome(engine, 'Query', { ...query, Select: 'ALL_ATTRIBUTES', ReturnConsumedCapacity: 'TOTAL' })
    expect(whole).toMatchObject({ Items: [{ more: { S: 'x' } }], ConsumedCapacity: { CapacityUnits: 1 } })
  })
})

test('an index is filled by the next process if the one that began was killed', async () => {
  const path = temporaryFolder()
  const first = await openEngine({ path })
  await first.execute('CreateTable', tableInput())
  await putMany(first, 2_500)
  await first.execute('UpdateTable', { TableName: 'items', ...addIndex })
  // Closing ends the work at its next part, as a kill would.
  await first.close()
  const second = await openEngine({ path })
  expect(await outcome(second, 'DescribeTable', { TableName: 'items' })).toMatchObject({ Table: { TableStatus: 'UPDATING' } })
  await untilActive(second)
  expect(await outcome(second, 'Scan', { TableName: 'items', IndexName: 'global', Select: 'COUNT' })).toMatchObject({ Count: 2_500 })
  await second.close()
})

test('what one engine on a folder changes of a table, another sees in its next request', async () => {
  const path = temporaryFolder()
  const [one, other] = [await openEngine({ path }), await openEngine({ path })]
  try {
    await one.execute('CreateTable', tableInput())
    await put(other, { ...keyOf('a'), g: { S: 'x' } })
    await one.execute('UpdateTable', { TableName: 'items', ...addIndex })
    await put(other, { ...keyOf('b'), g: { S: 'x' } })
    expect(await outcome(other, 'Scan', { TableName: 'items', IndexName: 'global', Select: 'COUNT' })).toMatchObject({ Count: 2 })
    await one.execute('DeleteTable', { TableName: 'items' })
    expect(await outcome(other, 'Scan', { TableName: 'items' })).toMatchObject({ error: 'ResourceNotFoundException' })
    await one.execute('CreateTable', tableInput({ key: [['pk', 'S']] }))
    await put(other, { pk: { S: 'a' } })
  } finally {
    await Promise.all([one.close(), other.close()])
  }
})

test('a token is remembered for ten minutes, on disk', async () => {
  const path = temporaryFolder()
  const clock = { ms: 0 }
  const now = () => new Date(clock.ms)
  const transaction = (number: string) => ({
    ClientRequestToken: 'token',
    TransactItems: [
      { Update: { TableName: 'items', Key: keyOf('a'), UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': { N: number } } } },
    ],
  })
  const sentAnew = async (number: string) => {
    const engine = await openEngine({ path, now })
    try {
      return { answer: await outcome(engine, 'TransactWriteItems', transaction(number)), n: Object(await itemAt(engine)).n }
    } finally {
      await engine.close()
    }
  }
  const first = await openEngine({ path, now })
  await first.execute('CreateTable', tableInput())
  await first.close()
  expect(await sentAnew('1')).toEqual({ answer: {}, n: { N: '1' } })
  clock.ms = 599_999
  expect(await sentAnew('1')).toEqual({ answer: {}, n: { N: '1' } })
  expect((await sentAnew('2')).answer).toMatchObject({ error: 'IdempotentParameterMismatchException' })
  clock.ms = 600_000
  expect(await sentAnew('2')).toEqual({ answer: {}, n: { N: '3' } })
})

test('two engines on one folder see each other’s tables and items at once', async () => {
  const path = temporaryFolder()
  const [one, two] = [await openEngine({ path }), await openEngine({ path })]
  try {
    await one.execute('CreateTable', tableInput())
    await put(two, keyOf('a'))
    expect(await itemAt(one)).toEqual(keyOf('a'))
    await two.execute('DeleteTable', { TableName: 'items' })
    expect(await outcome(one, 'GetItem', { TableName: 'items', Key: keyOf('a') })).toMatchObject({ error: 'ResourceNotFoundException' })
    await one.execute('CreateTable', tableInput())
    expect(await itemAt(two)).toBeUndefined()
  } finally {
    await Promise.all([one.close(), two.close()])
  }
})
