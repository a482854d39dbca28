import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { catalogueOf, RecordingSender } from '../../test/catalogue/table.ts'
import { refusal } from '../../test/depot/refused.ts'
import { depotOf, directSender } from '../../test/depot/table.ts'
import { text } from '../design/attributes.ts'
import { design } from '../design/design.ts'
import { entity } from '../design/entity.ts'
import type { CreateTableInput } from '../dynamo/operation.ts'
import type { Sender } from '../dynamo/sender.ts'
import { senderOf } from '../dynamo/sender-of.ts'
import { faultySender } from '../testing/faulty-sender.ts'
import { connect } from './connect.ts'
import { checkTable, ensureTable } from './ensure-table.ts'
import { readItem, readItems } from './read.ts'
import { send } from './send.ts'

const nameOf = () => `ensured-${randomUUID()}`

function keysOf(partition: string, sort: string) {
  return [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ] as const
}

function createLiterally(TableName: string, keys: readonly [string, string], indexes: CreateTableInput['GlobalSecondaryIndexes'] = []) {
  const names = new Set([...keys, ...indexes.flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName))])
  return directSender().send('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keysOf(...keys),
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  })
}

test('a table that is missing is named with the function that makes it, by reads, writes and checks alike', async () => {
  const table = nameOf()
  const depot = depotOf(table)
  const message = `The table ${table} does not exist. A program creates it by \`ensureTable\` of @freehold/table/runtime.`
  const key = { PK: 'a', SK: 'b' }
  const calls = [
    () => readItem(depot.runtime, key, {}),
    () => readItems(depot.runtime, [key], {}),
    () => send(depot.runtime, 'PutItem', { TableName: table, Item: { PK: { S: 'a' }, SK: { S: 'b' } } }),
    () => checkTable(depot.runtime),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'Unavailable', message })
})

test('the table is made with its keys, its indexes and its TTL', async () => {
  const table = nameOf()
  expect(await ensureTable(depotOf(table).runtime)).toBe(true)
  const { Table } = await directSender().send('DescribeTable', { TableName: table })
  const keys = (of: { KeySchema?: readonly { AttributeName: string; KeyType: string }[] } | undefined) =>
    of?.KeySchema?.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`)
  expect(keys(Table)).toEqual(['PK HASH', 'SK RANGE'])
  const indexes = Table?.GlobalSecondaryIndexes?.map((index) => [index.IndexName, ...(keys(index) ?? [])]).sort()
  expect(indexes).toEqual([
    ['GSI1', 'GSI1PK HASH', 'GSI1SK RANGE'],
    ['GSI2', 'GSI2PK HASH', 'GSI2SK RANGE'],
  ])
  const { TimeToLiveDescription } = await directSender().send('DescribeTimeToLive', { TableName: table })
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' })
})

test('a table that is there is left as it is', async () => {
  const table = nameOf()
  await ensureTable(depotOf(table).runtime)
  await depotOf(table).Site.create({ site: 'A', name: 'Alpha' })
  const sender = new RecordingSender()
  expect(await ensureTable(depotOf(table, { sender }).runtime)).toBe(false)
  expect(sender.requests.filter(({ operation }) => !operation.startsWith('Describe'))).toEqual([])
  expect(await depotOf(table).Site.get({ site: 'A' })).toMatchObject({ name: 'Alpha' })
})

test('TTL is turned on where no item expires if the deployer says so, also for a table that is there', async () => {
  const table = nameOf()
  const Shelf = entity('Shelf', { attributes: { id: text() }, key: ['SHELF#{id}', 'META'] })
  const lasting = design({ name: 'lasting', table: 'lasting', entities: { Shelf }, patterns: {} })
  const { runtime } = connect(lasting, { table, sender: directSender() })
  const status = async () => (await directSender().send('DescribeTimeToLive', { TableName: table })).TimeToLiveDescription?.TimeToLiveStatus
  await ensureTable(runtime)
  expect([runtime.design.form.expires, await status()]).toEqual([false, 'DISABLED'])
  expect(await ensureTable(runtime, { ttl: true })).toBe(false)
  expect(await status()).toBe('ENABLED')
})

test('ten at once make it once, and all find it ready', async () => {
  const table = nameOf()
  const sender = new RecordingSender()
  const made = Array.from({ length: 10 }, async (_, index) => {
    const depot = depotOf(table, { sender })
    const isNew = await ensureTable(depot.runtime)
    await depot.Site.create({ site: `S${index}`, name: 'made at once' })
    return isNew
  })
  expect((await Promise.all(made)).filter((isNew) => isNew)).toHaveLength(1)
  const { Table } = await directSender().send('DescribeTable', { TableName: table })
  expect(Table?.TableStatus).toBe('ACTIVE')
})

test('TTL is turned on if the creator of the table ended before it did that', async () => {
  const table = nameOf()
  const GlobalSecondaryIndexes = ['GSI1', 'GSI2'].map((name) => ({
    IndexName: name,
    KeySchema: keysOf(`${name}PK`, `${name}SK`),
    Projection: { ProjectionType: 'ALL' as const },
  }))
  await createLiterally(table, ['PK', 'SK'], GlobalSecondaryIndexes)
  expect(await ensureTable(depotOf(table).runtime)).toBe(false)
  const { TimeToLiveDescription } = await directSender().send('DescribeTimeToLive', { TableName: table })
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' })
})

test('TTL that another process turns on meanwhile, which DynamoDB then refuses to do again, is no error', async () => {
  const table = nameOf()
  await ensureTable(depotOf(table).runtime)
  const refusal = Object.assign(new Error('TimeToLive is already enabled'), { name: 'ValidationException' })
  let looks = 0
  const sender: Sender = {
    send: async (operation, input) => {
      if (operation === 'UpdateTimeToLive') throw refusal
      const output = await directSender().send(operation, input)
      return operation === 'DescribeTimeToLive' && looks++ === 0 ? { ...output, TimeToLiveDescription: {} } : output
    },
    close: () => {},
  }
  expect(await ensureTable(depotOf(table, { sender }).runtime)).toBe(false)
  expect(looks).toBe(2)
})

test.each<[string, readonly [string, string], CreateTableInput['GlobalSecondaryIndexes'], string]>([
  ['other keys', ['id', 'SK'], [], 'has the key id and SK'],
  ['the keys in another order', ['SK', 'PK'], [], 'has the key SK and PK'],
  ['no index', ['PK', 'SK'], [], 'has no index GSI1'],
  [
    'an index with other keys',
    ['PK', 'SK'],
    [{ IndexName: 'GSI1', KeySchema: keysOf('GSI1PK', 'SK'), Projection: { ProjectionType: 'ALL' } }],
    'has the key GSI1PK and SK in its index GSI1',
  ],
])('a table with %s is another’s', async (_what, keys, indexes, sentence) => {
  const table = nameOf()
  await createLiterally(table, keys, indexes)
  const error = await refusal(ensureTable(catalogueOf(table).runtime))
  expect(error).toMatchObject({ code: 'Unavailable', details: { table } })
  expect(error.message).toContain(sentence)
})

test('DynamoDB that refuses or cannot be reached is Unavailable', async () => {
  const failing = faultySender(engineSender(), [{ operation: 'CreateTable', fault: { kind: 'fail' } }])
  const unreached = senderOf({ endpoint: 'http://127.0.0.1:1' })
  onTestFinished(() => unreached.close())
  for (const sender of [failing, unreached])
    expect((await refusal(ensureTable(catalogueOf(nameOf(), { sender }).runtime))).code).toBe('Unavailable')
})
