import type { Stored } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { idOf } from '../../test/account-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { accountManagement } from './design.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
/** Two clients, each with a project of two buildings, a zone, a user and a role; a role of the system. */
type Known = 'client' | 'project' | 'building' | 'annexe' | 'zone' | 'user' | 'role'
type Ids = Readonly<Record<Known, string>>

async function organisation(name: string): Promise<Ids> {
  const { id: client } = await table.Client.create({ name })
  const { id: project } = await table.Project.create({ client_id: client, name })
  const [{ id: building }, { id: annexe }] = [
    await table.Building.create({ project_id: project, name }),
    await table.Building.create({ project_id: project, name: 'Annexe' }),
  ]
  const { id: zone } = await table.Zone.create({ building_id: building, name: 'Lobby', type: 'lobby' })
  const { id: user } = await table.User.create({ client_id: client, email: `ada@${name}.org`, user_type: 'client_admin' })
  const { id: role } = await table.Role.create({ client_id: client, name: 'Manager' })
  return { client, project, building, annexe, zone, user, role }
}

const table = await ownTableOf(accountManagement, { now: () => new Date(now++) })
const one = await organisation('acme')
const other = await organisation('other')
const system = (await table.Role.create({ name: 'Manager', is_system: true })).id

const byKey = (items: readonly Stored[]) => [...items].sort((a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1))

/** A write is refused, and nothing of it is written. */
async function refused(write: () => Promise<unknown>, error: Readonly<Record<string, unknown>>): Promise<void> {
  const before = byKey(await wholeTable(table))
  await expect(write()).rejects.toMatchObject(error)
  expect(byKey(await wholeTable(table))).toEqual(before)
}

const module_id = idOf('module', 1)

/** A user and a role, to be assigned. */
const held = () => ({ user_id: one.user, role_id: one.role, role_owner: one.client })

describe('the client of what lies in a place, or is of a user, is theirs and never given', () => {
  test.each<[string, () => Readonly<Record<string, unknown>>]>([
    ['Building', () => ({ project_id: one.project, name: 'Pier' })],
    ['Zone', () => ({ building_id: one.building, name: 'Lobby', type: 'lobby' })],
    ['Device', () => ({ building_id: one.building, name: 'Fan', type: 'hvac' })],
    ['Setting', () => ({ scope_type: 'client', scope_id: one.client, key: 'theme', value: 'on' })],
    ['Setting', () => ({ scope_type: 'project', scope_id: one.project, key: 'theme', value: 'on' })],
    ['Setting', () => ({ scope_type: 'building', scope_id: one.building, key: 'theme', value: 'on' })],
    ['Setting', () => ({ scope_type: 'user', scope_id: one.user, key: 'theme', value: 'on' })],
    ['ServiceSubscription', () => ({ scope_type: 'project', scope_id: one.project, module_id })],
    ['ServiceSubscription', () => ({ scope_type: 'building', scope_id: one.building, module_id })],
    ['UserRoleAssignment', () => ({ ...held(), scope_type: 'client', scope_id: one.client })],
    ['UserRoleAssignment', () => ({ ...held(), scope_type: 'project', scope_id: one.project })],
    ['UserRoleAssignment', () => ({ ...held(), scope_type: 'building', scope_id: one.building })],
    ['AuthToken', () => ({ user_id: one.user, token_type: 'api' })],
    ['LoginSession', () => ({ user_id: one.user })],
  ])('%s %#', async (name, input) => {
    const repository = table.repositoryNamed(name)
    await refused(() => repository.create({ ...input(), client_id: one.client }), { code: 'InvalidInput' })
    const made: Readonly<Record<string, unknown>> = await repository.create(input())
    expect(made.client_id).toBe(one.client)
    const placeholders = [
      ...(table.design.form.entities
        .get(name)
        ?.key.join()
        .matchAll(/\{(\w+)\}/g) ?? []),
    ].map(([, placeholder = '']) => placeholder)
    const id = Object.fromEntries(placeholders.map((placeholder) => [placeholder, made[placeholder]]))
    await refused(() => repository.update(id, { client_id: other.client }), { code: 'InvalidInput' })
    await repository.remove(id)
  })
})

describe('the target of a reference must be there', () => {
  const nobody = idOf('other', 1)
  const scopes: readonly (readonly [string, () => Readonly<Record<string, string>>, string])[] = [
    ['an unknown client', () => ({ scope_type: 'client', scope_id: nobody }), 'Client'],
    ['an unknown project', () => ({ scope_type: 'project', scope_id: nobody }), 'ProjectPlace'],
    ['an unknown building', () => ({ scope_type: 'building', scope_id: nobody }), 'BuildingPlace'],
    ['a building as a project', () => ({ scope_type: 'project', scope_id: one.building }), 'ProjectPlace'],
    ['a project as a building', () => ({ scope_type: 'building', scope_id: one.project }), 'BuildingPlace'],
    ['a client as a project', () => ({ scope_type: 'project', scope_id: one.client }), 'ProjectPlace'],
  ]

  type Case = [entity: string, what: string, input: () => Readonly<Record<string, unknown>>, guard: string]
  test.each<Case>([
    ['Project', 'of no client', () => ({ client_id: nobody, name: 'x' }), 'Client'],
    ['Building', 'of no project', () => ({ project_id: nobody, name: 'x' }), 'ProjectPlace'],
    ['Building', 'in a building', () => ({ project_id: one.building, name: 'x' }), 'ProjectPlace'],
    ['User', 'of no client', () => ({ client_id: nobody, email: 'x@example.org', user_type: 'client_admin' }), 'Client'],
    ['Role', 'of no client', () => ({ client_id: nobody, name: 'x' }), 'Client'],
    ['Role', 'under one of another client', () => ({ client_id: one.client, name: 'x', parent_role_id: other.role }), 'Role'],
    ['Role', 'of a client under one of the system', () => ({ client_id: one.client, name: 'x', parent_role_id: system }), 'Role'],
    ['Role', 'of the system under one of a client', () => ({ name: 'x', parent_role_id: one.role }), 'Role'],
    ['UserRoleAssignment', 'of no user', () => ({ ...held(), user_id: nobody, scope_type: 'client', scope_id: one.client }), 'User'],
    ['UserRoleAssignment', 'of no role', () => ({ ...held(), role_id: nobody, scope_type: 'client', scope_id: one.client }), 'Role'],
    [
      'UserRoleAssignment',
      'of a role at another client than its own',
      () => ({ ...held(), role_owner: other.client, scope_type: 'client', scope_id: one.client }),
      'Role',
    ],
    [
      'UserRoleAssignment',
      "of a client's role as one of the system",
      () => ({ ...held(), role_owner: 'SYSTEM', scope_type: 'client', scope_id: one.client }),
      'Role',
    ],
    [
      'UserRoleAssignment',
      "of a system role as a client's",
      () => ({ ...held(), role_id: system, scope_type: 'client', scope_id: one.client }),
      'Role',
    ],
    ...scopes.map(([what, scope, guard]): Case => ['UserRoleAssignment', `at ${what}`, () => ({ ...held(), ...scope() }), guard]),
    ...scopes
      .filter(([what]) => what !== 'an unknown client')
      .map(([what, scope, guard]): Case => ['ServiceSubscription', `of ${what}`, () => ({ ...scope(), module_id }), guard]),
    ...scopes.map(([what, scope, guard]): Case => ['Setting', `of ${what}`, () => ({ ...scope(), key: 'x', value: '' }), guard]),
    ['Setting', 'of a client as a user', () => ({ scope_type: 'user', scope_id: one.client, key: 'x', value: '' }), 'User'],
    ['Device', 'in a project', () => ({ building_id: one.project, name: 'x', type: 'hvac' }), 'BuildingPlace'],
    ['Device', 'in a zone of another building', () => ({ building_id: one.annexe, zone_id: one.zone, name: 'x', type: 'hvac' }), 'Zone'],
    ['Zone', 'in one of another building', () => ({ building_id: one.annexe, parent_zone_id: one.zone, name: 'x', type: 'lobby' }), 'Zone'],
    ['AuthToken', 'of no user', () => ({ user_id: nobody, token_type: 'api' }), 'User'],
    ['LoginSession', 'of no user', () => ({ user_id: nobody }), 'User'],
    ['RolePermissionLink', 'of no permission', () => ({ client_id: one.client, role_id: one.role, permission_id: nobody }), 'Permission'],
  ])('%s %s', async (name, _, input, guard) => {
    await refused(() => table.repositoryNamed(name).create(input()), { code: 'MissingEnd', details: { guard } })
  })

  test('and of a scope that there is not', async () => {
    const wrong = { scope_type: 'client', scope_id: one.client, module_id }
    await refused(() => table.repositoryNamed('ServiceSubscription').create(wrong), { code: 'InvalidInput' })
    const user = { ...held(), scope_type: 'user', scope_id: one.user }
    await refused(() => table.repositoryNamed('UserRoleAssignment').create(user), { code: 'InvalidInput' })
  })

  test('a system role is assigned as one of the system, and a role is under another of its own', async () => {
    const scope = { scope_type: 'client', scope_id: one.client } as const
    const assigned = await table.UserRoleAssignment.create({ user_id: one.user, role_id: system, role_owner: 'SYSTEM', ...scope })
    expect(assigned).toMatchObject({ role_owner: 'SYSTEM', client_id: one.client })
    await expect(table.Role.create({ client_id: one.client, name: 'Deputy', parent_role_id: one.role })).resolves.toBeDefined()
    await expect(table.Role.create({ name: 'Deputy', parent_role_id: system })).resolves.toBeDefined()
    const id = { user_id: one.user, role_id: system, ...scope }
    await refused(() => table.UserRoleAssignment.update(id, { role_owner: one.client }), { code: 'InvalidInput' })
  })

  test('an event refers to nothing: it outlives what it tells of, and never changes', async () => {
    const { timestamp, id } = await table.AuditLog.create({ client_id: nobody, user_id: nobody, action: 'login' })
    const key = { client_id: nobody, timestamp, id }
    await refused(() => table.AuditLog.update(key, { action: 'x' }), { code: 'Immutable' })
    await refused(() => table.AuditLog.remove(key), { code: 'Immutable' })
  })
})

describe('a move', () => {
  const indexes = (item: Stored | undefined) => Object.fromEntries(Object.entries(item ?? {}).filter(([name]) => name.startsWith('GSI')))

  test('of a building within its client takes its way back along, and leaves what is in it where it was', async () => {
    const { id } = await table.Building.create({ project_id: one.project, name: 'Mobile' })
    await table.Device.create({ building_id: id, name: 'Fan', type: 'hvac' })
    await table.UserRoleAssignment.create({ ...held(), scope_type: 'building', scope_id: id })
    await table.Setting.create({ scope_type: 'building', scope_id: id, key: 'theme', value: 'on' })
    const { id: to } = await table.Project.create({ client_id: one.client, name: 'Next' })
    const before = await wholeTable(table)
    const moved = await table.Building.move({ project_id: one.project, id }, { project_id: to })
    expect(moved).toMatchObject({ id, project_id: to, client_id: one.client, version: 2 })
    const after = await wholeTable(table)
    const whole = (items: readonly Stored[]) => items.find((item) => item.Type === 'Building' && item.id === id)
    expect(whole(after)).toMatchObject({ PK: `PROJECT#${to}`, SK: `BUILDING#${id}` })
    expect(indexes(whole(after))).toEqual(indexes(whole(before)))
    expect(await table.buildingPlace({ id }, { consistent: true })).toMatchObject({ project_id: to, client_id: one.client })
    const others = (items: readonly Stored[]) => byKey(items.filter((item) => item.id !== id))
    expect(others(after)).toEqual(others(before))
  })

  test('of a building, or a project, to another client is refused', async () => {
    const never = { code: 'InvalidInput', details: { issues: [{ path: ['client_id'], message: 'never changes' }] } }
    await refused(() => table.Building.move({ project_id: one.project, id: one.building }, { project_id: other.project }), never)
    await refused(() => table.Project.move({ client_id: one.client, id: one.project }, { client_id: other.client }), never)
  })

  test('of a device gives it the index keys of where it is', async () => {
    const { id } = await table.Device.create({ building_id: one.building, zone_id: one.zone, name: 'Fan', type: 'hvac' })
    await refused(() => table.Device.move({ building_id: one.building, id }, { building_id: one.annexe }), { code: 'MissingEnd' })
    await table.Device.move({ building_id: one.building, id }, { building_id: one.annexe, zone_id: null })
    const found = (await wholeTable(table)).filter((item) => item.id === id)
    expect(found).toMatchObject([{ PK: `BUILDING#${one.annexe}`, GSI1PK: `CLIENT#${one.client}`, GSI1SK: `DEVICE#${id}` }])
  })
})
