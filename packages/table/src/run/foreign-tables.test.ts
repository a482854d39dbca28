import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { instant, number, oneOf, text } from '../design/attributes.ts'
import { beginsWith } from '../design/comparison.ts'
import { unique } from '../design/derived-item.ts'
import { design } from '../design/design.ts'
import { entity } from '../design/entity.ts'
import { get, query, queryOn } from '../design/pattern.ts'
import type { Item } from '../dynamo/operation.ts'
import { adoptJob, surveyTable } from './adopt/adopt-table.ts'
import { migrateJob, migrationInput } from './adopt/migrate-table.ts'
import { connect } from './connect.ts'
import { ensureTable } from './ensure-table.ts'
import { scanItems } from './scan.ts'

// Tables that ElectroDB 3 and OneTable 2 fill: items as they lie there. `bench/src/foreign` lets both libraries write and read them.

const S = (text: string) => ({ S: text })
const id = () => text({ pattern: /[^A-Z]+/ })
const indexes = { GSI1: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' } }

const Task = entity('Task', {
  attributes: { orgId: id(), taskId: id(), assignee: id(), title: text(), points: number().optional(), __edb_v__: oneOf('1').made('1') },
  key: ['$taskapp#orgid_{orgId}', '$tasks_1#taskid_{taskId}'],
  indexes: { GSI1: ['$taskapp#assignee_{assignee}', '$tasks_1#orgid_{orgId}#taskid_{taskId}'] },
})
const TaskTitle = unique('TaskTitle', Task, ['$taskapp#title_{title}', '$title_1'])
const tasks = design({
  name: 'tasks',
  table: 'tasks',
  entities: { Task, TaskTitle },
  patterns: {
    task: get(Task),
    ofOrg: query('$taskapp#orgid_{orgId}', beginsWith('$tasks_1#')).optionally('title').returns(Task),
    ofAssignee: queryOn('GSI1', '$taskapp#assignee_{assignee}', beginsWith('$tasks_1#orgid_{orgId}')).returns(Task),
  },
  names: {
    partitionKey: 'pk',
    sortKey: 'sk',
    type: '__edb_e__',
    indexes,
    attributes: { orgId: 'org_id', taskId: 'task_id' },
    types: { Task: 'tasks', TaskTitle: 'titles' },
  },
})
const electrodbItem = {
  pk: S('$taskapp#orgid_acme'),
  sk: S('$tasks_1#taskid_t-1'),
  gsi1pk: S('$taskapp#assignee_ada'),
  gsi1sk: S('$tasks_1#orgid_acme#taskid_t-1'),
  org_id: S('acme'),
  task_id: S('t-1'),
  assignee: S('ada'),
  title: S('Theirs'),
  points: { N: '3' },
  __edb_e__: S('tasks'),
  __edb_v__: S('1'),
}

const Session = entity('Session', {
  attributes: { accountId: id(), sessionId: id(), endsAt: instant().optional(), device: text() },
  key: ['account:{accountId}', 'session:{sessionId}'],
  indexes: { GSI1: ['sessions#', 'session:{sessionId}'] },
  expires: 'endsAt',
})
const sessions = design({
  name: 'sessions',
  table: 'sessions',
  entities: { Session },
  patterns: { ofAccount: query('account:{accountId}').returns(Session), all: queryOn('GSI1', 'sessions#').returns(Session) },
  names: { partitionKey: 'pk', sortKey: 'sk', type: '_type', ttl: 'expires', version: 'revision', indexes },
})
const onetableItem = {
  pk: S('account:acme'),
  sk: S('session:s-1'),
  gsi1pk: S('sessions#'),
  gsi1sk: S('session:s-1'),
  accountId: S('acme'),
  sessionId: S('s-1'),
  device: S('phone'),
  expires: { N: '4102444800' },
  _type: S('Session'),
  created: S('2026-01-31T00:00:00.000Z'),
}

const sender = engineSender()

async function tableOf<D extends typeof tasks | typeof sessions>(of: D, ...items: readonly Item[]) {
  const table = `foreign-${randomUUID()}`
  const connected = connect<D>(of, { table, sender })
  await ensureTable(connected.runtime)
  for (const item of items) await sender.send('PutItem', { TableName: table, Item: item })
  const raw = async (pk: string, sk: string) =>
    (await sender.send('GetItem', { TableName: table, Key: { pk: S(pk), sk: S(sk) }, ConsistentRead: true })).Item
  return { table: connected, name: table, raw }
}

const one = { orgId: 'acme', taskId: 't-1' }
const rawKey = ['$taskapp#orgid_acme', '$tasks_1#taskid_t-1'] as const

describe('a table of ElectroDB', () => {
  test('is read by key, by pattern, by index and whole, and by a filter on a renamed value', async () => {
    const { table } = await tableOf(tasks, electrodbItem)
    const item = { Type: 'Task', version: 0, ...one, assignee: 'ada', title: 'Theirs', points: 3, __edb_v__: '1' }
    expect(await table.Task.get(one)).toEqual(item)
    expect((await table.ofOrg({ orgId: 'acme', title: 'Theirs' }, { where: { taskId: 't-1' } })).items).toEqual([item])
    expect((await table.ofAssignee({ assignee: 'ada', orgId: 'acme' })).items).toEqual([item])
    const scanned: unknown[] = []
    for await (const page of scanItems(table.runtime, [Task])) scanned.push(...page)
    expect(scanned).toMatchObject([{ Type: 'Task', orgId: 'acme' }])
  })

  test('gets items in the form that ElectroDB reads, and keeps attributes that the design does not know', async () => {
    const { table, raw, name } = await tableOf(tasks, { ...electrodbItem, PK: S('an attribute of theirs'), orgId: S('another') })
    await table.Task.update(one, { title: 'Ours', assignee: 'bob' })
    expect(await raw(...rawKey)).toEqual({
      ...electrodbItem,
      PK: S('an attribute of theirs'),
      orgId: S('another'),
      title: S('Ours'),
      assignee: S('bob'),
      gsi1pk: S('$taskapp#assignee_bob'),
      version: { N: '1' },
      writeId: expect.anything(),
    })
    await table.Task.create({ orgId: 'acme', taskId: 't-2', assignee: 'ada', title: 'New' })
    const { points: _, ...form } = electrodbItem
    expect(await raw('$taskapp#orgid_acme', '$tasks_1#taskid_t-2')).toEqual({
      ...form,
      sk: S('$tasks_1#taskid_t-2'),
      gsi1sk: S('$tasks_1#orgid_acme#taskid_t-2'),
      task_id: S('t-2'),
      title: S('New'),
      version: { N: '1' },
      writeId: expect.anything(),
    })
    expect(await raw('$taskapp#title_New', '$title_1')).toMatchObject({ __edb_e__: S('titles'), org_id: S('acme') })
    await expect(table.Task.create({ orgId: 'acme', assignee: 'ada', taskId: 't-3', title: 'New' })).rejects.toMatchObject({
      code: 'AlreadyExists',
    })
    const { items } = await table.ofOrg({ orgId: 'acme' }, { limit: 1 })
    expect(items).toHaveLength(1)
    await table.Task.remove(one)
    expect(await raw(...rawKey)).toBeUndefined()
    expect((await sender.send('Scan', { TableName: name })).Items).toHaveLength(2)
  })

  test('is paged by cursors that continue, on the table and on an index', async () => {
    const items = ['t-1', 't-2', 't-3'].map((task) => ({
      ...electrodbItem,
      sk: S(`$tasks_1#taskid_${task}`),
      gsi1sk: S(`$tasks_1#orgid_acme#taskid_${task}`),
      task_id: S(task),
    }))
    const { table } = await tableOf(tasks, ...items)
    for (const pages of [
      table.ofOrg.all({ orgId: 'acme' }, { limit: 1 }),
      table.ofAssignee.all({ orgId: 'acme', assignee: 'ada' }, { limit: 1 }),
    ]) {
      const found: string[] = []
      for await (const { taskId } of pages) found.push(taskId)
      expect(found).toEqual(['t-1', 't-2', 't-3'])
    }
  })

  test.each(['an item of theirs', 'an item of ours'])('%s that they change while we write is read again', async (whose) => {
    const { table, name, raw } = await tableOf(tasks, electrodbItem)
    // Completes the item, so that it has a version, which ElectroDB does not count.
    if (whose === 'an item of ours') await table.Task.update(one, { points: 4 })
    let isBetween = true
    const between = senderAfter(async (operation) => {
      if (isBetween && operation !== 'GetItem' && operation !== 'BatchGetItem') {
        isBetween = false
        await sender.send('UpdateItem', {
          TableName: name,
          Key: { pk: S(rawKey[0]), sk: S(rawKey[1]) },
          UpdateExpression: 'SET assignee = :a, gsi1pk = :p',
          ExpressionAttributeValues: { ':a': S('eve'), ':p': S('$taskapp#assignee_eve') },
        })
      }
    }, sender)
    const ours = connect(tasks, { table: name, sender: between })
    await expect(ours.Task.update(one, { title: 'Ours' }, { where: { assignee: 'ada' } })).rejects.toMatchObject({ code: 'CheckFailed' })
    await ours.Task.update(one, { title: 'Ours' }, { where: { assignee: 'eve' } })
    expect(await raw(...rawKey)).toMatchObject({ assignee: S('eve'), gsi1pk: S('$taskapp#assignee_eve'), title: S('Ours') })
  })

  test('gets the guards that ElectroDB did not write by adopt', async () => {
    const { table, raw } = await tableOf(tasks, electrodbItem)
    await table.jobs.start(adoptJob, { subject: tasks.name, input: null })
    expect(await raw('$taskapp#title_Theirs', '$title_1')).toMatchObject({ __edb_e__: S('titles'), org_id: S('acme'), task_id: S('t-1') })
    expect(await surveyTable(table.runtime)).toMatchObject({ missing: {}, problemsCount: 0 })
  })

  test('gets an index that it lacks by migrate, and keeps those of the other program', async () => {
    const table = `foreign-${randomUUID()}`
    const keys = (partition: string, sort: string) =>
      [
        { AttributeName: partition, KeyType: 'HASH' },
        { AttributeName: sort, KeyType: 'RANGE' },
      ] as const
    await sender.send('CreateTable', {
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'mailPK', 'mailSK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: [{ IndexName: 'mail', KeySchema: keys('mailPK', 'mailSK'), Projection: { ProjectionType: 'ALL' } }],
    })
    const connected = connect(tasks, { table, sender, sleep: async () => undefined })
    const ofAda = () => connected.ofAssignee({ assignee: 'ada', orgId: 'acme' })
    await expect(ofAda()).rejects.toMatchObject({ message: expect.stringContaining('has no index gsi1.') })
    const { runtime } = connected
    await connected.jobs.start(migrateJob, { subject: tasks.name, input: migrationInput(runtime, { isFinal: true }) })
    const { Table } = await sender.send('DescribeTable', { TableName: table })
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual(['gsi1', 'mail'])
    expect((await ofAda()).items).toEqual([])
  })

  test('has an id with a capital letter in one spelling only: its item is malformed', async () => {
    const { table } = await tableOf(tasks, { ...electrodbItem, org_id: S('Acme') })
    await expect(table.Task.get(one)).rejects.toMatchObject({ code: 'MalformedItem' })
    await expect(table.Task.get({ ...one, orgId: 'Acme' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('takes no version in a write, since ElectroDB counts none', async () => {
    const { table } = await tableOf(tasks, electrodbItem)
    const refused = expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining('ask by `where`') })
    await expect(table.Task.update(one, { title: 'x' }, { version: 0 })).rejects.toEqual(refused)
    await expect(table.Task.remove(one, { version: 0 })).rejects.toEqual(refused)
    await table.Task.update(one, { title: 'x' }, { where: { title: 'Theirs' } })
    await expect(table.Task.update(one, { title: 'y' }, { where: { title: 'Theirs' } })).rejects.toMatchObject({ code: 'CheckFailed' })
  })
})

describe('a table of OneTable', () => {
  const session = { accountId: 'acme', sessionId: 's-1' }

  test('is read, changed and queried, with the TTL and the version under their names', async () => {
    const { table, raw, name } = await tableOf(sessions, onetableItem)
    expect(await table.Session.get(session)).toEqual({ Type: 'Session', version: 0, ...session, device: 'phone' })
    expect((await table.all({})).items).toHaveLength(1)
    const { version } = await table.Session.update(session, { endsAt: '2099-01-01T00:00:00.000Z' }, { version: 0 })
    expect(version).toBe(1)
    expect(await raw('account:acme', 'session:s-1')).toEqual({
      ...onetableItem,
      endsAt: S('2099-01-01T00:00:00.000Z'),
      expires: { N: '4070908800' },
      revision: { N: '1' },
      writeId: expect.anything(),
    })
    const { TimeToLiveDescription } = await sender.send('DescribeTimeToLive', { TableName: name })
    expect(TimeToLiveDescription?.AttributeName).toBe('expires')
  })

  test('has items that are gone at the end that OneTable gave them', async () => {
    const { table } = await tableOf(sessions, { ...onetableItem, expires: { N: '1' } })
    expect(await table.Session.get(session)).toBeUndefined()
  })
})
