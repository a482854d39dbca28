import { expect, test } from 'vitest'
import { ownTable } from '../../../test/own-table.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { joinGroup, leaveLocation } from '../flows/membership.ts'
import { type Assignment, assignMany } from './assign-many.ts'

const consistent = { consistent: true }
const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const table = await ownTable()
const users = (await table.User.createMany(['Ada', 'Bo', 'Cy'].map((displayName) => ({ displayName })))).flatMap(
  ({ item }) => item?.userId ?? [],
)
const locationId = (await table.Location.create({ locationCode: 'BER001', name: 'Berlin' })).locationId
const groupId = (await table.UserGroup.create({ locationId, name: 'one' })).groupId
await table.Role.create({ roleName: 'teacher' })
for (const pageName of ['a', 'b']) await table.Page.create({ pageName })

test('assignments of every kind are made, and made again they change nothing', async () => {
  const rows: Assignment[] = [
    ...users.map((userId) => ({ userId, groupId })),
    { groupId, roleName: 'teacher' },
    { roleName: 'teacher', pageName: 'a' },
    { roleName: 'teacher', pageName: 'b', permission: 'DENY' },
  ]
  expect(await assignMany(table, rows)).toMatchObject({ rows: 6, written: 6, failed: 0 })
  expect((await table.usersOfGroup({ groupId }, consistent)).items).toHaveLength(3)
  expect((await table.usersOfLocation({ locationId }, consistent)).items).toHaveLength(3)
  expect(await table.permission({ roleName: 'teacher', pageName: 'b' }, consistent)).toMatchObject({ permission: 'DENY' })
  const before = await wholeTable(table)
  expect(await assignMany(table, rows)).toMatchObject({ written: 0, unchanged: 6, failed: 0 })
  expect(await wholeTable(table)).toEqual(before)
})

test('each that fails is reported with its number, writes nothing, and keeps no other from being made', async () => {
  const [ada = ''] = users
  const { groupId: other } = await table.UserGroup.create({ locationId, name: 'two' })
  const rows = [
    { userId: ada, groupId: other },
    { userId: nowhere, groupId: other },
    { userId: ada, groupId: nowhere },
    { groupId: other, roleName: 'nobody' },
    { roleName: 'teacher', pageName: 'b', permission: 'ALLOW' },
    { roleName: 'teacher', pageName: 'a', permission: 'MAYBE' },
    { userId: ada },
    'nothing',
    { groupId: other, roleName: 'teacher' },
  ] as Assignment[] // what JSON may bring
  const report = await assignMany(table, rows)
  expect(report.failures.map(({ line, error }) => [line, error.code]).sort(([a], [b]) => Number(a) - Number(b))).toEqual([
    [2, 'MissingEnd'],
    [3, 'MissingEnd'],
    [4, 'MissingEnd'],
    [5, 'AlreadyExists'],
    [6, 'InvalidInput'],
    [7, 'InvalidInput'],
    [8, 'InvalidInput'],
  ])
  expect(report).toMatchObject({ written: 2, failed: 7 })
  expect(JSON.stringify(await wholeTable(table))).not.toMatch(new RegExp(`${nowhere}|nobody`))
})

test('a user who is leaving the location is not assigned to a group there', async () => {
  const [ada = ''] = users
  await joinGroup(table, { userId: ada, groupId })
  await leaveLocation(table, { userId: ada, locationId }, { wait: false })
  const { failures } = await assignMany(table, [{ userId: ada, groupId }])
  expect(failures).toMatchObject([{ line: 1, error: { code: 'BeingDeleted' } }])
})
