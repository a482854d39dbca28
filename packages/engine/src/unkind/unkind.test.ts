import { describe, expect, test } from 'vitest'
import { memoryEngine, outcome, tableInput } from '../../test/engines.ts'
import type { Engine, Unkind } from '../index.ts'

const keyOf = (sk: string) => ({ pk: { S: 'p' }, sk: { S: sk } })
const put = (engine: Engine, sk: string, attributes: object = {}) =>
  outcome(engine, 'PutItem', { TableName: 'items', Item: { ...keyOf(sk), g: { S: 'x' }, ...attributes } })
const get = (engine: Engine, sk: string, ConsistentRead = true) =>
  outcome(engine, 'GetItem', { TableName: 'items', Key: keyOf(sk), ConsistentRead })
const ofIndex = async (engine: Engine, values = 'x') =>
  (
    (
      await outcome(engine, 'Query', {
        TableName: 'items',
        IndexName: 'global',
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': { S: values } },
      })
    ).Items ?? []
  ).map((item) => JSON.stringify(item.sk))

/** An engine whose clock a test sets. */
async function engineWith(unkind: Omit<Unkind, 'seed'>, seed = 1) {
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') }
  const engine = await memoryEngine({ now: () => new Date(clock.ms), unkind: { seed, ...unkind } })
  await engine.execute('CreateTable', tableInput({ global: { global: [['g', 'S']] } }))
  return { engine, clock }
}
const shares = async (count: number, request: (at: number) => Promise<unknown>): Promise<number> => {
  const found = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      request(at).then(
        () => 0,
        () => 1,
      ),
    ),
  )
  return found.reduce<number>((sum, each) => sum + each, 0) / count
}

describe('an engine that is unkind', () => {
  test('shows items in an index late, each by its own delay, and all in the end', async () => {
    const { engine, clock } = await engineWith({ lateIndexes_ms: 1_000 })
    for (const sk of ['a', 'b', 'c', 'd', 'e', 'f']) await put(engine, sk)
    expect(await ofIndex(engine)).toEqual([])
    expect((await get(engine, 'a')).Item).toBeDefined()
    clock.ms += 500
    const some = (await ofIndex(engine)).length
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(6)
    clock.ms += 501
    expect((await ofIndex(engine)).length).toBe(6)
    await put(engine, 'a', { g: { S: 'y' } })
    await outcome(engine, 'DeleteItem', { TableName: 'items', Key: keyOf('b') })
    expect([(await ofIndex(engine)).length, (await ofIndex(engine, 'y')).length]).toEqual([6, 0])
    clock.ms += 1_001
    expect([(await ofIndex(engine)).length, (await ofIndex(engine, 'y')).length]).toEqual([4, 1])
  })

  test('answers eventually consistent reads with what was there before', async () => {
    const { engine, clock } = await engineWith({ staleReads_ms: 1_000 })
    await put(engine, 'a', { number: { N: '1' } })
    expect((await get(engine, 'a', false)).Item).toBeUndefined()
    expect((await outcome(engine, 'Scan', { TableName: 'items' })).Items).toEqual([])
    expect((await get(engine, 'a')).Item).toMatchObject({ number: { N: '1' } })
    clock.ms += 1_001
    await put(engine, 'a', { number: { N: '2' } })
    expect((await get(engine, 'a', false)).Item).toMatchObject({ number: { N: '1' } })
    expect((await outcome(engine, 'Scan', { TableName: 'items', ConsistentRead: true })).Items).toMatchObject([{ number: { N: '2' } }])
  })

  test('has transactions conflict with what is under way on their items, and lets others pass', async () => {
    const { engine } = await engineWith({ conflicts: true })
    const transaction = (sk: string) =>
      outcome(engine, 'TransactWriteItems', { TransactItems: [{ Put: { TableName: 'items', Item: keyOf(sk) } }] })
    const [first, second, other, single] = await Promise.all([transaction('a'), transaction('a'), transaction('b'), put(engine, 'a')])
    expect([first.error, other.error, single.error]).toEqual([undefined, undefined, 'TransactionConflictException'])
    expect(second).toMatchObject({ error: 'TransactionCanceledException', CancellationReasons: [{ Code: 'TransactionConflict' }] })
    expect((await transaction('a')).error).toBeUndefined()
  })

  test('throttles a share of the partitions, each for a second', async () => {
    const { engine, clock } = await engineWith({ throttled: 0.5 })
    const answersOf = () =>
      Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          outcome(engine, 'GetItem', { TableName: 'items', Key: { pk: { S: `p${at}` }, sk: { S: 's' } } }),
        ),
      )
    const before = (await answersOf()).map(({ error }) => error)
    expect(new Set(before)).toEqual(new Set([undefined, 'ProvisionedThroughputExceededException']))
    expect((await answersOf()).map(({ error }) => error)).toEqual(before)
    clock.ms += 1_000
    expect((await answersOf()).map(({ error }) => error)).not.toEqual(before)
  })

  test('leaves a share of a batch unprocessed, which can be sent again', async () => {
    const { engine } = await engineWith({ unprocessed: 0.5 })
    let left: object = { items: Array.from({ length: 20 }, (_, at) => ({ PutRequest: { Item: keyOf(`s${at}`) } })) }
    let rounds = 0
    for (; Object.keys(left).length > 0; rounds += 1)
      left = Object(await engine.execute('BatchWriteItem', { RequestItems: left })).UnprocessedItems
    expect(rounds).toBeGreaterThan(1)
    expect((await outcome(engine, 'Scan', { TableName: 'items' })).Items?.length).toBe(20)
    const keys = Array.from({ length: 20 }, (_, at) => keyOf(`s${at}`))
    const read = await outcome(engine, 'BatchGetItem', { RequestItems: { items: { Keys: keys } } })
    expect(Object(read.Responses).items.length + Object(read.UnprocessedKeys).items.Keys.length).toBe(20)
  })

  test('removes expired items late', async () => {
    const { engine, clock } = await engineWith({ expiry_ms: 10_000 })
    await engine.execute('UpdateTimeToLive', { TableName: 'items', TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' } })
    for (const sk of ['a', 'b', 'c', 'd']) await put(engine, sk, { until: { N: String(clock.ms / 1000 + 1) } })
    clock.ms += 6_000
    const left = (await outcome(engine, 'Scan', { TableName: 'items' })).Items?.length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(4)
    clock.ms += 6_000
    expect((await outcome(engine, 'Scan', { TableName: 'items' })).Items).toEqual([])
    expect(await ofIndex(engine)).toEqual([])
  })

  test('loses requests before they are applied, and answers after', async () => {
    await expect(engineWith({ lostBefore: 1 })).rejects.toMatchObject({ code: 'ECONNRESET' })
    const engine = await memoryEngine({ unkind: { seed: 3, lostAfter: 0.5 } })
    await engine.execute('CreateTable', tableInput()).catch(() => {})
    const item = (at: number) => ({ TableName: 'items', Item: keyOf(String(at).padStart(3, '0')) })
    const lost = await shares(100, (at) => engine.execute('PutItem', item(at)))
    expect(lost).toBeGreaterThan(0.3)
    expect(lost).toBeLessThan(0.7)
    let scanned: unknown
    while (scanned === undefined) scanned = await engine.execute('Scan', { TableName: 'items', Select: 'COUNT' }).catch(() => undefined)
    expect(scanned).toMatchObject({ Count: 100 })
    const lossy = await memoryEngine({ unkind: { seed: 1, lostAfter: 1 } })
    await expect(lossy.execute('DescribeTable', { TableName: 'none' })).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('makes the same choices by the same seed', async () => {
    const drawn = async (seed: number) => {
      const engine = await memoryEngine({ now: () => new Date(0), unkind: { seed, lostBefore: 0.5 } })
      const answers: unknown[] = []
      for (let at = 0; at < 20; at += 1) answers.push((await outcome(engine, 'ListTables', {})).error)
      return answers
    }
    expect(await drawn(7)).toEqual(await drawn(7))
    expect(await drawn(7)).not.toEqual(await drawn(8))
  })
})
