import { operator } from '@freehold/frame/flow'
import type { ConnectedTable } from '@freehold/table'
import { adoptJob, surveyTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { type DocumentItems, foreignTable, itemsOf, putItems, rawItem } from '../test/documents/written.ts'
import { decideAccountManagement } from './account-management/decide.ts'
import { designModules } from './design-modules.ts'
import { decidePlatform } from './platform/decide.ts'
import { decideRebac } from './rebac/decide.ts'

// A flow changes an item of a source document, and completes it in the same write. Then the table is adopted.

type Call = (input: never) => Promise<unknown>
interface Work {
  readonly table: ConnectedTable
  readonly flows: Readonly<Record<string, Call>>
}

const id = (letters: string) => `${letters.repeat(4)}-0000-4000-8000-000000000001`
const [client, project, building, user, role] = ['c1', 'd0', 'b0', 'a0', 'e0'].map(id) as [string, string, string, string, string]

// Each flow is called by its name, with input of its own.
const asWork = (work: unknown) => work as Work

/** How a flow ends before the table is adopted, for an operator and within the scope of the tenant: `-` is `NotAdopted`. After it, each is done. */
type Before = 'done' | '-'
/** What is given, the item that changes, and what it has then that it had not; `gone` where the flow removes it. */
type Row = readonly [flow: string, input: object, before: readonly [Before, Before?], item?: string, written?: object | 'gone']
const [ada, tenantId, viewer] = ['01J8YZZQ3V8PZKQ0ZKX4C2M7FM', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', '01J8X2W3Y4Z5A6B7C8D9E0F1H3']
const [userId, groupId, locationId] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FCC', '01ARZ3NDEKTSV4RRFFQ69G5FBB']
const tenants: Readonly<Record<string, string>> = { 'account-management': client, platform: 'acc-1', authorization: tenantId }
const [all, none, within] = [
  ['done', 'done'],
  ['-', '-'],
  ['-', 'done'],
] as const
const [atClient, atProject, atBuilding] = [
  { scope_type: 'client', scope_id: client },
  { scope_type: 'project', scope_id: project },
  { scope_type: 'building', scope_id: building },
] as const
const [device, zone] = [
  { building_id: building, id: id('de') },
  { building_id: building, id: id('ce') },
] as const
const subscription = { ...atProject, module_id: id('fa') }
const held = { user_id: user, role_id: role }
const ofUser = { user_id: user }
const later = '2100-01-01T00:00:00.000Z'

const rows: Readonly<Record<string, readonly Row[]>> = {
  'account-management': [
    ['updateClient', { id: client, name: 'Acme Ltd' }, all, 'Client', { name: 'Acme Ltd' }],
    ['suspendClient', { id: client }, none, 'Client', { status: 'suspended' }],
    ['deleteClient', { id: client }, ['-'], 'Client', 'gone'],
    ['createProject', { client_id: client, name: 'x', owner_user_id: user }, all],
    ['updateProject', { id: project, name: 'x' }, within, 'Project', { name: 'x' }],
    ['deleteProject', { id: project }, none, 'Project', 'gone'],
    ['createBuilding', { project_id: project, name: 'x' }, none],
    ['updateBuilding', { id: building, city: 'x' }, within, 'Building', { city: 'x', client_id: client }],
    ['deleteBuilding', { id: building }, none, 'Building', 'gone'],
    ['createZone', { building_id: building, name: 'x', type: 'office' }, none],
    ['updateZone', { ...zone, floor: 'x' }, within, 'Zone', { floor: 'x', client_id: client }],
    ['createDevice', { building_id: building, name: 'x', type: 'camera' }, none],
    ['updateDevice', { ...device, model: 'x' }, within, 'Device', { model: 'x', client_id: client }],
    ['assignDeviceZone', device, within, 'Device', {}],
    ['deviceSeen', { ...device, at: '2026-01-01T00:00:00.000Z' }, within, 'Device', { last_seen_at: '2026-01-01T00:00:00.000Z' }],
    ['deleteDevice', device, within, 'Device', 'gone'],
    ['inviteUser', { client_id: client, email: 'eve@example.org', user_type: 'client_admin' }, none],
    ['updateUser', { id: user, title: 'x' }, all, 'User', { title: 'x' }],
    [
      'changeUserEmail',
      { id: user, email: 'eve@example.org' },
      none,
      'User',
      { email: 'eve@example.org', GSI3PK: 'EMAIL#eve@example.org' },
    ],
    ['disableUser', { id: user }, none, 'User', { status: 'disabled' }],
    ['createRole', { client_id: client, name: 'x' }, none],
    ['updateRole', { client_id: client, id: role, description: 'x' }, all, 'Role', { description: 'x', permission_form: 'embedded' }],
    ['updateRole', { client_id: client, id: role, name: 'x' }, none, 'Role', { name: 'x' }],
    [
      'changeRolePermissions',
      { client_id: client, id: role, add: ['cameras:write:stream'], remove: ['cameras:read:stream'] },
      all,
      'Role',
      { permissions: [{ module: 'cameras', action: 'write', resource: 'stream' }] },
    ],
    ['changeRoleForm', { client_id: client, id: role, permission_form: 'linked' }, none, 'Role', { permission_form: 'linked' }],
    ['updatePermission', { id: id('f0'), description: 'x' }, ['done'], 'Permission', { description: 'x' }],
    ['createPermission', { module: 'm', action: 'a', resource: 'r' }, ['-']],
    ['assignRole', { ...held, ...atClient }, all],
    ['assignRole', { ...held, ...atBuilding }, none],
    [
      'extendAssignment',
      { ...held, ...atProject, expires_at: later },
      none,
      'UserRoleAssignment',
      { expires_at: later, role_owner: client },
    ],
    ['revokeRole', { ...held, ...atProject }, none, 'UserRoleAssignment', 'gone'],
    ['revokeAllRoles', ofUser, none, 'UserRoleAssignment', 'gone'],
    ['startTrial', { ...atProject, module_id: id('fb') }, none],
    ['renewSubscription', { ...subscription, end_date: later }, within, 'ServiceSubscription', { end_date: later }],
    ['changeSubscriptionTier', { ...subscription, tier: 'standard' }, within, 'ServiceSubscription', { tier: 'standard' }],
    ['consumeQuota', { ...subscription, counter: 'calls', amount: 2 }, within, 'ServiceSubscription', { usage_quota: { calls: 8 } }],
    ['setSetting', { ...atProject, key: 'theme', value: 'light' }, none, 'Setting', { value: 'light', client_id: client }],
    ['setSetting', { ...atClient, key: 'theme', value: 'light' }, all],
    ['lockSetting', { ...atProject, key: 'theme' }, none, 'Setting', { is_overridable: false }],
    ['unsetSetting', { ...atProject, key: 'theme' }, none, 'Setting', 'gone'],
    ['resolveSetting', { ...atBuilding, key: 'theme' }, within],
    ['createSession', ofUser, all],
    ['endSession', { id: id('be') }, none, 'LoginSession', { status: 'expired' }],
    ['revokeSession', { id: id('be'), ...ofUser }, all, 'LoginSession', { status: 'revoked', ttl: expect.any(Number) }],
    ['createToken', { ...ofUser, token_type: 'api' }, all],
    ['revokeToken', { id: id('ae') }, none, 'AuthToken', { revoked: true }],
    ['revokeToken', { id: id('ae'), ...ofUser }, all, 'AuthToken', { revoked: true, ttl: expect.any(Number) }],
  ],
  platform: [
    ['updateAccount', { id: 'acc-1', name: 'Acme' }, all, 'Account', { name: 'Acme', status: 'active', id: 'acc-1' }],
    ['suspendAccount', { id: 'acc-1' }, all, 'Account', { status: 'suspended' }],
    ['addAddress', { accountId: 'acc-1', line1: 'x', city: 'x', postalCode: '1', country: 'DE' }, all],
    ['updateAddress', { accountId: 'acc-1', id: 'adr-1', city: 'York' }, all, 'AccountAddress', { city: 'York', accountId: 'acc-1' }],
    ['setPrimaryAddress', { accountId: 'acc-1', id: 'adr-1' }, all, 'AccountAddress', { isPrimary: true }],
    ['removeAddress', { accountId: 'acc-1', id: 'adr-1' }, all, 'AccountAddress', 'gone'],
    ['replaceTechnicalUser', { accountId: 'acc-1', name: 'x', email: 'x@example.org' }, all],
    ['updateEnterprise', { id: 'ent-1', name: 'Nova' }, ['done'], 'Enterprise', { name: 'Nova', id: 'ent-1' }],
    ['unassignProduct', { enterpriseId: 'ent-1', productId: 'prd-1' }, ['-'], 'EnterpriseProduct', 'gone'],
    ['updateWorkstream', { accountId: 'acc-1', id: 'ws-1', name: 'x' }, all, 'Workstream', { name: 'x', enterpriseId: 'ent-1' }],
    ['addTool', { accountId: 'acc-1', workstreamId: 'ws-1', name: 'x' }, all],
    [
      'updateTool',
      { workstreamId: 'ws-1', id: 'tool-1', name: 'Lens' },
      ['done', '-'],
      'WorkstreamTool',
      { name: 'Lens', workstreamId: 'ws-1' },
    ],
    ['removeFromWorkstream', { userId: 'usr-1', workstreamId: 'ws-1' }, ['done', '-'], 'UserWorkstream', 'gone'],
    ['updateRole', { id: 'rol-1', name: 'viewer' }, all, 'Role', { name: 'viewer', accountId: 'acc-1' }],
    ['updateGroup', { id: 'grp-1', name: 'Staff' }, ['done'], 'Group', { name: 'Staff', id: 'grp-1' }],
    [
      'setMenuPermission',
      { roleId: 'rol-1', menuKey: 'dashboard', canView: true },
      ['done', '-'],
      'RolePermission',
      { canView: true, canEdit: false, accountId: 'acc-1' },
    ],
    ['removeMenuPermission', { roleId: 'rol-1', menuKey: 'dashboard' }, ['done', '-'], 'RolePermission', 'gone'],
    [
      'setEndDate',
      { id: 'usr-1', endDate: '2098-01-01' },
      all,
      'User',
      { status: 'active', accountId: 'acc-1', GSI3SK: '2098-01-01#usr-1' },
    ],
    ['deactivateUser', { id: 'usr-1' }, all, 'User', { status: 'inactive', GSI3PK: 'USER#STATUS#inactive' }],
    ['updateUser', { id: 'usr-1', firstName: 'Ada' }, all, 'User', { firstName: 'Ada' }],
    ['updateUser', { id: 'usr-1', email: 'ada@example.org' }, none, 'User', { email: 'ada@example.org' }],
    ['deleteUser', { id: 'usr-1' }, none, 'User', 'gone'],
    ['changeSeats', { accountId: 'acc-1', id: 'lic-1', seats: 3 }, all, 'License', { seats: 3, seatsUsed: 0, endDate: '2099-03-15' }],
    ['renewLicense', { accountId: 'acc-1', id: 'lic-1', endDate: '2100-03-15' }, all, 'License', { endDate: '2100-03-15' }],
    ['updateProduct', { id: 'prd-1', name: 'Lens' }, ['done'], 'Product', { name: 'Lens', id: 'prd-1' }],
    ['updateService', { id: 'svc-1', name: 'Care' }, ['done'], 'Service', { name: 'Care', id: 'svc-1' }],
  ],
  authorization: [
    ['suspendTenant', { tenantId }, all, 'Tenant', { status: 'suspended' }],
    ['renameTenant', { tenantId, name: 'nova' }, none, 'Tenant', { name: 'nova', GSI1PK: 'TENANT_NAME#nova' }],
    ['updateUser', { userId: ada, givenName: 'Augusta' }, ['done'], 'User', { givenName: 'Augusta' }],
    ['changeEmail', { userId: ada, email: 'eve@example.org' }, ['done'], 'User', { email: 'eve@example.org' }],
    ['createUser', { email: 'eve@example.org' }, ['done']],
    ['changeGrantRoles', { tenantId, userId: ada, take: [viewer] }, all, 'TenantGrant', { roles: ['01J8X2W3Y4Z5A6B7C8D9E0F1G2'] }],
    ['removeGrant', { tenantId, userId: ada }, all, 'TenantGrant', 'gone'],
    ['renameRole', { roleId: viewer, name: 'reader' }, ['-']],
    ['createRole', { name: 'x', scope: 'tenant' }, ['-']],
    ['renamePolicy', { policyId: 'p-abc123', name: 'x' }, ['-'], 'Policy', 'gone'],
    ['policyById', { policyId: 'p-abc123' }, ['done']],
    ['grantById', { tenantGrantId: '01J8Z3Q3TQ6T0C9J2W0G7N2B6V' }, ['done']],
  ],
  rebac: [
    ['setAdmin', { userId, isAdmin: true }, ['done'], 'User', { isAdmin: true, createdAt: '2025-01-15T10:00:00.000Z' }],
    ['updateLocation', { locationId, name: 'x' }, ['done'], 'Location', { name: 'x' }],
    ['updateLocation', { locationId, locationCode: 'LON001' }, ['done'], 'Location', { locationCode: 'LON001' }],
    ['updateGroup', { groupId, name: 'Staff' }, ['done'], 'UserGroup', { name: 'Staff' }],
    ['updateRole', { roleName: 'teacher', description: 'All' }, ['done'], 'Role', { description: 'All' }],
    ['updatePage', { pageName: 'dashboard', description: 'All' }, ['done'], 'Page', { description: 'All' }],
    [
      'setPermission',
      { roleName: 'teacher', pageName: 'payroll', permission: 'ALLOW' },
      ['done'],
      'RolePagePermission, a denial',
      { permission: 'ALLOW' },
    ],
    ['removePermission', { roleName: 'teacher', pageName: 'payroll' }, ['done'], 'RolePagePermission, a denial', 'gone'],
    ['createGroup', { locationId, name: 'x', groupType: 'TEACHER' }, ['done']],
    ['takeRole', { groupId, roleName: 'teacher' }, ['done'], 'GroupRole', 'gone'],
    ['leaveGroup', { userId, groupId }, ['done'], 'UserGroupEdge', 'gone'],
    ['leaveLocation', { userId, locationId }, ['done'], 'UserLocationEdge', 'gone'],
    ['addEmail', { userId, email: 'eve@example.org' }, ['done']],
    ['deleteUser', { userId }, ['-'], 'User', 'gone'],
  ],
}

/** @param way who calls, or that the table is adopted first */
async function foreign(name: string, way: 'operator' | 'tenant' | 'adopted', items: DocumentItems = itemsOf(name)): Promise<Work> {
  const { design, flows: offered } = designModules.get(name) ?? {}
  if (design === undefined || offered === undefined) throw new Error(`There is no module ${name} with flows.`)
  const whole = (await foreignTable(design, Object.values(items), { jobHandlers: offered.jobHandlers })) as ConnectedTable
  if (way === 'adopted') await whole.jobs.start(adoptJob, { subject: name, input: null })
  const table = way === 'tenant' ? whole.forTenant(tenants[name] ?? '') : whole
  return asWork({ table, flows: offered.of(table, { actor: operator }) })
}

describe.each(Object.keys(rows))('%s', (name) => {
  const items = itemsOf(name)
  const named = (rows[name] ?? []).map((row, index) => [`${index + 1} ${row[0]}`, row] as const)
  test.each(named)('%s, before the table is adopted and after it', async (_, [flow, input, [byOperator, byTenant], at, written]) => {
    const place = items[at ?? ''] ?? { PK: '', SK: '' }
    for (const [way, expected] of [
      ['operator', byOperator],
      ['tenant', byTenant],
      ['adopted', 'done'],
    ] as const) {
      if (expected === undefined) continue
      const { table, flows } = await foreign(name, way)
      const before = at === undefined ? undefined : await rawItem(table.runtime.table, place)
      const done = flows[flow]?.(input as never)
      if (expected === '-') {
        await expect(done, way).rejects.toMatchObject({ code: 'NotAdopted', details: { command: `freehold adopt ${name}` } })
        if (at !== undefined) expect(await rawItem(table.runtime.table, place), way).toEqual(before)
        continue
      }
      await done
      const after = at === undefined ? undefined : await rawItem(table.runtime.table, place)
      if (written === 'gone') expect(after, way).toBeUndefined()
      else if (written !== undefined)
        expect(after, way).toMatchObject({ PK: place.PK, SK: place.SK, Type: expect.any(String), version: expect.any(Number), ...written })
    }
  })

  test('is adopted, again and again', async () => {
    const { table } = await foreign(name, 'adopted')
    const { missing, problems } = await surveyTable(table.runtime)
    // Nothing tells the account of a group.
    expect(missing).toEqual({})
    expect(problems.map(({ entity }) => entity)).toEqual(name === 'platform' ? ['Group'] : [])
    await table.jobs.start(adoptJob, { subject: name, input: null })
  })
})

test('what only a lookup item of the design leads to is not called absent before the table is adopted', async () => {
  const { table: there } = await foreign('account-management', 'operator')
  const permission = 'cameras:read:stream'
  for (const question of [
    { user, building },
    { user: 'ada@example.org', project },
  ])
    expect(await decideAccountManagement(there.runtime).can({ ...question, permission })).toEqual({ allowed: true })
})

const owned: readonly (readonly [name: string, item: string, above: string, tenant: string, value: string])[] = [
  ['platform', 'WorkstreamTool', 'Workstream', 'accountId', 'acc-1'],
  ['account-management', 'RolePermissionLink', 'Role', 'client_id', client],
]
test.each(owned)('%s: a %s gets the tenant of the one %s that it names', async (name, of, above, tenant, value) => {
  const { [of]: item = { PK: '', SK: '' }, ...items } = itemsOf(name)
  const other = { ...items[above], PK: String(items[above]?.PK).replace(/[^#]+$/, 'c2c2c2c2-0000-4000-8000-000000000002') }
  const adopted = async (...more: readonly object[]) => {
    const { table } = await foreign(name, 'operator', items)
    await putItems(table.runtime.table, [item, ...more] as never)
    await table.jobs.start(adoptJob, { subject: name, input: null })
    return { after: await rawItem(table.runtime.table, item), ...(await surveyTable(table.runtime)) }
  }
  expect((await adopted()).after).toMatchObject({ [tenant]: value, Type: of })
  // Of two, nothing tells which.
  const unlike = Object.fromEntries(Object.entries(other).filter(([attribute]) => !/^GSI|_id$/.test(attribute)))
  const { after, problems } = await adopted(unlike)
  expect(after).toEqual(item)
  const told = { entity: of, code: 'MissingEnd', key: { PK: item.PK, SK: item.SK }, message: expect.stringContaining('delete-item') }
  expect(problems.filter(({ entity }) => entity === of)).toMatchObject([told])
})

test('an edge without its end is a problem, with the command that removes it', async () => {
  const { Product: _, ...items } = itemsOf('platform')
  const { table } = await foreign('platform', 'operator', items)
  await table.jobs.start(adoptJob, { subject: 'platform', input: null })
  const { problems } = await surveyTable(table.runtime)
  const { PK = '', SK = '' } = items.EnterpriseProduct ?? {}
  const message = expect.stringMatching(/absent.*delete-item/)
  expect(problems).toContainEqual({ entity: 'EnterpriseProduct', key: { PK, SK }, code: 'MissingEnd', message })
})

test('what was adopted is asked all five questions', async () => {
  const adopted = async (name: string) => {
    const { table } = await foreign(name, 'adopted')
    return table.runtime
  }
  const account = decideAccountManagement(await adopted('account-management'))
  const permission = 'cameras:read:stream'
  expect((await account.who({ client, project, building, permission })).items).toMatchObject([
    { user_id: user, grantedBy: { role_id: role } },
  ])
  expect((await account.where({ user, permission })).items).toMatchObject([{ scope_type: 'project', scope_id: project }])
  expect(await account.can({ user: 'ada@example.org', building, permission })).toEqual({ allowed: true })
  const phase1 = decideRebac(await adopted('rebac'))
  const [location, page] = ['NYC001', 'dashboard']
  expect((await phase1.who({ location, page })).items).toMatchObject([{ userId }])
  expect((await phase1.where({ user: userId, page })).items).toHaveLength(1)
  expect((await phase1.what({ user: userId, location })).items).toHaveLength(1)
  expect((await decidePlatform(await adopted('platform')).who({ account: 'acc-1', menu: 'dashboard', action: 'view' })).items).toEqual([])
})
