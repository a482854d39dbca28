import type { Entity, Table } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { accountManagement } from '../../src/account-management/design.ts'
import { idOf, project, user } from '../account-items.ts'
import type { Values } from '../any-item.ts'
import type { Marks } from './land.ts'
import { markOf } from './words.ts'

type AccountTable = Table<typeof accountManagement>

/** One of the clients, whose names and ids are almost those of the others. */
export interface Party {
  readonly client_id: string
  readonly mark: string
}

export const module_id = idOf('module', 1)
const always = { expires_at: '2199-01-01T00:00:00.000Z' }
const over = { expires_at: '2020-01-01T00:00:00.000Z' }
const pattern = (text: string) => {
  const [module = '', action = '', resource = ''] = text.split(':')
  return { module, action, resource }
}
/** The entries of the catalogue; the last is dangerous. */
export const catalogue = ['devices:read:camera', 'devices:read:door', 'devices:write:camera', 'devices:open:door'].map(pattern)

/** The values, and in every text that they leave out the mark. */
function marked({ attributes }: Entity, mark: string, values: Values): Values {
  const texts = Object.entries(attributes).flatMap(([name, { kind, presence, madeOnWrite }]) => {
    if (values[name] !== undefined || presence === 'copied' || madeOnWrite) return []
    if (kind.name === 'text' || kind.name === 'verbatim') return [[name, `${name} ${mark}`]]
    if (kind.name === 'map') return [[name, { [`note ${mark}`]: mark }]]
    return kind.name === 'email' ? [[name, `${name}.${mark}@example.org`]] : []
  })
  return { ...Object.fromEntries(texts), ...values }
}

type Create = (entity: Entity, values: Values) => Promise<void>

function creator(table: AccountTable, mark: string): Create {
  return async (entity, values) => {
    await table.repositoryNamed(entity.name).create(marked(entity, mark, values))
  }
}

const { Client, Project, Building, Zone, Device, User, Role, RolePermissionLink, UserRoleAssignment } = accountManagement.entities
const { ServiceSubscription, Setting, AuditLog, AuthToken, LoginSession, Permission, SignInIdentity } = accountManagement.entities

const system = { support: idOf('role', 1), steward: idOf('role', 2), linked: idOf('role', 3) }
const internal = { steward: idOf('user', 1), ghost: idOf('user', 2) }

async function plantSystem(table: AccountTable): Promise<void> {
  const create = creator(table, markOf('sy'))
  for (const [index, each] of catalogue.entries())
    await create(Permission, { ...each, id: idOf('permission', index + 1), is_dangerous: index === catalogue.length - 1 })
  const role = (id: string, values: Values) => create(Role, { id, is_system: true, ...values })
  await role(system.support, { name: 'Support', permissions: [pattern('devices:read:camera'), pattern('account-management:read:session')] })
  await role(system.steward, { name: 'Steward', permissions: [pattern('account-management:*:*'), pattern('devices:*:*')] })
  await role(system.linked, { name: 'Linked', permission_form: 'linked', permissions: [], parent_role_id: system.support })
  await create(RolePermissionLink, { role_id: system.linked, permission_id: idOf('permission', 2) })
  await creator(table, markOf('in'))(User, { id: internal.steward, email: `root.${markOf('in')}@example.org`, user_type: 'internal' })
  await creator(table, markOf('gh'))(User, { id: internal.ghost, email: `ghost.${markOf('gh')}@example.org`, user_type: 'internal' })
  await creator(table, markOf('sa'))(AuditLog, { id: idOf('audit', 1), action: 'started' })
  await creator(table, markOf('in'))(AuthToken, { id: idOf('token', 1), user_id: internal.steward, token_type: 'api', ...always })
}

/** Users by what they are: everything, much, little, nothing, not any more, not yet, everything for a time. */
const people = ['admin', 'manager', 'reader', 'idle', 'disabled', 'invited', 'deputy'] as const

async function plantParty(table: AccountTable, { client_id, mark }: Party, number: number): Promise<void> {
  const create = creator(table, mark)
  const id = (kind: Parameters<typeof idOf>[0], index: number) => idOf(kind, number * 100 + index)
  await create(Client, { id: client_id, name: `Acme ${mark}` })
  for (const index of [1, 2]) await create(Project, { client_id, id: id('project', index), name: `Harbour ${mark}` })
  for (const index of [1, 2, 3]) {
    const building_id = id('building', index)
    await create(Building, { project_id: id('project', index === 3 ? 2 : 1), id: building_id })
    const zone_id = id('zone', index)
    await create(Zone, { building_id, id: zone_id, type: 'office' })
    await create(Zone, { building_id, id: id('zone', index + 10), type: 'lobby', parent_zone_id: zone_id })
    await create(Device, { building_id, id: id('device', index), type: 'camera', zone_id })
  }
  for (const [index, person] of people.entries()) {
    const user_type = person === 'admin' || person === 'disabled' ? 'client_admin' : 'external_tenant'
    const isOut = person === 'disabled' || person === 'invited'
    const invitation =
      person === 'invited'
        ? { invited_at: '2026-01-31T00:00:00.000Z', invitation_status: 'open', invitation_expires_at: '2027-01-01T00:00:00.000Z' }
        : {}
    const email = `${person}.${mark}@example.org`
    await create(User, { client_id, id: id('user', index + 1), email, user_type, status: isOut ? 'disabled' : 'active', ...invitation })
    if (person === 'idle') continue
    await create(AuthToken, { id: id('token', index + 1), user_id: id('user', index + 1), token_type: 'refresh', ...always })
    await create(LoginSession, { id: id('session', index + 1), user_id: id('user', index + 1), ...always })
    await create(SignInIdentity, { provider: 'acme', subject: `${person}.${mark}`, user_id: id('user', index + 1) })
    await create(Setting, { scope_type: 'user', scope_id: id('user', index + 1), key: 'theme' })
  }
  await create(AuthToken, {
    id: id('token', 90),
    user_id: id('user', 1),
    token_type: 'api',
    issued_at: '2019-01-01T00:00:00.000Z',
    ...over,
  })
  const role = (index: number, name: string, values: Values) =>
    create(Role, { client_id, id: id('role', index), name: `${name} ${mark}`, ...values })
  await role(1, 'admin', { permissions: [pattern('account-management:*:*'), pattern('devices:*:*')] })
  const managing = [
    'assign:role',
    'revoke:role',
    'create:role',
    'update:role',
    'update:building',
    'write:setting',
    'create:zone',
    'create:device',
  ]
  await role(2, 'manager', {
    permissions: [...managing.map((each) => pattern(`account-management:${each}`)), pattern('devices:read:camera')],
  })
  await role(3, 'reader', { permission_form: 'linked', permissions: [] })
  await create(RolePermissionLink, { client_id, role_id: id('role', 3), permission_id: idOf('permission', 1) })
  await create(RolePermissionLink, { client_id, role_id: id('role', 3), permission_id: idOf('permission', 3) })
  const [above, beneath] = [id('role', 2), id('role', 4)]
  await role(4, 'deputy', { parent_role_id: above, permissions: [pattern('devices:read:door')] })
  await role(5, 'spare', { permissions: [pattern('devices:read:door')] })
  // The ids of roles are a client's own affair: this one is also that of the neighbour's reader.
  const namesake = idOf('role', (number - 1) * 100 + 3)
  if (number % 2 === 0) {
    await create(Role, { client_id, id: namesake, name: `namesake ${mark}`, permission_form: 'linked', permissions: [] })
    await create(RolePermissionLink, { client_id, role_id: namesake, permission_id: idOf('permission', 2) })
  }
  const scopes = { client: client_id, project: id('project', 1), building: id('building', 1) }
  const assign = (user_id: string, role_id: string, scope_type: keyof typeof scopes, values: Values = {}) =>
    create(UserRoleAssignment, { user_id, role_id, role_owner: client_id, scope_type, scope_id: scopes[scope_type], ...values })
  const user = (person: (typeof people)[number]) => id('user', people.indexOf(person) + 1)
  await assign(user('admin'), id('role', 1), 'client')
  await assign(user('disabled'), id('role', 1), 'client')
  await assign(user('manager'), id('role', 2), 'client')
  await assign(user('manager'), beneath, 'project')
  await assign(user('reader'), id('role', 3), 'building')
  await assign(user('reader'), beneath, 'project', over)
  await assign(user('reader'), id('role', 2), 'building', { start_at: '2199-01-01T00:00:00.000Z' })
  await assign(user('reader'), system.linked, 'client', { role_owner: 'SYSTEM' })
  await assign(user('deputy'), id('role', 1), 'client', { expires_at: '2026-02-20T12:00:00.000Z' })
  // Internal users work at some clients only.
  if (number === 1) await assign(internal.steward, system.steward, 'client', { role_owner: 'SYSTEM' })
  if (number < 3) await assign(internal.steward, system.support, 'building', { role_owner: 'SYSTEM' })
  for (const scope_type of ['project', 'building'] as const) {
    const values = { scope_type, scope_id: scopes[scope_type], module_id, usage_quota: { calls: 100, [mark]: 1 } }
    await create(ServiceSubscription, { ...values, status: scope_type === 'project' ? 'active' : 'trial' })
    await create(Setting, { scope_type, scope_id: scopes[scope_type], key: 'theme' })
  }
  // More than a small page of a list within a tenant scope reads.
  for (let index = 0; index < 30; index++) await create(Setting, { scope_type: 'client', scope_id: client_id, key: `key ${index} ${mark}` })
  for (const index of [1, 2])
    await create(AuditLog, { client_id, id: id('audit', index), user_id: id('user', index), action: `login ${mark}` })
}

/** Items that only other writers leave behind: they do not fit their entity, or are of none, or that some job is about to remove. */
function damaged({ client_id, mark }: Party, number: number): readonly Stored[] {
  const id = (kind: Parameters<typeof idOf>[0], index: number) => idOf(kind, number * 100 + index)
  const [role_id, building_id, user_id] = [id('role', 80), id('building', 1), id('user', 2)]
  const common = { version: 1, client_id, note: mark }
  const going = [...project(client_id, id('project', 80)), ...user(client_id, id('user', 80), `going.${mark}@example.org`)]
  return [
    ...going.map((item) => ({ ...item, deleting: '02J00000000000000000000000' })),
    { PK: `CLIENT#${client_id}`, SK: `ROLE#${role_id}`, Type: 'Role', id: role_id, name: 7, ...common },
    { PK: `BUILDING#${building_id}`, SK: `ZONE#${id('zone', 80)}`, Type: 'Zone', id: id('zone', 80), ...common },
    { PK: `BUILDING#${building_id}`, SK: `DEVICE#${id('device', 80)}`, Type: 'Widget', id: id('device', 80), ...common },
    { PK: `USER#${user_id}`, SK: `ROLE#building#${building_id}#${id('role', 81)}`, Type: 'UserRoleAssignment', ...common },
    { PK: `SCOPE#building#${building_id}`, SK: `SETTING#broken ${mark}`, Type: 'Setting', ...common },
    { PK: `SCOPE#building#${building_id}`, SK: `SUBSCRIPTION#${id('module', 80)}`, Type: 'ServiceSubscription', ...common },
  ]
}

export interface Plantation {
  readonly parties: readonly Party[]
  readonly marks: Marks
  /** Internal users, of no client. */
  readonly internal: readonly string[]
  /** Further items that are put into the table. */
  readonly damage: readonly Stored[]
}

export const plantation: Plantation = (() => {
  const parties = [1, 2, 3, 4].map((number) => ({ client_id: idOf('client', number), mark: markOf(`a${number}`) }))
  const marks: [string, { owner: string; person?: string }][] = [
    ...parties.map(({ mark, client_id }): [string, { owner: string }] => [mark, { owner: client_id }]),
    [markOf('in'), { owner: 'nobody', person: internal.steward }],
    [markOf('gh'), { owner: 'nobody', person: internal.ghost }],
    [markOf('sa'), { owner: 'nobody' }],
  ]
  return {
    parties,
    marks: new Map(marks),
    internal: Object.values(internal),
    // A client with damage cannot be deleted, which the others can.
    damage: parties.flatMap((party, index) => (index < 2 ? [] : damaged(party, index + 1))),
  }
})()

/** Fills an empty table: the system, four clients alike, and what other writers left behind. */
export async function plant(table: AccountTable): Promise<void> {
  await plantSystem(table)
  await Promise.all(plantation.parties.map((party, index) => plantParty(table, party, index + 1)))
}
