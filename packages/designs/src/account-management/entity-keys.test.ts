import type { Table } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { accountManagement } from './design.ts'

const c = '11111111-1111-4111-8111-111111111111'
const u = '22222222-2222-4222-8222-222222222222'
const i = '2a2a2a2a-2222-4222-8222-222222222222'
const r = '33333333-3333-4333-8333-333333333333'
const k = '3a3a3a3a-3333-4333-8333-333333333333'
const s = '3b3b3b3b-3333-4333-8333-333333333333'
const j = '3c3c3c3c-3333-4333-8333-333333333333'
const b = '44444444-4444-4444-8444-444444444444'
const p = '55555555-5555-4555-8555-555555555555'
const f = '66666666-6666-4666-8666-666666666666'
const m = '77777777-7777-4777-8777-777777777777'
const z = '88888888-8888-4888-8888-888888888888'
const d = '99999999-9999-4999-8999-999999999999'
const l = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const n = 'acacacac-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const t = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'
const e = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc'
const at = '2026-01-31T09:30:00.000Z'

type Keys = Readonly<Record<string, string | number>>

/**
 * Every item of this test with the keys that the table design gives it, in the table and in each index, and those that the additions are
 * declared with. `{timestamp}` in GSI4 is when it was made, of an event its own. `ttl`: one year, 30 days and 90 days after that.
 */
const expected: Readonly<Record<keyof typeof accountManagement.entities, readonly Keys[]>> = {
  Client: [
    {
      PK: `CLIENT#${c}`,
      SK: 'METADATA',
      GSI1PK: `CLIENT#${c}`,
      GSI1SK: `CLIENT#${c}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'CLIENT#2026-01-31T09:30:00.000Z',
    },
  ],
  Project: [
    {
      PK: `CLIENT#${c}`,
      SK: `PROJECT#${p}`,
      GSI1PK: `CLIENT#${c}`,
      GSI1SK: `PROJECT#${p}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'PROJECT#2026-01-31T09:30:00.000Z',
    },
  ],
  Building: [
    {
      PK: `PROJECT#${p}`,
      SK: `BUILDING#${b}`,
      GSI1PK: `CLIENT#${c}`,
      GSI1SK: `BUILDING#${b}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'BUILDING#2026-01-31T09:30:00.000Z',
    },
  ],
  User: [
    {
      PK: `USER#${u}`,
      SK: 'METADATA',
      GSI1PK: `CLIENT#${c}`,
      GSI1SK: `USER#${u}`,
      GSI2PK: `USER#${u}`,
      GSI2SK: `USER#${u}`,
      GSI3PK: 'EMAIL#ada+x#y@example.com',
      GSI3SK: `USER#${u}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'USER#2026-01-31T09:30:00.000Z',
    },
    // Internal, of no client.
    {
      PK: `USER#${i}`,
      SK: 'METADATA',
      GSI2PK: `USER#${i}`,
      GSI2SK: `USER#${i}`,
      GSI3PK: 'EMAIL#root@example.com',
      GSI3SK: `USER#${i}`,
    },
  ],
  Role: [
    {
      PK: `CLIENT#${c}`,
      SK: `ROLE#${r}`,
      GSI1PK: `CLIENT#${c}`,
      GSI1SK: `ROLE#${r}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'ROLE#2026-01-31T09:30:00.000Z',
    },
    {
      PK: `CLIENT#${c}`,
      SK: `ROLE#${k}`,
      GSI1PK: `CLIENT#${c}`,
      GSI1SK: `ROLE#${k}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'ROLE#2026-01-31T09:30:00.000Z',
    },
    // Of the system.
    { PK: 'SYSTEM', SK: `ROLE#${s}` },
    { PK: 'SYSTEM', SK: `ROLE#${j}` },
  ],
  Permission: [{ PK: 'SYSTEM', SK: `PERMISSION#${f}` }],
  UserRoleAssignment: [
    {
      PK: `USER#${u}`,
      SK: `ROLE#building#${b}#${r}`,
      GSI2PK: `USER#${u}`,
      GSI2SK: `ACCESS#building#${b}#${r}`,
    },
    {
      PK: `USER#${u}`,
      SK: `ROLE#client#${c}#${s}`,
      GSI2PK: `USER#${u}`,
      GSI2SK: `ACCESS#client#${c}#${s}`,
    },
  ],
  ServiceSubscription: [
    {
      PK: `SCOPE#building#${b}`,
      SK: `SUBSCRIPTION#${m}`,
      GSI5PK: `MODULE#${m}`,
      GSI5SK: `SUBSCRIPTION#building#${b}`,
    },
    {
      PK: `SCOPE#project#${p}`,
      SK: `SUBSCRIPTION#${m}`,
      GSI5PK: `MODULE#${m}`,
      GSI5SK: `SUBSCRIPTION#project#${p}`,
    },
  ],
  Setting: [
    { PK: `SCOPE#building#${b}`, SK: 'SETTING#theme' },
    { PK: `SCOPE#client#${c}`, SK: 'SETTING#theme#dark' },
    { PK: `SCOPE#project#${p}`, SK: 'SETTING#theme' },
    { PK: `SCOPE#user#${u}`, SK: 'SETTING#theme' },
  ],
  Device: [{ PK: `BUILDING#${b}`, SK: `DEVICE#${d}`, GSI1PK: `CLIENT#${c}`, GSI1SK: `DEVICE#${d}` }],
  Zone: [{ PK: `BUILDING#${b}`, SK: `ZONE#${z}`, GSI1PK: `CLIENT#${c}`, GSI1SK: `ZONE#${z}` }],
  AuditLog: [
    {
      PK: `CLIENT#${c}`,
      SK: `AUDIT#2026-01-30T23:00:00.000Z#${l}`,
      GSI4PK: `CLIENT#${c}`,
      GSI4SK: 'AUDIT#2026-01-30T23:00:00.000Z',
      ttl: 1_801_350_000,
    },
    // Of no client.
    { PK: 'SYSTEM', SK: `AUDIT#2026-01-31T09:30:00.000Z#${n}`, ttl: 1_801_387_800 },
  ],
  AuthToken: [{ PK: `USER#${u}`, SK: `TOKEN#${t}`, ttl: 1_772_443_800 }],
  LoginSession: [{ PK: `USER#${u}`, SK: `SESSION#2026-01-31T09:30:00.000Z#${e}`, ttl: 1_777_627_800 }],
  RolePermissionLink: [
    { PK: `ROLE#${r}`, SK: `PERMISSION#${f}` },
    { PK: `ROLE#${s}`, SK: `PERMISSION#${f}` },
  ],
  ProjectPlace: [{ PK: `PROJECT#${p}`, SK: 'METADATA' }],
  BuildingPlace: [{ PK: `BUILDING#${b}`, SK: 'METADATA' }],
  ClientBuilding: [{ PK: `CLIENT_BUILDINGS#${c}`, SK: `BUILDING#${p}#${b}` }],
  UserEmail: [
    { PK: 'USER_EMAIL#ada+x#y@example.com', SK: 'USER_EMAIL#ada+x#y@example.com' },
    { PK: 'USER_EMAIL#root@example.com', SK: 'USER_EMAIL#root@example.com' },
  ],
  ClientUser: [
    { PK: `CLIENT_USERS#${c}`, SK: `USER#${u}` },
    { PK: 'CLIENT_USERS#SYSTEM', SK: `USER#${i}` },
  ],
  OwnedProject: [{ PK: `OWNED_PROJECTS#${u}`, SK: `PROJECT#${p}` }],
  PermissionKey: [{ PK: 'PERMISSION_KEY#devices#read#camera#1', SK: 'PERMISSION_KEY#devices#read#camera#1' }],
  RoleName: [
    { PK: `ROLE_NAME#${c}#Facility # manager`, SK: `ROLE_NAME#${c}#Facility # manager` },
    { PK: `ROLE_NAME#${c}#deputy`, SK: `ROLE_NAME#${c}#deputy` },
    { PK: 'ROLE_NAME#SYSTEM#deputy', SK: 'ROLE_NAME#SYSTEM#deputy' },
    { PK: 'ROLE_NAME#SYSTEM#under', SK: 'ROLE_NAME#SYSTEM#under' },
  ],
  RoleChild: [
    { PK: `ROLE_CHILDREN#${r}`, SK: `ROLE#${k}` },
    { PK: `ROLE_CHILDREN#${s}`, SK: `ROLE#${j}` },
  ],
  RoleParent: [
    { PK: `ROLE_PARENTS#${c}`, SK: `ROLE#${k}#${r}` },
    { PK: 'ROLE_PARENTS#SYSTEM', SK: `ROLE#${j}#${s}` },
  ],
  PermissionRole: [
    { PK: `PERMISSION_ROLES#${f}`, SK: `ROLE#${r}` },
    { PK: `PERMISSION_ROLES#${f}`, SK: `ROLE#${s}` },
  ],
  ScopeAssignment: [
    { PK: `SCOPE#building#${b}`, SK: `ASSIGNMENT#${r}#${u}` },
    { PK: `SCOPE#client#${c}`, SK: `ASSIGNMENT#${s}#${u}` },
  ],
  RoleHolder: [
    { PK: `ROLE_HOLDERS#${r}`, SK: `building#${b}#${u}` },
    { PK: `ROLE_HOLDERS#${s}`, SK: `client#${c}#${u}` },
  ],
  TokenById: [{ PK: `TOKEN_ID#${t}`, SK: `TOKEN_ID#${t}`, ttl: 1_772_443_800 }],
  SessionById: [{ PK: `SESSION_ID#${e}`, SK: `SESSION_ID#${e}`, ttl: 1_777_627_800 }],
  SignInIdentity: [{ PK: 'IDENTITY#google#s#1', SK: 'IDENTITY#google#s#1' }],
  UserSignInEdge: [{ PK: `USER#${u}`, SK: 'IDENTITY#google' }],
  ClientEntry: [{ PK: 'DIRECTORY#CLIENT', SK: `CLIENT#${c}` }],
}

/** One of each, and those whose optional attributes are absent; spelled otherwise than stored where the kind allows. */
async function write(table: Table<typeof accountManagement>): Promise<void> {
  await table.Client.create({ id: c, name: 'Acme' })
  await table.User.create({ id: u, client_id: c, email: ' Ada+x#Y@Example.com ', user_type: 'client_admin' })
  await table.Project.create({ id: p, client_id: c, name: 'Harbour', owner_user_id: u.toUpperCase() })
  await table.Building.create({ id: b.toUpperCase(), project_id: p, name: 'Pier' })
  await table.User.create({ id: i, email: 'root@example.com', user_type: 'internal' })
  await table.Permission.create({ id: f, module: 'devices', action: 'read', resource: 'camera#1' })
  await table.Role.create({ id: r.toUpperCase(), client_id: c, name: ' Facility # manager ' })
  await table.Role.create({ id: k, client_id: c, name: 'deputy', parent_role_id: r })
  await table.Role.create({ id: s, client_id: null, name: 'deputy', is_system: true })
  await table.Role.create({ id: j, client_id: null, name: 'under', is_system: true, parent_role_id: s })
  await table.RolePermissionLink.create({ client_id: c, role_id: r, permission_id: f })
  await table.RolePermissionLink.create({ role_id: s, permission_id: f })
  await table.UserRoleAssignment.create({ user_id: u, role_id: r, role_owner: c, scope_type: 'building', scope_id: b })
  await table.UserRoleAssignment.create({ user_id: u, role_id: s, role_owner: 'SYSTEM', scope_type: 'client', scope_id: c })
  await table.ServiceSubscription.create({ scope_type: 'building', scope_id: b, module_id: m })
  await table.ServiceSubscription.create({ scope_type: 'project', scope_id: p, module_id: m })
  await table.Setting.create({ scope_type: 'client', scope_id: c, key: ' theme#dark', value: 'on' })
  await table.Setting.create({ scope_type: 'project', scope_id: p, key: 'theme', value: 'on' })
  await table.Setting.create({ scope_type: 'building', scope_id: b, key: 'theme', value: 'on' })
  await table.Setting.create({ scope_type: 'user', scope_id: u, key: 'theme', value: 'on' })
  await table.Zone.create({ id: z, building_id: b, name: 'Lobby', type: 'lobby' })
  await table.Device.create({ id: d, building_id: b, zone_id: z, name: 'Fan', type: 'hvac' })
  await table.AuditLog.create({ id: l, client_id: c, action: 'login', timestamp: '2026-01-31T00:00:00+01:00' })
  await table.AuditLog.create({ id: n, action: 'start' })
  await table.AuthToken.create({ id: t, user_id: u, token_type: 'refresh' })
  await table.LoginSession.create({ id: e, user_id: u })
  await table.SignInIdentity.create({ provider: 'google', subject: ' s#1', user_id: u.toUpperCase() })
}

const keysIn = (item: Stored) => Object.fromEntries(Object.entries(item).filter(([name]) => /^((GSI\d)?[PS]K|ttl)$/.test(name)))

describe('every item written through the repository lies where the document says, in the table and in each index', () => {
  let items: readonly Stored[]
  beforeAll(async () => {
    const table = await ownTableOf(accountManagement, { now: () => new Date(at) })
    await write(table)
    items = await wholeTable(table)
  })

  test.each(Object.entries(expected))('%s', (name, keys) => {
    const found = items.filter(({ Type }) => Type === name).map(keysIn)
    expect(found).toHaveLength(keys.length)
    expect(found).toEqual(expect.arrayContaining([...keys]))
  })

  test('and nothing lies elsewhere', () => {
    expect(items).toHaveLength(Object.values(expected).flat().length)
  })

  test('no entity and no index is left out', () => {
    expect(Object.keys(expected).sort()).toEqual([...accountManagement.form.entities.keys()].sort())
    for (const [name, keys] of Object.entries(expected)) {
      const indexes = new Set(keys.flatMap((each) => Object.keys(each)).flatMap((key) => /^GSI\d/.exec(key)?.[0] ?? []))
      expect([name, ...indexes].sort()).toEqual(
        [name, ...Object.keys(accountManagement.form.entities.get(name)?.form.indexes ?? {})].sort(),
      )
    }
  })

  test('the end of what expires is one year, 30 days and 90 days after it was written, also on what leads to it', () => {
    const ends = items.flatMap(({ Type, expires_at, ttl }) => (expires_at === undefined ? [] : [[Type, expires_at, ttl]]))
    expect(ends.sort()).toEqual([
      ['AuditLog', '2027-01-30T23:00:00.000Z', 1_801_350_000],
      ['AuditLog', '2027-01-31T09:30:00.000Z', 1_801_387_800],
      ['AuthToken', '2026-03-02T09:30:00.000Z', 1_772_443_800],
      ['LoginSession', '2026-05-01T09:30:00.000Z', 1_777_627_800],
      ['SessionById', '2026-05-01T09:30:00.000Z', 1_777_627_800],
      ['TokenById', '2026-03-02T09:30:00.000Z', 1_772_443_800],
    ])
  })

  test('everything but what is shared by all, or of nobody, says which client it is of', () => {
    const silent = items.filter(({ client_id }) => client_id !== c).map(({ Type, PK }) => [Type, PK])
    expect(silent.sort()).toEqual([
      ['AuditLog', 'SYSTEM'],
      ['Client', `CLIENT#${c}`],
      ['ClientEntry', 'DIRECTORY#CLIENT'],
      ['ClientUser', 'CLIENT_USERS#SYSTEM'],
      ['Permission', 'SYSTEM'],
      ['PermissionKey', 'PERMISSION_KEY#devices#read#camera#1'],
      ['PermissionRole', `PERMISSION_ROLES#${f}`],
      ['Role', 'SYSTEM'],
      ['Role', 'SYSTEM'],
      ['RoleChild', `ROLE_CHILDREN#${s}`],
      ['RoleName', 'ROLE_NAME#SYSTEM#deputy'],
      ['RoleName', 'ROLE_NAME#SYSTEM#under'],
      ['RoleParent', 'ROLE_PARENTS#SYSTEM'],
      ['RolePermissionLink', `ROLE#${s}`],
      ['User', `USER#${i}`],
      ['UserEmail', 'USER_EMAIL#root@example.com'],
    ])
  })
})

test('an end that is given stands, and only what is like a log has a ttl', async () => {
  const table = await ownTableOf(accountManagement, { now: () => new Date(at) })
  await write(table)
  await table.AuthToken.update({ user_id: u, id: t }, { expires_at: '2026-02-01T00:00:00.001Z' })
  await table.UserRoleAssignment.update(
    { user_id: u, role_id: r, scope_type: 'building', scope_id: b },
    { expires_at: '2026-02-01T00:00:00.001Z' },
  )
  const ended = (await wholeTable(table)).filter(({ expires_at }) => expires_at === '2026-02-01T00:00:00.001Z')
  // In whole seconds, and never before its end.
  expect(ended.map(({ Type, ttl }) => [Type, ttl]).sort()).toEqual([
    ['AuthToken', 1_769_904_001],
    ['RoleHolder', undefined],
    ['ScopeAssignment', undefined],
    ['TokenById', 1_769_904_001],
    ['UserRoleAssignment', undefined],
  ])
})

test('the time in GSI4 is when an item was made, whatever is written later', async () => {
  let now = at
  const table = await ownTableOf(accountManagement, { now: () => new Date(now) })
  await write(table)
  now = '2026-02-28T09:30:00.000Z'
  await table.Client.update({ id: c }, { name: 'Next' })
  await table.Project.update({ client_id: c, id: p }, { name: 'Next' })
  await table.Building.update({ project_id: p, id: b }, { name: 'Next' })
  await table.User.update({ id: u }, { title: 'Dr' })
  await table.Role.update({ client_id: c, id: r }, { description: 'Next' })
  const changed = (await wholeTable(table)).filter(({ updated_at }) => updated_at === now)
  expect(changed.map(({ Type, GSI4SK }) => [Type, GSI4SK]).sort()).toEqual(
    ['Building', 'Client', 'Project', 'Role', 'User'].map((kind) => [kind, `${kind.toUpperCase()}#${at}`]),
  )
})
