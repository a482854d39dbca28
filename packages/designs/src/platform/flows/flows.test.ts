import { isFreeholdError } from '@freehold/table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FilledScene, filledScene, type PlatformWork, platformWork, settingOf } from '../../../test/platform-flows.ts'
import { mentions, wholeTable } from '../../../test/whole-table.ts'
import type { ChangeLine } from '../../flow/flow-host.ts'
import { platform } from '../design.ts'
import { flowMenus } from './flow-menus.ts'
import { offeredPlatformFlows, type PlatformFlows } from './flows.ts'

// Each flow: what it records; who may not call it; and that it does nothing in another account.

let work: PlatformWork
let ours: FilledScene
let other: FilledScene
beforeAll(async () => {
  work = await platformWork()
  ours = await filledScene(work, 'ours')
  other = await filledScene(work, 'other')
  work.lines()
})
afterAll(() => work.table.close())

type Call = (flows: PlatformFlows, at: FilledScene) => Promise<unknown>
/** A flow, by whom it is called, and what its record tells. */
type Case = readonly [flow: keyof PlatformFlows, by: 'operator' | 'lead', call: Call, told: (at: FilledScene) => Partial<ChangeLine>]

const inAccount = ({ ours: accountId }: FilledScene) => ({ accountId })
const inWorkstream = ({ ours: accountId, workstreamId }: FilledScene) => ({ accountId, workstreamId })
const entity = (name: string, more: (at: FilledScene) => Partial<ChangeLine> = () => ({})): Case[3] => {
  return (at) => ({ entity: name, ...more(at) })
}
const changes = (attribute: string, after: unknown) => ({
  changes: expect.objectContaining({ [attribute]: expect.objectContaining({ after }) }),
})
const gone = (attribute: string, before: unknown) => ({ changes: expect.objectContaining({ [attribute]: { before } }) })

const cases: readonly Case[] = [
  [
    'createAccount',
    'operator',
    (flows, { name }) => flows.createAccount({ id: `new-${name}`, name: 'New' }),
    entity('Account', () => changes('name', 'New')),
  ],
  [
    'updateAccount',
    'lead',
    (flows, { ours: id }) => flows.updateAccount({ id, name: 'Newer' }),
    entity('Account', () => changes('name', 'Newer')),
  ],
  [
    'suspendAccount',
    'operator',
    (flows, { ours: id }) => flows.suspendAccount({ id }),
    entity('Account', () => changes('status', 'suspended')),
  ],
  [
    'activateAccount',
    'operator',
    (flows, { ours: id }) => flows.activateAccount({ id }),
    entity('Account', () => changes('status', 'active')),
  ],
  ['exportAccount', 'lead', (flows, { ours: id }) => flows.exportAccount({ id }), entity('Account', ({ ours: id }) => ({ id }))],
  [
    'addAddress',
    'lead',
    (flows, at) => flows.addAddress({ ...inAccount(at), line1: '3 High Street', city: 'York', country: 'GB' }),
    entity('AccountAddress', () => changes('line1', '3 High Street')),
  ],
  [
    'updateAddress',
    'lead',
    (flows, at) => flows.updateAddress({ ...inAccount(at), id: at.address, city: 'Leeds' }),
    entity('AccountAddress', () => changes('city', 'Leeds')),
  ],
  [
    'setPrimaryAddress',
    'lead',
    (flows, at) => flows.setPrimaryAddress({ ...inAccount(at), id: at.address }),
    entity('AccountAddress', () => changes('isPrimary', true)),
  ],
  [
    'removeAddress',
    'lead',
    (flows, at) => flows.removeAddress({ ...inAccount(at), id: at.address }),
    entity('AccountAddress', () => gone('isPrimary', true)),
  ],
  [
    'setTechnicalUser',
    'lead',
    (flows, at) => flows.setTechnicalUser({ ...inAccount(at), userId: at.friend }),
    entity('TechnicalUser', ({ friend }) => changes('userId', friend)),
  ],
  [
    'replaceTechnicalUser',
    'lead',
    (flows, at) => flows.replaceTechnicalUser({ ...inAccount(at), name: 'Eve', email: 'eve@example.org' }),
    entity('TechnicalUser', () => changes('name', 'Eve')),
  ],
  ['createEnterprise', 'operator', (flows, { name }) => flows.createEnterprise({ id: `made-${name}`, name: 'Made' }), entity('Enterprise')],
  [
    'updateEnterprise',
    'operator',
    (flows, { name }) => flows.updateEnterprise({ id: `made-${name}`, description: 'x' }),
    entity('Enterprise', () => changes('description', 'x')),
  ],
  ['createProduct', 'operator', (flows, { name }) => flows.createProduct({ id: `made-${name}`, name: 'Made' }), entity('Product')],
  [
    'updateProduct',
    'operator',
    (flows, { name }) => flows.updateProduct({ id: `made-${name}`, name: 'x' }),
    entity('Product', () => changes('name', 'x')),
  ],
  ['createService', 'operator', (flows, { name }) => flows.createService({ id: `made-${name}`, name: 'Made' }), entity('Service')],
  [
    'updateService',
    'operator',
    (flows, { name }) => flows.updateService({ id: `made-${name}`, name: 'x' }),
    entity('Service', () => changes('name', 'x')),
  ],
  [
    'assignProduct',
    'operator',
    (flows, { name }) => flows.assignProduct({ enterpriseId: `made-${name}`, productId: `made-${name}` }),
    entity('EnterpriseProduct'),
  ],
  [
    'unassignProduct',
    'operator',
    (flows, { name }) => flows.unassignProduct({ enterpriseId: `made-${name}`, productId: `made-${name}` }),
    entity('EnterpriseProduct', ({ name }) => gone('productId', `made-${name}`)),
  ],
  [
    'assignService',
    'operator',
    (flows, { name }) => flows.assignService({ enterpriseId: `made-${name}`, serviceId: `made-${name}` }),
    entity('EnterpriseService'),
  ],
  [
    'unassignService',
    'operator',
    (flows, { name }) => flows.unassignService({ enterpriseId: `made-${name}`, serviceId: `made-${name}` }),
    entity('EnterpriseService', ({ name }) => gone('serviceId', `made-${name}`)),
  ],
  [
    'deleteProduct',
    'operator',
    (flows, { name }) => flows.deleteProduct({ id: `made-${name}` }),
    entity('Product', () => gone('name', 'x')),
  ],
  [
    'deleteService',
    'operator',
    (flows, { name }) => flows.deleteService({ id: `made-${name}` }),
    entity('Service', () => gone('name', 'x')),
  ],
  ['deleteEnterprise', 'operator', (flows, { name }) => flows.deleteEnterprise({ id: `made-${name}` }), entity('Enterprise')],
  [
    'createWorkstream',
    'lead',
    (flows, at) => flows.createWorkstream({ ...inAccount(at), name: 'Sales' }),
    entity('Workstream', () => changes('name', 'Sales')),
  ],
  [
    'ensureDefaultWorkstream',
    'lead',
    (flows, at) => flows.ensureDefaultWorkstream(inAccount(at)),
    entity('Workstream', ({ ours: id }) => ({ id: `default-${id}` })),
  ],
  [
    'updateWorkstream',
    'lead',
    (flows, at) => flows.updateWorkstream({ ...inAccount(at), id: at.workstreamId, name: 'Newer' }),
    entity('Workstream', () => changes('name', 'Newer')),
  ],
  [
    'addTool',
    'lead',
    (flows, at) => flows.addTool({ ...inWorkstream(at), name: 'Saw', category: 'wood' }),
    entity('WorkstreamTool', () => changes('category', 'wood')),
  ],
  [
    'updateTool',
    'lead',
    (flows, { workstreamId, tool: id }) => flows.updateTool({ workstreamId, id, url: 'https://example.org' }),
    entity('WorkstreamTool', () => changes('url', 'https://example.org')),
  ],
  [
    'removeTool',
    'lead',
    (flows, { workstreamId, tool: id }) => flows.removeTool({ workstreamId, id }),
    entity('WorkstreamTool', () => gone('name', 'Lens')),
  ],
  [
    'addToWorkstream',
    'lead',
    (flows, at) => flows.addToWorkstream({ ...inWorkstream(at), userId: at.lead }),
    entity('UserWorkstream', ({ lead, workstreamId }) => ({ id: `${lead} ${workstreamId}` })),
  ],
  ['membersOfWorkstream', 'lead', (flows, at) => flows.membersOfWorkstream(inWorkstream(at)), () => ({})],
  ['workstreamsOfMember', 'lead', (flows, { friend: userId }) => flows.workstreamsOfMember({ userId }), () => ({})],
  [
    'removeFromWorkstream',
    'lead',
    (flows, { friend: userId, workstreamId }) => flows.removeFromWorkstream({ userId, workstreamId }),
    entity('UserWorkstream', ({ friend }) => gone('userId', friend)),
  ],
  [
    'deleteWorkstream',
    'lead',
    (flows, at) => flows.deleteWorkstream({ ...inAccount(at), id: at.workstreamId }),
    entity('Workstream', () => gone('name', 'Newer')),
  ],
  [
    'createUser',
    'lead',
    (flows, at) => flows.createUser({ ...inAccount(at), email: `new@${at.name}.example`, firstName: 'New', lastName: 'User' }),
    entity('User', () => changes('firstName', 'New')),
  ],
  [
    'sendCredentials',
    'lead',
    (flows, { lead: userId }) => flows.sendCredentials({ userId }),
    entity('NotificationIntent', ({ lead }) => ({ ...changes('state', 'sending'), id: expect.stringContaining(lead) })),
  ],
  [
    'resendNotification',
    'lead',
    (flows, { auditId }) => flows.resendNotification({ auditId }),
    entity('NotificationIntent', () => ({ changes: expect.objectContaining({ state: { before: 'skipped', after: 'sending' } }) })),
  ],
  ['notifications', 'lead', (flows, at) => flows.notifications(inAccount(at)), () => ({})],
  ['notificationSummary', 'lead', (flows, at) => flows.notificationSummary(inAccount(at)), () => ({})],
  // Its record is in sweep.test.ts: here nothing is overdue.
  ['sweep', 'operator', (flows) => flows.sweep({}), () => ({})],
  [
    'provisionAccount',
    'operator',
    (flows, { name }) =>
      flows.provisionAccount({
        accountId: `provisioned-${name}`,
        name: 'Provisioned',
        technicalUser: { email: `tech@${name}.example`, firstName: 'Tea', lastName: 'Ch' },
        menus: ['own'],
      }),
    entity('NotificationIntent', ({ name }) => ({ scope: { accountId: `provisioned-${name}` } })),
  ],
  ['provisioningReport', 'operator', (flows, { name }) => flows.provisioningReport({ accountId: `provisioned-${name}` }), () => ({})],
  [
    'updateUser',
    'lead',
    (flows, { friend: id }) => flows.updateUser({ id, email: 'changed@example.org' }),
    entity('User', () => changes('email', 'changed@example.org')),
  ],
  [
    'setEndDate',
    'lead',
    (flows, { friend: id }) => flows.setEndDate({ id, endDate: '2999-12-31' }),
    entity('User', () => changes('endDate', '2999-12-31')),
  ],
  ['deactivateUser', 'lead', (flows, { friend: id }) => flows.deactivateUser({ id }), entity('User', () => changes('status', 'inactive'))],
  ['inactiveUsers', 'lead', (flows, at) => flows.inactiveUsers(inAccount(at)), () => ({})],
  ['reactivateUser', 'lead', (flows, { friend: id }) => flows.reactivateUser({ id }), entity('User', () => changes('status', 'active'))],
  [
    'createRole',
    'lead',
    (flows, at) => flows.createRole({ ...inAccount(at), name: 'Editors' }),
    entity('Role', ({ ours: id }) => changes('accountId', id)),
  ],
  ['updateRole', 'lead', (flows, { plain: id }) => flows.updateRole({ id, name: 'Newer' }), entity('Role', () => changes('name', 'Newer'))],
  [
    'copyRole',
    'lead',
    (flows, { plain: id }) => flows.copyRole({ id, name: 'Copy' }),
    entity('Role', ({ plain: from }) => ({ ...changes('name', 'Copy'), related: { from }, more: { granted: ['view own'] } })),
  ],
  [
    'setMenuPermission',
    'lead',
    (flows, { plain: roleId }) => flows.setMenuPermission({ roleId, menuKey: 'own', canEdit: true }),
    entity('RolePermission', ({ plain }) => ({ id: `${plain} own`, ...changes('canEdit', true) })),
  ],
  [
    'removeMenuPermission',
    'lead',
    (flows, { plain: roleId }) => flows.removeMenuPermission({ roleId, menuKey: 'own' }),
    entity('RolePermission', () => gone('canEdit', true)),
  ],
  [
    'replaceMenuPermissions',
    'lead',
    (flows, { plain: roleId }) => flows.replaceMenuPermissions({ roleId, permissions: [settingOf('users', 'view', 'edit')] }),
    entity('Role', () => ({ more: { granted: ['view users, edit users'], withdrawn: [] } })),
  ],
  [
    'createGroup',
    'lead',
    (flows, at) => flows.createGroup({ ...inAccount(at), name: 'New' }),
    entity('Group', () => changes('name', 'New')),
  ],
  [
    'updateGroup',
    'lead',
    (flows, { group: id }) => flows.updateGroup({ id, name: 'Newer' }),
    entity('Group', () => changes('name', 'Newer')),
  ],
  [
    'addToGroup',
    'lead',
    (flows, { group: groupId, lead: userId }) => flows.addToGroup({ groupId, userId }),
    entity('GroupMember', ({ group, lead }) => ({ id: `${group} ${lead}` })),
  ],
  [
    'removeFromGroup',
    'lead',
    (flows, { group: groupId, friend: userId }) => flows.removeFromGroup({ groupId, userId }),
    entity('GroupMember', ({ friend }) => gone('userId', friend)),
  ],
  [
    'takeRole',
    'lead',
    (flows, { group: groupId, plain: roleId }) => flows.takeRole({ groupId, roleId }),
    entity('GroupRole', ({ plain }) => gone('roleId', plain)),
  ],
  [
    'giveRole',
    'lead',
    (flows, { group: groupId, plain: roleId }) => flows.giveRole({ groupId, roleId }),
    entity('GroupRole', ({ group, plain }) => ({ id: `${group} ${plain}` })),
  ],
  ['deleteRole', 'lead', (flows, { plain: id }) => flows.deleteRole({ id }), entity('Role', () => gone('name', 'Newer'))],
  ['deleteGroup', 'lead', (flows, { group: id }) => flows.deleteGroup({ id }), entity('Group', () => gone('name', 'Newer'))],
  ['deleteUser', 'lead', (flows, { friend: id }) => flows.deleteUser({ id }), entity('User', () => gone('status', 'inactive'))],
  ['deleteAccount', 'operator', (flows, { ours: id }) => flows.deleteAccount({ id }), entity('Account', () => gone('name', 'Newer'))],
]

test('no flow is left out, and each that is no operators’ names a menu', () => {
  const flows = offeredPlatformFlows().describe(platform)
  expect(cases.map(([flow]) => flow).sort()).toEqual(flows.map(({ name }) => name))
  const byUsers = cases.flatMap(([flow, by]) => (by === 'lead' ? [flow] : [])).sort()
  expect(byUsers).toEqual(Object.keys(flowMenus).sort())
  expect(flows.flatMap(({ name, needs }) => (needs === 'operator' ? [] : [name]))).toEqual(byUsers)
})

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a user without the permission', () => {
  test.each(cases)('%s is denied, and nothing is changed', async (flow, by, call) => {
    const before = (await wholeTable(work.table)).filter(({ Type }) => !/Change$/.test(String(Type)))
    expect(await outcome(call(work.as(ours.friend), ours))).toMatchObject({
      code: 'Denied',
      details: { flow, reason: by === 'operator' ? 'OperatorsOnly' : 'NoGrant' },
    })
    work.lines()
    expect((await wholeTable(work.table)).filter(({ Type }) => !/Change$/.test(String(Type)))).toEqual(before)
  })
})

test('a denied call is recorded in the account of its caller, with its reason', async () => {
  const work = await platformWork()
  const scene = await filledScene(work, 'denied')
  work.lines()
  await outcome(work.as(scene.friend).createGroup({ accountId: scene.ours, name: 'x' }))
  const told = { flow: 'createGroup', status: 'failure', more: { reason: 'NoGrant' } }
  expect(work.lines()).toMatchObject([{ ...told, actor: { kind: 'user', user_id: scene.friend }, scope: { accountId: scene.ours } }])
  expect((await work.table.changesOfAccount({ accountId: scene.ours }, { consistent: true, limit: 1 })).items).toMatchObject([told])
  work.table.close()
})

describe('a user of another account', () => {
  test.each(cases.filter(([, by]) => by === 'lead'))('%s says nothing of what is there, and changes nothing', async (_, __, call) => {
    const before = (await wholeTable(work.table)).filter(({ Type }) => !/Change$/.test(String(Type)))
    const error = await outcome(call(work.as(ours.lead), other))
    expect(isFreeholdError(error)).toBe(true)
    // As of something that is not there.
    expect(error).toMatchObject({ code: 'NotFound' })
    work.lines()
    expect((await wholeTable(work.table)).filter(({ Type }) => !/Change$/.test(String(Type)))).toEqual(before)
  })
})

describe('a call is recorded with what it changed', () => {
  test.each(cases)('%s', async (flow, by, call, told) => {
    work.lines()
    const expected = told(ours)
    await call(by === 'lead' ? work.as(ours.lead) : work.flows, ours)
    const lines = work.lines()
    if (expected.entity === undefined) return expect(lines).toEqual([])
    const last = lines.at(-1)
    const actor = by === 'lead' ? { kind: 'user', user_id: ours.lead } : { kind: 'operator', name: 'test' }
    expect(last).toMatchObject({ design: 'platform', flow, actor, severity: 'info', status: 'success', ...expected })
    const { items } = await work.table.changesOfActor(
      { actor: by === 'lead' ? ours.lead : 'operator test' },
      { consistent: true, limit: 100 },
    )
    expect(items).toContainEqual(expect.objectContaining({ flow, entity: last?.entity, changedAt: expect.any(String) }))
  })

  test('and stays, by its account, when that is deleted', async () => {
    const { items } = await work.table.changesOfAccount({ accountId: ours.ours }, { consistent: true, limit: 1000 })
    const flows = new Set(items.map(({ flow }) => flow))
    const missing = cases.flatMap(([flow, , , told]) => (told(ours).entity === undefined || flows.has(flow) ? [] : [flow]))
    expect(missing.filter((flow) => !/Enterprise|Product|Service|createAccount|provisionAccount/.test(flow))).toEqual([])
    const taken = items.filter(({ flow, entity }) => flow === 'deleteAccount' && entity !== 'Account')
    expect(taken.map(({ entity }) => entity)).toEqual(
      expect.arrayContaining(['User', 'Role', 'Group', 'GroupMember', 'GroupRole', 'Workstream']),
    )
    expect(taken[0]).toMatchObject({ more: { removed_with: expect.any(String) } })
    const left = (await mentions(work.table, ours.ours)).filter((key) => !/^(CHANGES|NOTIFICATION_AUDIT)#/.test(key))
    expect(left).toEqual([])
  })
})
