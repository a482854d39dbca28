import assert from 'node:assert/strict'
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { connect } from '@freehold/table'
import { prove } from '@freehold/table/prove'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'
import { connectionOf } from '../peers/peer.js'
import { tasks, users } from './designs.js'
import { electrodbTasks } from './electrodb.js'
import { onetableUsers } from './onetable.js'

// ElectroDB and OneTable fill a table, each with its own code. A design over it reads, changes and queries their items, and they ours.

const engine = await startBenchEngine()
const client = new DynamoDBClient(connectionOf({ endpoint: engine.endpoint, table: '' }))
const dynamo = { endpoint: engine.endpoint }

async function withElectrodb(): Promise<void> {
  const table = connect(tasks, { dynamo })
  await ensureTable(table.runtime)
  const theirs = electrodbTasks(client, tasks.table)
  const one = { orgId: 'acme', taskId: 't-1' }
  await theirs.create({ ...one, assignee: 'ada', title: 'Theirs', points: 3 }).go()

  assert.equal((await table.Task.get(one))?.title, 'Theirs')
  const ours = await table.Task.create({ orgId: 'acme', assignee: 'ada', title: 'Ours' })
  const two = { orgId: 'acme', taskId: ours.taskId }
  assert.deepEqual((await theirs.get(two).go()).data, { ...two, assignee: 'ada', title: 'Ours' })

  const titles = (items: readonly { title: string }[]) => items.map(({ title }) => title).sort()
  for (const found of [
    (await table.ofOrg({ orgId: 'acme' })).items,
    (await table.ofAssignee({ assignee: 'ada', orgId: 'acme' })).items,
    (await theirs.query.ofOrg({ orgId: 'acme' }).go()).data,
    (await theirs.query.ofAssignee({ assignee: 'ada', orgId: 'acme' }).go()).data,
  ])
    assert.deepEqual(titles(found), ['Ours', 'Theirs'])

  // A change on one side is seen on the other, with the keys of the index.
  await table.Task.update(one, { title: 'Theirs, changed by us', assignee: 'bob' })
  assert.deepEqual((await theirs.get(one).go()).data, { ...one, assignee: 'bob', title: 'Theirs, changed by us', points: 3 })
  await theirs.patch(two).set({ title: 'Ours, changed by them', assignee: 'bob' }).go()
  assert.equal((await table.Task.get(two))?.title, 'Ours, changed by them')
  assert.equal((await table.ofAssignee({ assignee: 'bob', orgId: 'acme' })).items.length, 2)
  assert.equal((await theirs.query.ofAssignee({ assignee: 'bob', orgId: 'acme' }).go()).data.length, 2)

  await table.Task.remove(one)
  await theirs.delete(two).go()
  assert.deepEqual([(await theirs.get(one).go()).data, await table.Task.get(two)], [null, undefined])
}

async function withOnetable(): Promise<void> {
  const table = connect(users, { dynamo })
  await ensureTable(table.runtime)
  const theirs = onetableUsers(client, users.table)
  const [one, two] = ['ada@example.org', 'bob@example.org'].map((email) => ({ accountId: 'acme', email })) as [Id, Id]
  await theirs.create({ ...one, name: 'Ada' })

  assert.equal((await table.User.get(one))?.name, 'Ada')
  await table.User.create({ ...two, name: 'Bob' })
  assert.equal((await theirs.get(two))?.name, 'Bob')

  const names = (items: readonly { name: string }[]) => items.map(({ name }) => name).sort()
  for (const found of [
    (await table.ofAccount({ accountId: 'acme' })).items,
    (await table.all({})).items,
    await theirs.find({ accountId: 'acme' }),
    await theirs.find({}, { index: 'gsi1' }),
  ])
    assert.deepEqual(names(found), ['Ada', 'Bob'])

  await table.User.update(one, { name: 'Ada, changed by us' })
  assert.equal((await theirs.get(one))?.name, 'Ada, changed by us')
  await theirs.update({ ...two, name: 'Bob, changed by them' })
  assert.equal((await table.User.get(two))?.name, 'Bob, changed by them')

  await table.User.remove(one)
  await theirs.remove(two)
  assert.deepEqual([await theirs.get(one), await table.User.get(two)], [undefined, undefined])
}

interface Id {
  readonly accountId: string
  readonly email: string
}

try {
  for (const design of [tasks, users])
    assert.deepEqual(
      prove(design).findings.filter(({ severity }) => severity === 'error'),
      [],
    )
  await withElectrodb()
  await withOnetable()
  if (process.argv.includes('--items'))
    for (const TableName of [tasks.table, users.table])
      console.log(JSON.stringify((await client.send(new ScanCommand({ TableName }))).Items))
  console.log('ElectroDB and OneTable read, change and find the items of the designs over their tables, and the designs theirs.')
} finally {
  client.destroy()
  await engine.stop()
}
