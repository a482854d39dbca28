import type { Table } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { idOf } from '../../test/account-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { accountManagement } from './design.ts'

let table: Table<typeof accountManagement>
let system: { readonly role: string; readonly permission: string; readonly internal: string }
beforeAll(async () => {
  table = await ownTableOf(accountManagement)
  const { id: role } = await table.Role.create({ name: 'Support', is_system: true })
  const { id: permission } = await table.Permission.create({ module: 'devices', action: 'read', resource: 'camera' })
  const { id: internal } = await table.User.create({ email: 'root@example.org', user_type: 'internal' })
  await table.RolePermissionLink.create({ role_id: role, permission_id: permission })
  await table.AuditLog.create({ action: 'start' })
  system = { role, permission, internal }
})

type ScopeType = 'client' | 'project' | 'building'

/** A building with a floor and a room on it, a device in the room and one in no zone. */
async function building(project_id: string, name: string) {
  const { id: building_id } = await table.Building.create({ project_id, name })
  const floor = await table.Zone.create({ building_id, name: 'Floor', type: 'office' })
  const room = await table.Zone.create({ building_id, name: 'Room', type: 'office', parent_zone_id: floor.id })
  const zones = [floor.id, room.id]
  const devices: string[] = []
  for (const zone_id of [room.id, null]) devices.push((await table.Device.create({ building_id, zone_id, name: 'Fan', type: 'hvac' })).id)
  return { building: building_id, zones, devices }
}

async function user(client_id: string, email: string) {
  const { id: user_id } = await table.User.create({ client_id, email, user_type: 'external_tenant' })
  await table.Setting.create({ scope_type: 'user', scope_id: user_id, key: 'theme', value: 'on' })
  await table.AuthToken.create({ user_id, token_type: 'refresh' })
  await table.LoginSession.create({ user_id })
  await table.AuditLog.create({ client_id, user_id, action: 'login' })
  return user_id
}

async function role(client_id: string, name: string, parent_role_id?: string) {
  const { id } = await table.Role.create({ client_id, name, parent_role_id })
  await table.RolePermissionLink.create({ client_id, role_id: id, permission_id: system.permission })
  return id
}

/** A client with two projects of two buildings, of which the second user owns one; both users, and an internal one, have roles everywhere. */
async function organisation(name: string) {
  const { id: client } = await table.Client.create({ name })
  const manager = await role(client, 'Manager')
  const [deputy, guest] = [await role(client, 'Deputy', manager), await role(client, 'Guest')]
  const users = [await user(client, `ada@${name}.org`), await user(client, `bob@${name}.org`)]
  const projects: string[] = []
  const places: Awaited<ReturnType<typeof building>>[] = []
  for (const part of ['north', 'south']) {
    const owner_user_id = part === 'north' ? users[1] : undefined
    const { id } = await table.Project.create({ client_id: client, name: part, owner_user_id })
    projects.push(id)
    places.push(await building(id, 'east'), await building(id, 'west'))
  }
  const scopes: (readonly [ScopeType, string])[] = [
    ['client', client],
    ...projects.map((id) => ['project', id] as const),
    ...places.map((place) => ['building', place.building] as const),
  ]
  for (const [scope_type, scope_id] of scopes) {
    const scope = { scope_type, scope_id }
    await table.Setting.create({ ...scope, key: 'theme', value: 'on' })
    if (scope_type !== 'client') await table.ServiceSubscription.create({ scope_type, scope_id, module_id: idOf('module', 1) })
    for (const user_id of users) await table.UserRoleAssignment.create({ ...scope, user_id, role_id: deputy, role_owner: client })
    await table.UserRoleAssignment.create({ ...scope, user_id: system.internal, role_id: system.role, role_owner: 'SYSTEM' })
  }
  return { client, roles: [manager, deputy, guest], users, projects, places }
}
type Organisation = Awaited<ReturnType<typeof organisation>>

const idsIn = (places: Organisation['places']) => places.flatMap(({ building, zones, devices }) => [building, ...zones, ...devices])
const first = (ids: readonly string[]) => ids[0] ?? ''
const byKey = (items: readonly Stored[]) => [...items].sort((a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1))

describe('removing', () => {
  test.each<[string, (of: Organisation) => readonly string[], (of: Organisation, id: string) => Promise<unknown>]>([
    [
      'Client',
      ({ client, roles, users, projects, places }) => [client, ...roles, ...users, ...projects, ...idsIn(places)],
      (_, id) => table.Client.remove({ id }),
    ],
    [
      'Project',
      ({ projects, places }) => [first(projects), ...idsIn(places.slice(0, 2))],
      ({ client }, id) => table.Project.remove({ client_id: client, id }),
    ],
    [
      'Building',
      ({ places }) => idsIn(places.slice(0, 1)),
      ({ projects }, id) => table.Building.remove({ project_id: first(projects), id }),
    ],
    ['User', ({ users }) => [first(users)], (_, id) => table.User.remove({ id })],
    ['Role', ({ roles }) => roles.slice(2), ({ client }, id) => table.Role.remove({ client_id: client, id })],
    [
      'Device',
      ({ places }) => (places[0]?.devices ?? []).slice(0, 1),
      ({ places }, id) => table.Device.remove({ building_id: places[0]?.building ?? '', id }),
    ],
  ])('a %s takes all that is in it, and leaves the audit and everything else as it was', async (kind, pick, remove) => {
    const one = await organisation(`x-${kind}`.toLowerCase())
    await organisation(`other-${kind}`.toLowerCase())
    const gone = pick(one)
    const before = await wholeTable(table)
    const isGone = (item: Stored) => item.Type !== 'AuditLog' && gone.some((id) => JSON.stringify(item).includes(id))
    for (const id of gone) expect(before.filter((item) => JSON.stringify(item).includes(id)).length).toBeGreaterThan(0)
    await remove(one, first(gone))
    expect(byKey(await wholeTable(table))).toEqual(byKey(before.filter((item) => !isGone(item))))
    expect(await table.jobs.list()).toEqual([])
  })

  test('a client frees its e-mail addresses, and its events are still read', async () => {
    const { client, users } = await organisation('again')
    await table.Client.remove({ id: client })
    await expect(table.User.create({ email: 'ada@again.org', user_type: 'internal' })).resolves.toMatchObject({ email: 'ada@again.org' })
    const { items } = await table.activityOfUser({ client_id: client, user_id: first(users) })
    expect(items).toMatchObject([{ action: 'login' }])
  })
})

describe('an item in use does not go, and is as usable afterwards', () => {
  let one: Organisation
  beforeAll(async () => {
    one = await organisation('used')
  })

  test.each<[string, string, () => Promise<unknown>]>([
    ['role', 'UserRoleAssignment', () => table.Role.remove({ client_id: one.client, id: one.roles[1] ?? '' })],
    ['system role', 'UserRoleAssignment', () => table.Role.remove({ id: system.role })],
    ['role with children', 'Role', () => table.Role.remove({ client_id: one.client, id: first(one.roles) })],
    ['permission', 'RolePermissionLink', () => table.Permission.remove({ id: system.permission })],
    ['user who owns a project', 'Project', () => table.User.remove({ id: one.users[1] ?? '' })],
    [
      'zone with devices',
      'Device',
      () => table.Zone.remove({ building_id: one.places[0]?.building ?? '', id: one.places[0]?.zones[1] ?? '' }),
    ],
    [
      'zone with parts',
      'Zone',
      () => table.Zone.remove({ building_id: one.places[0]?.building ?? '', id: first(one.places[0]?.zones ?? []) }),
    ],
  ])('a %s', async (_name, user, remove) => {
    const withoutVersions = async () => byKey(await wholeTable(table)).map(({ version: _, ...item }) => item)
    const before = await withoutVersions()
    await expect(remove()).rejects.toMatchObject({ code: 'InUse', details: { user } })
    // No mark is left, on the item or its mirrors.
    expect(await withoutVersions()).toEqual(before)
    expect(await table.jobs.list()).toEqual([])
  })

  test('a role that was refused can be assigned, linked and inherited from; it goes when its users have gone', async () => {
    const { client: client_id, users, roles } = one
    const [user_id, role_id] = [first(users), roles[1] ?? '']
    await expect(table.Role.remove({ client_id, id: role_id })).rejects.toMatchObject({ code: 'InUse' })
    const child = await table.Role.create({ client_id, name: 'Child', parent_role_id: role_id })
    await table.Role.update({ client_id, id: role_id }, { name: 'Renamed' })
    await table.Project.update({ client_id, id: first(one.projects) }, { owner_user_id: null })
    for (const id of users) await table.User.remove({ id })
    await expect(table.Role.remove({ client_id, id: role_id })).rejects.toMatchObject({ code: 'InUse', details: { user: 'Role' } })
    await table.Role.remove({ client_id, id: child.id })
    await table.Role.remove({ client_id, id: role_id })
    expect((await table.holdersOfRole({ role_id })).items).toEqual([])
    expect(await table.User.get({ id: user_id })).toBeUndefined()
  })

  test('a permission goes when no role has it', async () => {
    const { id } = await table.Permission.create({ module: 'devices', action: 'write', resource: 'camera' })
    await table.RolePermissionLink.create({ role_id: system.role, permission_id: id })
    await expect(table.Permission.remove({ id })).rejects.toMatchObject({ code: 'InUse' })
    await table.RolePermissionLink.remove({ role_id: system.role, permission_id: id })
    await table.Permission.remove({ id })
    expect((await wholeTable(table)).filter((item) => JSON.stringify(item).includes(id))).toEqual([])
  })
})
