import { matrixColumns, matrixEmail, readCsv } from '@freehold/frame/exchange'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownTable } from '../../../test/own-table.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import type { RebacTable } from '../rebac-table.ts'
import { importMatrix, type MatrixOptions } from './import-matrix.ts'

const consistent = { consistent: true }
let table: RebacTable
beforeEach(async () => {
  table = await ownTable()
})

async function* text(content: string) {
  yield content
}
const rows = (userRoles: readonly string[], rolePermissions: readonly string[]): MatrixOptions => ({
  userRoles: readCsv(text(['user,role', ...userRoles].join('\n')), matrixColumns.userRoles),
  rolePermissions: readCsv(text(['role,permission', ...rolePermissions].join('\n')), matrixColumns.rolePermissions),
  location: 'HQ',
})

test('each role becomes a group with that role, each permission a page with ALLOW, each user a user with an address', async () => {
  await importMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
  const location = await table.locationIdOfCode({ locationCode: 'HQ' }, consistent)
  const locationId = location?.locationId ?? ''
  expect(await table.location({ locationId })).toMatchObject({ name: 'HQ' })
  const { items } = await table.groupsOfLocation({ locationId }, consistent)
  expect(items).toMatchObject([{ name: 'nurse', groupType: 'VOLUNTEER' }])
  const groupId = items[0]?.groupId ?? ''
  expect(await table.roleOfGroup({ groupId, roleName: 'nurse' })).toBeDefined()
  expect(await table.permission({ roleName: 'nurse', pageName: 'ward' })).toMatchObject({ permission: 'ALLOW' })
  const identity = await table.userIdOfEmail({ email: 'ann@import.example' })
  expect(identity).toMatchObject({ provider: 'import' })
  const userId = identity?.userId ?? ''
  expect(await table.user({ userId })).toMatchObject({ displayName: 'Ann', userType: 'MEMBER' })
  expect(await table.UserGroupEdge.get({ userId, groupId })).toMatchObject({ locationId, groupName: 'nurse' })
})

test('another e-mail domain may be given', async () => {
  await importMatrix(table, { ...rows(['Ann,nurse'], []), emailDomain: 'Hospital.example' })
  expect(await table.userIdOfEmail({ email: matrixEmail('ann', 'hospital.example') })).toBeDefined()
  await expect(importMatrix(table, { ...rows([], []), emailDomain: 'no domain' })).rejects.toMatchObject({ code: 'InvalidInput' })
})

test('a role without users has its group, a role without permissions its role', async () => {
  await importMatrix(table, rows(['Ann,nurse'], ['clerk,files']))
  const { items } = await table.groups({}, consistent)
  expect(items.map(({ name }) => name).sort()).toEqual(['clerk', 'nurse'])
  expect((await table.roles({}, consistent)).items).toHaveLength(2)
})

describe('a row that cannot be imported', () => {
  test('is reported with its file and line, and the rest carries on; nothing of it is written', async () => {
    const failed: [string, number, string][] = []
    const control = 'pa\u0001ge'
    const report = await importMatrix(table, {
      ...rows(
        ['Ann,nurse', 'not an address,ghost1', 'Bo,', ',ghost2', 'Cy,nurse,3', 'Cy,nurse'],
        ['nurse,ward', `ghost3,${control}`, 'nurse,files'],
      ),
      onFailed: (file, { line, error }) => failed.push([file, line, error.code]),
    })
    expect(failed).toEqual([
      ['rolePermissions', 3, 'InvalidKey'],
      ['userRoles', 3, 'InvalidInput'],
      ['userRoles', 4, 'InvalidInput'],
      ['userRoles', 5, 'InvalidInput'],
      ['userRoles', 6, 'InvalidInput'],
    ])
    expect(report.userRoles).toMatchObject({ rows: 6, written: 2, failed: 4 })
    expect(report.rolePermissions).toMatchObject({ rows: 3, written: 2, failed: 1 })
    expect(JSON.stringify(await wholeTable(table))).not.toMatch(/ghost|bo@/)
  })

  test('keeps no other row of its transaction from being written', async () => {
    await table.Role.create({ roleName: 'going' })
    await table.Page.create({ pageName: 'leaving' })
    await table.Page.remove({ pageName: 'leaving' }, { wait: false })
    await table.Role.remove({ roleName: 'going' }, { wait: false })
    const report = await importMatrix(
      table,
      rows(['Ann,nurse', 'Bo,going', 'Cy,nurse'], ['nurse,ward', 'nurse,leaving', 'going,ward', 'nurse,files']),
    )
    expect(report.rolePermissions.failures.map(({ line, error }) => [line, error.code])).toEqual([
      [3, 'BeingDeleted'],
      [4, 'BeingDeleted'],
    ])
    expect(report.userRoles.failures.map(({ line }) => line)).toEqual([3])
    expect(report.userRoles.written).toBe(2)
    expect((await table.permissionsOfRole({ roleName: 'nurse' }, consistent)).items.map(({ pageName }) => pageName)).toEqual([
      'files',
      'ward',
    ])
    expect(await table.userIdOfEmail({ email: 'bo@import.example' }, consistent)).toBeUndefined()
  })

  test('is one whose page is denied to the role: an import does not change that', async () => {
    await importMatrix(table, rows([], ['nurse,ward']))
    await table.RolePagePermission.update({ roleName: 'nurse', pageName: 'ward' }, { permission: 'DENY' })
    const { rolePermissions } = await importMatrix(table, rows([], ['nurse,ward', 'nurse,files']))
    expect(rolePermissions).toMatchObject({ written: 1, failed: 1 })
    expect(rolePermissions.failures[0]?.error).toMatchObject({ code: 'AlreadyExists' })
    expect(await table.permission({ roleName: 'nurse', pageName: 'ward' }, consistent)).toMatchObject({ permission: 'DENY' })
  })
})

describe('items that are there stay as they are', () => {
  test('a group that was made by hand is found by its name, and gets the role', async () => {
    const { locationId } = await table.Location.create({ locationCode: 'HQ', name: 'Headquarters' })
    const group = await table.UserGroup.create({ locationId, name: 'nurse', groupType: 'TEACHER' })
    await importMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
    expect((await table.groups({}, consistent)).items).toHaveLength(1)
    expect(await table.group({ groupId: group.groupId }, consistent)).toMatchObject({ groupType: 'TEACHER', version: 1 })
    expect(await table.roleOfGroup({ groupId: group.groupId, roleName: 'nurse' }, consistent)).toBeDefined()
  })

  test('a group that has been renamed is not found any more: another is made, once', async () => {
    await importMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
    const [old] = (await table.groups({}, consistent)).items
    await table.UserGroup.update({ groupId: old?.groupId ?? '' }, { name: 'Ward nurses' })
    // More than a chunk, so that what one chunk makes has to be found by the next.
    const permissions = Array.from({ length: 1100 }, (_, index) => `nurse,page ${index}`)
    for (let round = 0; round < 2; round++) {
      const { userRoles, rolePermissions } = await importMatrix(table, rows(['Ann,nurse', 'Bo,nurse'], permissions))
      expect([...userRoles.failures, ...rolePermissions.failures]).toEqual([])
    }
    expect((await table.groups({}, consistent)).items.map(({ name }) => name).sort()).toEqual(['Ward nurses', 'nurse'])
  })

  test('a user whose name was changed keeps it', async () => {
    await importMatrix(table, rows(['Ann,nurse'], []))
    const userId = (await table.userIdOfEmail({ email: 'ann@import.example' }, consistent))?.userId ?? ''
    await table.User.update({ userId }, { displayName: 'Ann Other' })
    expect((await importMatrix(table, rows(['Ann,nurse'], []))).userRoles).toMatchObject({ unchanged: 1 })
    expect(await table.user({ userId }, consistent)).toMatchObject({ displayName: 'Ann Other' })
  })

  test('a row that is there twice is one', async () => {
    const { userRoles } = await importMatrix(table, rows(['Ann,nurse', 'Ann,nurse', 'ann, nurse'], []))
    expect(userRoles).toMatchObject({ rows: 3, failed: 0 })
    expect((await table.users({}, consistent)).items).toHaveLength(1)
  })
})

test('a file with another header is refused before anything is written', async () => {
  const good = rows(['Ann,nurse'], ['nurse,ward'])
  const wrong = { ...good, userRoles: readCsv(text('role,user\nnurse,Ann'), { must: ['user', 'role', 'more'] }) }
  await expect(importMatrix(table, wrong)).rejects.toMatchObject({ code: 'InvalidInput' })
  expect(await wholeTable(table)).toEqual([])
})

test('progress is told as it goes', async () => {
  const told: [string, number][] = []
  const many = Array.from({ length: 2500 }, (_, index) => `r${index % 7},p${index}`)
  await importMatrix(table, { ...rows(['Ann,r1'], many), onProgress: (file, { rows: count }) => told.push([file, count]) })
  expect(told).toEqual([
    ['rolePermissions', 1000],
    ['rolePermissions', 2000],
    ['rolePermissions', 2500],
    ['userRoles', 1],
  ])
})
