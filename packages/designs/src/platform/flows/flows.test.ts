import { describe, expect, test } from 'vitest'
import type { FlowRow } from '../../../test/conformance/flow-scene.ts'
import { platformRows } from '../../../test/platform-flow-rows.ts'
import { platformScene, platformWork, settingOf } from '../../../test/platform-flows.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { platform } from '../design.ts'
import { flowMenus, offeredPlatformFlows } from './flows.ts'

// Each flow is refused to a user without the permission, and to one of another account: nothing is changed, and nothing is told.

/** By flow: input that would do in our account. */
const inputs = new Map<string, unknown>()

const offered = offeredPlatformFlows()
const flows = offered.describe(platform)
const byUsers = flows.filter(({ needs }) => needs !== 'operator' && needs !== 'identity-provider')

/** Calls a flow with input that would do in our account. */
const refused = (flow: string, user_id: string): Promise<unknown> =>
  offered.run(work.table, flow, inputs.get(flow), { actor: { kind: 'user', user_id } }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
/** All that lies in the table, but for the records of denied calls. */
const lying = async () => (await wholeTable(work.table)).filter(({ Type }) => Type !== 'Change' && Type !== 'ActorChange')

const work = await platformWork()
const ours = await platformScene(work, 'ours')
const other = await platformScene(work, 'other')
const workstreamId = (await work.flows.createWorkstream({ accountId: ours.ours, name: 'Research' })).id
const { id: enterpriseId } = await work.flows.createEnterprise({ name: 'Nova' })
const { id: licenseId } = await work.flows.issueLicense({ accountId: ours.ours, enterpriseId, seats: 1, endDate: '2999-01-01' })
await work.flows.giveRole({ groupId: ours.group, roleId: await ours.role('plain', settingOf('own', 'view')) })
await work.flows.addToGroup({ groupId: ours.group, userId: ours.friend })
await work.flows.setTechnicalUser({ accountId: ours.ours, name: 'Eve', email: 'eve@example.org' })
const rows = new Map<string, Pick<FlowRow, 'input'>>([
  ...platformRows(work, ours).map((row) => [row.flow, row] as const),
  ['setTechnicalUser', { input: () => ({ accountId: ours.ours, userId: ours.friend }) }],
  ['replaceTechnicalUser', { input: () => ({ accountId: ours.ours, userId: ours.friend }) }],
  ['notifications', { input: () => ({ accountId: ours.ours }) }],
  ['notificationSummary', { input: () => ({ accountId: ours.ours }) }],
  ['provisioningReport', { input: () => ({ accountId: ours.ours }) }],
  ['exportUser', { input: () => ({ id: ours.friend }) }],
  ['exportAccount', { input: () => ({ id: ours.ours }) }],
  ['inactiveUsers', { input: () => ({ accountId: ours.ours }) }],
  ['licensesExpiring', { input: () => ({ accountId: ours.ours, days: 30 }) }],
  ['expiredLicenses', { input: () => ({ accountId: ours.ours }) }],
  ['licenseCapacity', { input: () => ({ accountId: ours.ours, enterpriseId: 'none' }) }],
  ['seatHolders', { input: () => ({ accountId: ours.ours, licenseId }) }],
  ['membersOfWorkstream', { input: () => ({ accountId: ours.ours, workstreamId }) }],
  ['workstreamsOfMember', { input: () => ({ userId: ours.friend }) }],
])
for (const [flow, { input }] of rows) inputs.set(flow, await input())
const before = await lying()

test('no flow is left out, and each that is no operators’ names a menu', () => {
  expect([...inputs.keys()].sort()).toEqual(flows.map(({ name }) => name))
  expect(byUsers.map(({ name }) => name)).toEqual(Object.keys(flowMenus).sort())
})

describe('a user without the permission', () => {
  test.each(flows)('is denied $name', async ({ name }) => {
    const reason = byUsers.some((each) => each.name === name) ? 'NoGrant' : 'OperatorsOnly'
    expect(await refused(name, ours.friend)).toMatchObject({ code: 'Denied', details: { flow: name, reason } })
  })
  test('changes nothing', async () => expect(await lying()).toEqual(before))
})

describe('a user who may do all in another account', () => {
  test.each(byUsers)('is told by $name that there is nothing', async ({ name }) => {
    expect(await refused(name, other.lead)).toMatchObject({ code: 'NotFound' })
  })
  test('changes nothing', async () => expect(await lying()).toEqual(before))
})

describe('a deployer', () => {
  test('names other menus and actions', async () => {
    const own = offeredPlatformFlows({ createGroup: { menu: 'own', action: 'delete' } }).of(work.table, {
      actor: { kind: 'user', user_id: ours.lead },
    })
    const group = { accountId: ours.ours, name: 'x' }
    await expect(own.createGroup(group)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NoGrant' } })
    await work.flows.setMenuPermission({ roleId: ours.leading, menuKey: 'own', canDelete: true })
    await own.createGroup(group)
  })

  test.each([
    ['a flow that needs none', { createProduct: { menu: 'own', action: 'view' } }, 'createProduct is no flow that needs a menu'],
    ['an empty menu', { createGroup: { menu: '', action: 'view' } }, 'createGroup'],
    ['no action', { createGroup: { menu: 'own', action: 'eat' } }, 'view, create, edit, delete'],
    ['nothing', { createGroup: null }, 'createGroup'],
  ])('is told of %s', (_, menus, message) => {
    expect(() => offeredPlatformFlows(menus as never)).toThrow(message)
  })
})
