import { matrixColumns, readCsv } from '@freehold/frame/exchange'
import { meter, without } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { idOf } from '../../../test/account-items.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { matrixNames, matrixRows } from '../../../test/role-matrices.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { accountManagement } from '../design.ts'
import type { AccountTable } from '../flows/account-host.ts'
import { type AccountMatrixOptions, importAccountMatrix, importedPermission } from './import-matrix.ts'

const consistent = { consistent: true }
let table: AccountTable
let client: string
beforeEach(async () => {
  table = await ownTableOf(accountManagement)
  client = (await table.Client.create({ name: 'Acme' })).id
})

async function* text(content: string) {
  yield content
}
const rows = (userRoles: readonly string[], rolePermissions: readonly string[]): AccountMatrixOptions => ({
  userRoles: readCsv(text(['user,role', ...userRoles].join('\n')), matrixColumns.userRoles),
  rolePermissions: readCsv(text(['role,permission', ...rolePermissions].join('\n')), matrixColumns.rolePermissions),
  client,
})

async function roleNamed(name: string) {
  const { id = '' } = (await table.roleOfName({ client_id: client, name }, consistent)) ?? {}
  return table.Role.get({ client_id: client, id }, consistent)
}
const userOf = async (email: string) => (await table.userIdOfEmail({ email }, consistent))?.id ?? ''

test('roles are of the client, permissions of the catalogue and linked; users are of the client, with their roles at all of it', async () => {
  await importAccountMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
  const role = await roleNamed('nurse')
  expect(role).toMatchObject({ client_id: client, permission_form: 'linked', permissions: [] })
  const role_id = role?.id ?? ''
  expect((await table.permissions({}, consistent)).items).toMatchObject([{ module: 'imported', action: 'use', resource: 'ward' }])
  expect((await table.linksOfRole({ role_id }, consistent)).items).toMatchObject([
    { client_id: client, module: 'imported', action: 'use', resource: 'ward' },
  ])
  const id = await userOf('ann@import.example')
  expect(await table.User.get({ id }, consistent)).toMatchObject({ client_id: client, status: 'active', user_type: 'external_customer' })
  expect((await table.rolesOfUser({ user_id: id }, consistent)).items).toMatchObject([
    { role_id, role_owner: client, scope_type: 'client', scope_id: client, client_id: client },
  ])
})

test('another e-mail domain may be given', async () => {
  await importAccountMatrix(table, { ...rows(['Ann,nurse'], []), emailDomain: 'Hospital.example' })
  expect(await userOf('ann@hospital.example')).not.toBe('')
})

test.each([
  [idOf('client', 404), 'NotFound'],
  ['no uuid', 'InvalidInput'],
])('a client %s is refused (%s), and nothing is written', async (other, code) => {
  const before = await wholeTable(table)
  await expect(importAccountMatrix(table, { ...rows(['Ann,nurse'], []), client: other })).rejects.toMatchObject({ code })
  expect(await wholeTable(table)).toEqual(before)
})

describe('a row that cannot be imported is reported with its line, and the rest carries on:', () => {
  const failures = async (options: AccountMatrixOptions) => {
    const { userRoles } = await importAccountMatrix(table, options)
    expect(userRoles).toMatchObject({ rows: 3, written: 2, failed: 1 })
    return userRoles.failures.map(({ line, error }) => [line, error.code, error.message])
  }

  test('a user who is of another client', async () => {
    const { id } = await table.Client.create({ name: 'Other' })
    await table.User.create({ client_id: id, email: 'bo@import.example', user_type: 'client_admin' })
    const failed = await failures(rows(['Ann,nurse', 'Bo,nurse', 'Cy,nurse'], []))
    expect(failed).toEqual([[3, 'AlreadyExists', expect.stringContaining('not of this client')]])
    const bo = await userOf('bo@import.example')
    expect((await table.rolesOfUser({ user_id: bo }, consistent)).items).toEqual([])
  })

  test('a wildcard, which would be every permission that was ever imported', async () => {
    const { rolePermissions } = await importAccountMatrix(table, rows([], ['nurse,ward', 'nurse, * ', 'nurse,beds']))
    expect(rolePermissions).toMatchObject({ rows: 3, written: 2, failures: [{ line: 3, error: { code: 'InvalidInput' } }] })
    expect(rolePermissions.failures[0]?.error.message).toContain('permission is a wildcard')
  })

  test('a permission of a role that embeds its own', async () => {
    await table.Role.create({ client_id: client, name: 'clerk' })
    const { rolePermissions } = await importAccountMatrix(table, rows([], ['nurse,ward', 'clerk,ward', 'nurse,beds']))
    expect(rolePermissions).toMatchObject({ written: 2, failures: [{ line: 3, error: { code: 'AlreadyExists' } }] })
    expect((await roleNamed('clerk'))?.version).toBe(1)
  })

  test('items that are being deleted', async () => {
    const { id } = await table.User.create({ client_id: client, email: 'bo@import.example', user_type: 'client_admin' })
    await table.User.remove({ id }, { wait: false })
    expect(await failures(rows(['Ann,nurse', 'Bo,nurse', 'Cy,nurse'], []))).toEqual([[3, 'BeingDeleted', expect.any(String)]])
  })

  test('a name that cannot stand in an address, or is none', async () => {
    const failed: [string, number, string][] = []
    await importAccountMatrix(table, {
      ...rows(['not an address,ghost1', ',ghost2', 'Bo,'], ['ghost3,pa\u0001ge', ',ward']),
      onFailed: (file, { line, error }) => failed.push([file, line, error.code]),
    })
    expect(failed).toEqual([
      ['rolePermissions', 3, 'InvalidInput'],
      ['rolePermissions', 2, 'InvalidKey'],
      ['userRoles', 2, 'InvalidInput'],
      ['userRoles', 3, 'InvalidInput'],
      ['userRoles', 4, 'InvalidInput'],
    ])
    expect(JSON.stringify(await wholeTable(table))).not.toContain('ghost')
  })
})

describe('the audit tells of imported items:', () => {
  const always = { from: '2000-01-01', to: '2199-12-31' }
  const entries = async () => (await table.auditOfClient({ client_id: client, ...always }, { limit: 1000 })).items
  const about = async (type: string) => (await entries()).filter(({ entity_type }) => entity_type === type)

  test('who gave a user a role, and a role a permission', async () => {
    await importAccountMatrix(table, rows(['Ann,nurse', 'Ann,nurse'], ['nurse,ward', 'nurse,ward']))
    const role = (await roleNamed('nurse'))?.id
    const user = await userOf('ann@import.example')
    const { id } = (await table.rolesOfUser({ user_id: user }, consistent)).items[0] ?? {}
    expect(await about('UserRoleAssignment')).toMatchObject([
      {
        action: 'importMatrix',
        entity_id: id,
        severity: 'info',
        related_entities: { user, role },
        metadata: { operator: 'import', changes: { scope_id: { after: client } } },
      },
    ])
    const [granted, created, ...more] = (await about('Role')).sort(
      (a, b) => Number(b.related_entities !== undefined) - Number(a.related_entities !== undefined),
    )
    expect(granted).toMatchObject({
      action: 'importMatrix',
      entity_id: role,
      related_entities: { role },
      metadata: { granted: ['imported:use:ward'] },
    })
    expect(created).toMatchObject({ entity_id: role, metadata: { changes: { name: { after: 'nurse' } } } })
    expect(more).toEqual([])
    expect(await about('User')).toMatchObject([{ entity_id: user, metadata: { changes: { email: { after: 'ann@import.example' } } } }])
    expect((await table.systemAudit(always, consistent)).items).toMatchObject([{ action: 'importMatrix', entity_type: 'Permission' }])
  })

  test('again there is nothing to tell, though more roles are given', async () => {
    await importAccountMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
    const before = (await entries()).length
    await importAccountMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
    expect(await entries()).toHaveLength(before)
    await importAccountMatrix(table, rows(['Ann,nurse', 'Bo,nurse'], ['nurse,ward']))
    // Bo, and the assignment.
    expect(await entries()).toHaveLength(before + 2)
  })

  test('nothing of a design without it', async () => {
    const silent = await ownTableOf(without(accountManagement, 'audit'))
    // A domain that was left out is asked for only after a look whether it is there.
    const report = await importAccountMatrix(silent as unknown as AccountTable, {
      ...rows(['Ann,nurse'], ['nurse,ward']),
      client: (await silent.Client.create({ name: 'Acme' })).id,
    })
    expect(report).toMatchObject({ userRoles: { written: 1 }, rolePermissions: { written: 1 } })
  })
})

describe('dangerous permissions', () => {
  beforeEach(async () => {
    await table.Permission.create({ ...importedPermission('vault'), is_dangerous: true })
  })

  test('is not granted without a confirmation: neither to a role nor, by a role, to a user', async () => {
    const { rolePermissions } = await importAccountMatrix(table, rows([], ['nurse,ward', 'nurse,vault', 'nurse,beds']))
    expect(rolePermissions).toMatchObject({ written: 2, failures: [{ line: 3, error: { code: 'InvalidInput' } }] })
    expect(rolePermissions.failures[0]?.error.message).toContain('imported:use:vault')
    const { id: parent_role_id } = await table.Role.create({ client_id: client, name: 'any', permissions: [importedPermission('*')] })
    await table.Role.create({ client_id: client, name: 'doorkeeper', parent_role_id })
    const { userRoles } = await importAccountMatrix(table, rows(['Ann,nurse', 'Bo,doorkeeper'], []))
    expect(userRoles).toMatchObject({ written: 1, failures: [{ line: 3, error: { code: 'InvalidInput' } }] })
    expect(await userOf('bo@import.example')).toBe('')
  })

  test('is with one, and is a warning in the audit', async () => {
    const dangerous = { ...rows(['Ann,nurse', 'Bo,clerk'], ['nurse,vault', 'clerk,ward']), confirm_dangerous: true }
    const report = await importAccountMatrix(table, dangerous)
    expect(report).toMatchObject({ userRoles: { written: 2, failed: 0 }, rolePermissions: { written: 2, failed: 0 } })
    const { items } = await table.auditOfClient({ client_id: client, from: '2000-01-01', to: '2199-12-31' }, { limit: 100 })
    const warned = items.filter(({ severity }) => severity === 'warning')
    expect(warned.map(({ entity_type, metadata }) => [entity_type, metadata?.dangerous]).sort()).toEqual([
      ['Role', ['imported:use:vault']],
      ['UserRoleAssignment', ['imported:use:vault']],
    ])
    // A grant that is there already is not made again.
    expect(await importAccountMatrix(table, rows(['Ann,nurse'], ['nurse,vault']))).toMatchObject({
      userRoles: { unchanged: 1 },
      rolePermissions: { unchanged: 1 },
    })
  })
})

test('items that are there stay as they are: a user who is disabled, an assignment that has ended', async () => {
  await importAccountMatrix(table, rows(['Ann,nurse'], []))
  const user_id = await userOf('ann@import.example')
  const assignment = { user_id, scope_type: 'client', scope_id: client, role_id: (await roleNamed('nurse'))?.id ?? '' } as const
  await table.User.update({ id: user_id }, { status: 'disabled' })
  await table.UserRoleAssignment.update(assignment, { expires_at: '2020-01-01T00:00:00.000Z' })
  const before = await wholeTable(table)
  const { userRoles } = await importAccountMatrix(table, rows([' ANN ,nurse', 'ann,nurse'], []))
  expect(userRoles).toMatchObject({ unchanged: 2, failed: 0 })
  expect(await wholeTable(table)).toEqual(before)
})

test('clients have their own users and roles, and share the catalogue', async () => {
  await importAccountMatrix(table, rows(['Ann,nurse'], ['nurse,ward']))
  client = (await table.Client.create({ name: 'Second' })).id
  const report = await importAccountMatrix(table, { ...rows(['Ann,nurse'], ['nurse,ward']), emailDomain: 'second.example' })
  expect(report).toMatchObject({ userRoles: { written: 1 }, rolePermissions: { written: 1 } })
  expect((await table.permissions({}, consistent)).items).toHaveLength(1)
})

describe.each(matrixNames)('the role matrix %s', (name) => {
  test('is imported whole, and again writes nothing', async () => {
    const first = await importAccountMatrix(table, { ...matrixRows(name), client })
    for (const report of Object.values(first)) expect(report).toMatchObject({ failed: 0, written: report.rows })
    const { result, cost } = await meter(() => importAccountMatrix(table, { ...matrixRows(name), client: client.toUpperCase() }))
    for (const report of Object.values(result)) expect(report).toMatchObject({ failed: 0, unchanged: report.rows })
    expect(cost.writeUnits).toBe(0)
  })

  test('of two imports at once makes what one makes', async () => {
    const count = async (of: AccountTable) => {
      const types = (await wholeTable(of)).map(({ Type }) => String(Type))
      return Object.fromEntries([...new Set(types)].sort().map((type) => [type, types.filter((each) => each === type).length]))
    }
    const alone = await ownTableOf(accountManagement)
    const { id } = await alone.Client.create({ name: 'Acme' })
    await importAccountMatrix(alone, { ...matrixRows(name), client: id })
    const reports = await Promise.all([1, 2].map(() => importAccountMatrix(table, { ...matrixRows(name), client })))
    expect(reports.flatMap((report) => Object.values(report).flatMap(({ failures }) => failures))).toEqual([])
    expect(await count(table)).toEqual(await count(alone))
  })
})
