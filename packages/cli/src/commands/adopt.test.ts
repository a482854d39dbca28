import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { scanItems } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'

const at = '2026-01-01T00:00:00.000Z'
const question = { user: 'ada@example.org', location: 'BER', page: 'plan' }

/** A table with Ada in Berlin, as a program writes it that knows the document alone. */
async function byDocument(): Promise<string> {
  const name = freshTable()
  await freehold(['setup', 'rebac', '--table', name])
  const table = connect(rebac, { dynamo: { endpoint }, table: name })
  const { userId } = await table.User.create({ displayName: 'Ada' })
  const { locationId } = await table.Location.create({ locationCode: 'BER', name: 'Berlin' })
  const { groupId } = await table.UserGroup.create({ locationId, name: 'teachers' })
  await table.EmailIdentity.create({ userId, email: question.user, provider: 'google' })
  await table.UserLocationEdge.create({ userId, locationId })
  await table.UserGroupEdge.create({ userId, groupId })
  await table.Role.create({ roleName: 'reader' })
  await table.Page.create({ pageName: 'plan' })
  await table.GroupRole.create({ groupId, roleName: 'reader' })
  await table.RolePagePermission.create({ roleName: 'reader', pageName: 'plan', permission: 'ALLOW' })
  const { runtime } = table
  for await (const page of scanItems(runtime))
    for (const { PK, SK, Type } of page)
      if (rebac.form.entities.get(String(Type))?.form.addition !== undefined)
        await runtime.sender.send('DeleteItem', { TableName: name, Key: { PK: { S: String(PK) }, SK: { S: String(SK) } } })
  table.close()
  return name
}

test('adopt adds what the document has not, once; setup and prove say so before', async () => {
  const table = await byDocument()
  expect(await freehold(['can', 'rebac', JSON.stringify(question), '--table', table])).toMatchObject({ exit: 1 })
  const advice = /Another program has written to this table\. Missing or old: .*1 PageRoleEdge.* `freehold adopt rebac` adds what it can\./
  const setup = await freehold(['setup', 'rebac', '--table', table])
  expect(setup).toMatchObject({ exit: 0, out: `The table ${table} already exists.\n`, err: expect.stringMatching(advice) })
  const before = await freehold(['prove', 'rebac', '--table', table])
  expect(before).toMatchObject({ exit: 1, out: expect.stringMatching(advice) })
  for (let time = 0; time < 2; time++)
    expect(await freehold(['adopt', 'rebac', '--table', table])).toEqual({
      exit: 0,
      out: `The table ${table} has everything that the design rebac adds.\n`,
      err: '',
    })
  expect(await freehold(['can', 'rebac', JSON.stringify(question), '--table', table])).toMatchObject({ exit: 0, out: 'yes\n' })
  expect(await freehold(['prove', 'rebac', '--table', table])).toMatchObject({ exit: 0, out: expect.stringContaining('has everything') })
  expect((await freehold(['setup', 'rebac', '--table', table])).err).toBe('')
})

test('adopt tells what two owners have, and exits with 1', async () => {
  const name = await byDocument()
  const table = connect(rebac, { dynamo: { endpoint }, table: name })
  const twin = { PK: { S: 'LOCATION#01ARZ3NDEKTSV4RRFFQ69G5FAV' }, SK: { S: 'META' }, Type: { S: 'Location' } }
  const attributes = { locationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', locationCode: 'BER', name: 'Twin', createdAt: at, updatedAt: at }
  const item = { ...twin, ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, { S: value }])) }
  await table.runtime.sender.send('PutItem', { TableName: name, Item: item })
  table.close()
  const adopted = await freehold(['adopt', 'rebac', '--table', name])
  expect(adopted).toMatchObject({ exit: 1, err: expect.stringMatching(/LocationCodeLookup .* is of another owner.*\(AlreadyExists\)/) })
  const { out } = await freehold(['adopt', 'rebac', '--table', name, '--json'])
  expect(JSON.parse(out)).toMatchObject({
    missing: {},
    problemsCount: 1,
    problems: [{ entity: 'LocationCodeLookup', code: 'AlreadyExists' }],
  })
})
