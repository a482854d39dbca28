import { type ConnectedTable, connect } from '@freehold/table'
import { adoptJob, surveyTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { checkedAccountFlows } from '../test/account-flows.ts'
import { authorizationWork } from '../test/authorization-flows.ts'
import { type DocumentItems, itemsOf, putItems, rawItem } from '../test/documents/written.ts'
import { engineSender, ownTableOf } from '../test/own-table.ts'
import { platformWork } from '../test/platform-flows.ts'
import { rebacWork } from '../test/rebac-flows.ts'
import { decideAccountManagement } from './account-management/decide.ts'
import { accountManagement } from './account-management/design.ts'
import { offeredAccountFlows } from './account-management/flows/flows.ts'
import { operator } from './flow/actor.ts'
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
const works: Readonly<Record<string, () => Promise<Work>>> = {
  'account-management': async () => {
    const table = await ownTableOf(accountManagement, { jobHandlers: offeredAccountFlows.jobHandlers })
    return asWork({ table, flows: checkedAccountFlows.of(table, { actor: operator }) })
  },
  platform: async () => asWork(await platformWork()),
  authorization: async () => asWork(await authorizationWork()),
  rebac: async () => asWork(await rebacWork()),
}

type Row = readonly [flow: string, input: object, item: string, written: object]
const [ada, tenantId, viewer] = ['01J8YZZQ3V8PZKQ0ZKX4C2M7FM', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', '01J8X2W3Y4Z5A6B7C8D9E0F1H3']
const [userId, groupId] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FCC']

/** Of each design flows whose writes promise no uniqueness, and what the item has then that it had not. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  'account-management': [
    ['updateClient', { id: client, name: 'Acme Ltd' }, 'Client', { name: 'Acme Ltd', Type: 'Client', status: 'active' }],
  ],
  platform: [
    ['updateAccount', { id: 'acc-1', name: 'Acme' }, 'Account', { name: 'Acme', Type: 'Account', status: 'active', id: 'acc-1' }],
    [
      'updateAddress',
      { accountId: 'acc-1', id: 'adr-1', city: 'York' },
      'AccountAddress',
      { city: 'York', accountId: 'acc-1', Type: 'AccountAddress' },
    ],
    ['updateEnterprise', { id: 'ent-1', name: 'Nova' }, 'Enterprise', { name: 'Nova', id: 'ent-1', Type: 'Enterprise' }],
    ['updateWorkstream', { accountId: 'acc-1', id: 'ws-1', name: 'Research' }, 'Workstream', { name: 'Research', enterpriseId: 'ent-1' }],
    ['updateTool', { workstreamId: 'ws-1', id: 'tool-1', name: 'Lens' }, 'WorkstreamTool', { name: 'Lens', workstreamId: 'ws-1' }],
    ['updateRole', { id: 'rol-1', name: 'viewer' }, 'Role', { name: 'viewer', accountId: 'acc-1' }],
    ['updateGroup', { id: 'grp-1', name: 'Staff' }, 'Group', { name: 'Staff', id: 'grp-1' }],
    [
      'setMenuPermission',
      { roleId: 'rol-1', menuKey: 'dashboard', canView: true },
      'RolePermission',
      { canView: true, canEdit: false, accountId: 'acc-1' },
    ],
    [
      'setEndDate',
      { id: 'usr-1', endDate: '2098-01-01' },
      'User',
      { endDate: '2098-01-01', status: 'active', accountId: 'acc-1', GSI3SK: '2098-01-01#usr-1' },
    ],
    [
      'changeSeats',
      { accountId: 'acc-1', id: 'lic-1', seats: 3 },
      'License',
      { seats: 3, seatsUsed: 0, endDate: '2099-03-15', status: 'active' },
    ],
    ['updateProduct', { id: 'prd-1', name: 'Lens' }, 'Product', { name: 'Lens', id: 'prd-1' }],
    ['updateService', { id: 'svc-1', name: 'Care' }, 'Service', { name: 'Care', id: 'svc-1' }],
  ],
  authorization: [
    ['suspendTenant', { tenantId }, 'Tenant', { status: 'suspended' }],
    ['updateUser', { userId: ada, givenName: 'Augusta' }, 'User', { givenName: 'Augusta' }],
    [
      'changeGrantRoles',
      { tenantId, userId: ada, take: [viewer] },
      'TenantGrant',
      { tenantGrantId: '01J8Z3Q3TQ6T0C9J2W0G7N2B6V', roles: ['01J8X2W3Y4Z5A6B7C8D9E0F1G2'] },
    ],
  ],
  rebac: [
    ['setAdmin', { userId, isAdmin: true }, 'User', { isAdmin: true, Type: 'User', createdAt: '2025-01-15T10:00:00.000Z' }],
    ['updateGroup', { groupId, name: 'Staff' }, 'UserGroup', { name: 'Staff', Type: 'UserGroup' }],
    ['updateRole', { roleName: 'teacher', description: 'All' }, 'Role', { description: 'All', Type: 'Role' }],
    ['updatePage', { pageName: 'dashboard', description: 'All' }, 'Page', { description: 'All', Type: 'Page' }],
    [
      'setPermission',
      { roleName: 'teacher', pageName: 'payroll', permission: 'ALLOW' },
      'RolePagePermission, a denial',
      { permission: 'ALLOW', Type: 'RolePagePermission' },
    ],
  ],
}

async function filled(name: string, items: DocumentItems): Promise<Work> {
  const work = await (works[name] as () => Promise<Work>)()
  await putItems(work.table.runtime.table, Object.values(items))
  return work
}

describe.each(Object.keys(rows))('%s', (name) => {
  const items = itemsOf(name)
  test.each(rows[name] as Row[])('%s completes the item that it changes', async (flow, input, at, written) => {
    const { table, flows } = await filled(name, items)
    const before = items[at] ?? { PK: '', SK: '' }
    await flows[flow]?.(input as never)
    const after = await rawItem(table.runtime.table, before)
    expect(after).toMatchObject({ PK: before.PK, SK: before.SK, Type: expect.any(String), version: expect.any(Number), ...written })
  })

  test('is adopted, again and again', async () => {
    const { table } = await filled(name, items)
    const adopt = () => table.jobs.start(adoptJob, { subject: name, input: null })
    await adopt()
    const { missing, problems } = await surveyTable(table.runtime)
    // Nothing tells the account of a group.
    expect(missing).toEqual({})
    expect(problems.map(({ entity }) => entity)).toEqual(name === 'platform' ? ['Group'] : [])
    await adopt()
  })
})

test('what only a lookup item of the design leads to is not called absent before the table is adopted', async () => {
  const { table } = await filled('account-management', itemsOf('account-management'))
  // Another process, which has not made the table.
  const there = connect(accountManagement, { table: table.runtime.table, sender: engineSender() })
  const permission = 'cameras:read:stream'
  for (const question of [
    { user, building },
    { user: 'ada@example.org', project },
  ])
    expect(await decideAccountManagement(there.runtime).can({ ...question, permission })).toEqual({ allowed: true })
  const flows = offeredAccountFlows.of(there, { actor: operator })
  const notAdopted = { code: 'NotAdopted', details: { command: 'freehold adopt account-management' } }
  await expect(flows.updateBuilding({ id: building, city: 'York' })).rejects.toMatchObject(notAdopted)
  await expect(flows.revokeSession({ id: id('99') })).rejects.toMatchObject(notAdopted)
  await expect(there.Project.create({ client_id: client, name: 'x', owner_user_id: user })).resolves.toMatchObject({ name: 'x' })
  await expect(there.Building.create({ project_id: project, name: 'x' })).rejects.toMatchObject(notAdopted)
})

const owned: readonly (readonly [name: string, item: string, above: string, tenant: string, value: string])[] = [
  ['platform', 'WorkstreamTool', 'Workstream', 'accountId', 'acc-1'],
  ['account-management', 'RolePermissionLink', 'Role', 'client_id', client],
]
test.each(owned)('%s: a %s gets the tenant of the one %s that it names', async (name, of, above, tenant, value) => {
  const { [of]: item = { PK: '', SK: '' }, ...items } = itemsOf(name)
  const other = { ...items[above], PK: String(items[above]?.PK).replace(/[^#]+$/, 'c2c2c2c2-0000-4000-8000-000000000002') }
  const adopted = async (...more: readonly object[]) => {
    const { table } = await filled(name, items)
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
  const { table } = await filled('platform', items)
  await table.jobs.start(adoptJob, { subject: 'platform', input: null })
  const { problems } = await surveyTable(table.runtime)
  const { PK = '', SK = '' } = items.EnterpriseProduct ?? {}
  const message = expect.stringMatching(/absent.*delete-item/)
  expect(problems).toContainEqual({ entity: 'EnterpriseProduct', key: { PK, SK }, code: 'MissingEnd', message })
})

test('what was adopted is asked all five questions', async () => {
  const adopted = async (name: string) => {
    const { table } = await filled(name, itemsOf(name))
    await table.jobs.start(adoptJob, { subject: name, input: null })
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
