import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { accountManagement } from './design.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const table = await ownTableOf(accountManagement, { now: () => new Date(now++) })
const one = (await table.Client.create({ name: 'Acme' })).id
const other = (await table.Client.create({ name: 'Other' })).id

const consistent = { consistent: true }
const taken = (guard: string) => ({ code: 'AlreadyExists', details: { guard } })
const user = (client_id: string | null, email: string) => table.User.create({ client_id, email, user_type: 'external_tenant' })
const role = (client_id: string | null, name: string) => table.Role.create({ client_id, name })
const permission = (module: string, action: string, resource: string) => table.Permission.create({ module, action, resource })

describe('an e-mail address is of one user', () => {
  test('of all clients and none, however it is spelled', async () => {
    await user(one, 'ada@example.org')
    for (const client of [one, other, null]) {
      await expect(user(client, ' Ada@EXAMPLE.org')).rejects.toMatchObject(taken('UserEmail'))
    }
    await expect(user(other, 'ada@example.org.uk')).resolves.toBeDefined()
  })

  test('and free again when its user has another, or is gone', async () => {
    const { id } = await user(one, 'bob@example.org')
    await table.User.update({ id }, { email: 'bobby@example.org' })
    expect(await table.userIdOfEmail({ email: 'bob@example.org' }, consistent)).toBeUndefined()
    expect(await table.userIdOfEmail({ email: 'bobby@example.org' }, consistent)).toMatchObject({ id, client_id: one })
    const { id: heir } = await user(other, 'bob@example.org')
    await expect(table.User.update({ id }, { email: 'bob@example.org' })).rejects.toMatchObject(taken('UserEmail'))
    await table.User.remove({ id })
    await table.User.update({ id: heir }, { email: 'bobby@example.org' })
    expect(await table.userIdOfEmail({ email: 'bobby@example.org' }, consistent)).toMatchObject({ id: heir, client_id: other })
  })

  test('also where ten want it at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => user(index % 2 === 0 ? one : other, 'eve@example.org')))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await wholeTable(table)).filter(({ email }) => email === 'eve@example.org')).toHaveLength(2)
  })
})

describe('the name of a role is of one role', () => {
  test('of a client, or of the system; in another case it is another name', async () => {
    for (const client of [one, other, null]) await role(client, 'Manager')
    for (const client of [one, other, null]) await expect(role(client, ' Manager ')).rejects.toMatchObject(taken('RoleName'))
    await role(one, 'manager')
    expect(await table.roleOfName({ client_id: one, name: 'Manager' }, consistent)).toMatchObject({ client_id: one })
    expect(await table.roleOfName({ name: 'Manager' }, consistent)).not.toHaveProperty('client_id')
  })

  test('a client may call a role SYSTEM, and the system one like the role of a client', async () => {
    const { id } = await role(one, 'SYSTEM')
    const { id: shared } = await role(null, `${one}#SYSTEM`)
    expect(await table.roleOfName({ client_id: one, name: 'SYSTEM' }, consistent)).toMatchObject({ id })
    expect(await table.roleOfName({ name: `${one}#SYSTEM` }, consistent)).toMatchObject({ id: shared })
  })

  test('and free again when the role has another, or is gone', async () => {
    const { id } = await role(one, 'Deputy')
    await table.Role.update({ client_id: one, id }, { name: 'Assistant' })
    await role(one, 'Deputy')
    await expect(table.Role.update({ client_id: one, id }, { name: 'Deputy' })).rejects.toMatchObject(taken('RoleName'))
    await table.Role.remove({ client_id: one, id })
    await role(one, 'Assistant')
  })
})

describe('the catalogue has one entry', () => {
  test('of a module, action and resource', async () => {
    const { id } = await permission('devices', 'read', 'camera')
    await expect(permission('devices', 'read', ' camera')).rejects.toMatchObject(taken('PermissionKey'))
    await permission('devices', 'read', 'Camera')
    await table.Permission.update({ id }, { action: 'write' })
    await permission('devices', 'read', 'camera')
    await expect(table.Permission.update({ id }, { action: 'read' })).rejects.toMatchObject(taken('PermissionKey'))
  })

  test('whose key is never read as another: only what ends it may hold a #', async () => {
    await permission('alarms', 'read', 'door#1')
    await expect(permission('alarms', 'read#door', '1')).rejects.toMatchObject({ code: 'InvalidKey', details: { attribute: 'action' } })
    await expect(permission('alarms#read', 'door', '1')).rejects.toMatchObject({ code: 'InvalidKey', details: { attribute: 'module' } })
  })
})

describe('a link', () => {
  test('repeats its catalogue entry and follows it; what it repeats is never given', async () => {
    const { id: permission_id } = await permission('zones', 'read', 'lobby')
    const { id: role_id } = await role(one, 'Linked')
    const { id: shared } = await role(null, 'Linked')
    const edge = { client_id: one, role_id, permission_id }
    await expect(table.repositoryNamed('RolePermissionLink').create({ ...edge, module: 'x' })).rejects.toMatchObject({
      code: 'InvalidInput',
    })
    const first = await table.RolePermissionLink.create(edge)
    expect(first).toMatchObject({ module: 'zones', action: 'read', resource: 'lobby' })
    await table.RolePermissionLink.create({ role_id: shared, permission_id })
    await table.Permission.update({ id: permission_id }, { action: 'write', resource: 'roof' })
    for (const each of [role_id, shared]) {
      const { items } = await table.linksOfRole({ role_id: each }, consistent)
      expect(items).toMatchObject([{ permission_id, module: 'zones', action: 'write', resource: 'roof' }])
    }
    expect(await table.RolePermissionLink.ensure(edge)).toMatchObject({ isNew: false, item: { granted_at: first.granted_at } })
  })

  test("is of its role's client, and of none where its role is the system's", async () => {
    const { id: permission_id } = await permission('zones', 'read', 'roof')
    const { id: role_id } = await role(one, 'Of one')
    const { id: shared } = await role(null, 'Of all')
    const missing = { code: 'MissingEnd', details: { guard: 'Role' } }
    await expect(table.RolePermissionLink.create({ role_id, permission_id })).rejects.toMatchObject(missing)
    await expect(table.RolePermissionLink.create({ client_id: other, role_id, permission_id })).rejects.toMatchObject(missing)
    await expect(table.RolePermissionLink.create({ client_id: one, role_id: shared, permission_id })).rejects.toMatchObject(missing)
    expect((await table.rolesOfPermission({ permission_id }, consistent)).items).toEqual([])
  })
})

test('the directory follows the name and the status of a client', async () => {
  const { id } = await table.Client.create({ name: 'Before' })
  await table.Client.update({ id }, { name: 'After', status: 'suspended' })
  expect((await table.clients({}, consistent)).items.find((entry) => entry.id === id)).toMatchObject({ name: 'After', status: 'suspended' })
})

test.each([
  'UserEmail',
  'ClientUser',
  'PermissionKey',
  'RoleName',
  'RoleChild',
  'RoleParent',
  'ProjectPlace',
  'BuildingPlace',
  'ClientBuilding',
  'ScopeAssignment',
])('a %s is written with its owner only', async (name) => {
  await expect(table.repositoryNamed(name).create({})).rejects.toMatchObject({ code: 'DerivedItem' })
})

describe('secrets', () => {
  const secret = { password_hash: '$argon2id$secret', mfa_secret: 'JBSWY3DP' }

  test('of a user are stored, and never returned unless asked for by name', async () => {
    const created = await table.User.create({ client_id: one, email: 'secret@example.org', user_type: 'client_admin', ...secret })
    const { id } = created
    const updated = await table.User.update({ id }, { password_hash: '$argon2id$next', title: 'Dr' })
    const read = [
      await table.User.get({ id }),
      ...(await table.userByEmail({ email: 'secret@example.org' })).items,
      ...(await table.scopesOfUser({ user_id: id })).items,
      ...(await table.usersOfClient({ client_id: one })).items,
      ...(await table.entitiesOfClient({ client_id: one })).items,
    ]
    expect(JSON.stringify([created, updated, read])).not.toMatch(/argon2id|JBSWY3DP|password_hash|mfa_secret/)
    expect(read.filter((item) => item !== undefined && 'email' in item && item.id === id)).toHaveLength(5)
    const asked = await table.User.get({ id }, { secrets: ['password_hash'] })
    expect(asked).toMatchObject({ password_hash: '$argon2id$next' })
    expect(asked).not.toHaveProperty('mfa_secret')
    const { items } = await table.userByEmail({ email: 'secret@example.org' }, { secrets: ['mfa_secret'] })
    expect(items).toMatchObject([{ mfa_secret: 'JBSWY3DP' }])
    expect((await wholeTable(table)).filter((item) => item.password_hash !== undefined)).toMatchObject([{ Type: 'User', id }])
  })

  test('of a token are its hash', async () => {
    const { id: user_id } = await user(one, 'token@example.org')
    const created = await table.AuthToken.create({ user_id, token_type: 'refresh', token_hash: 'hash-1' })
    const { items } = await table.tokensOfUser({ user_id }, consistent)
    const found = await table.tokenById({ id: created.id }, { ...consistent, secrets: ['token_hash'] })
    expect(JSON.stringify([created, items, found])).not.toContain('hash')
    expect(await table.AuthToken.get({ user_id, id: created.id }, { secrets: ['token_hash'] })).toMatchObject({ token_hash: 'hash-1' })
  })
})
