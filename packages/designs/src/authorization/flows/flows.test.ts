import { describe, expect, test } from 'vitest'
import { authorizationRows } from '../../../test/authorization-flow-rows.ts'
import { authorizationScene, authorizationWork } from '../../../test/authorization-flows.ts'
import type { FlowRow } from '../../../test/conformance/flow-scene.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { authorization } from '../design.ts'
import { authorizationModuleWith } from '../index.ts'
import { flowActions } from './flow-actions.ts'
import { offeredAuthorizationFlows } from './flows.ts'

// Each flow is refused to a user without the permission, to one of another tenant, and to every user where nothing decides: nothing is changed.

const offered = offeredAuthorizationFlows()
const flows = offered.describe(authorization)
const byUsers = flows.filter(({ needs }) => needs !== 'operator' && needs !== 'identity-provider')

/** Calls a flow as it would work in our tenant. Gives the error, once it is known that nothing was changed. */
async function refused(flow: string, user_id: string, of: Pick<typeof offered, 'run'> = work.offered): Promise<unknown> {
  const input = await rows.get(flow)?.input()
  expect(input).toBeDefined()
  const lying = async () => (await wholeTable(work.table)).filter(({ Type }) => Type !== 'Change' && Type !== 'ActorChange')
  const before = await lying()
  const error = await of.run(work.table, flow, input, { actor: { kind: 'user', user_id } }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(await lying()).toEqual(before)
  return error
}

const work = await authorizationWork()
const ours = await authorizationScene(work, 'ours')
const { tenantGrantId = '' } = (await work.table.TenantGrant.get({ tenantId: ours.ours, userId: ours.friend })) ?? {}
await work.flows.registerPolicy({ policyId: 'p-1', name: 'one' })
const rows = new Map<string, Pick<FlowRow, 'input'>>([
  ...authorizationRows(work, ours).map((row) => [row.flow, row] as const),
  ['grantsOfTenant', { input: () => ({ tenantId: ours.ours }) }],
  ['exportUser', { input: () => ({ userId: ours.friend }) }],
  ['grantsOfUser', { input: () => ({ userId: ours.friend }) }],
  ['grantById', { input: () => ({ tenantGrantId }) }],
  ['resourcesOfType', { input: () => ({ tenantId: ours.ours, type: 'Ticket' }) }],
  ['policiesByPrefix', { input: () => ({ prefix: 'o' }) }],
  ['policyById', { input: () => ({ policyId: 'p-1' }) }],
])

test('no flow is left out, and each that is no operators’ names an action', () => {
  expect([...rows.keys()].sort()).toEqual(flows.map(({ name }) => name))
  expect(
    byUsers
      .map(({ name }) => name)
      .concat('grantRole')
      .sort(),
  ).toEqual(Object.keys(flowActions).sort())
})

test('command and HTTP write no entity but by flows, each of which is told by its verb', () => {
  expect(Object.keys(offered.byFlows).sort()).toEqual([...authorization.form.entities.keys()].sort())
  expect(offered.byFlows).toMatchObject({
    Tenant: { create: ['createTenant'], remove: ['deleteTenant'] },
    User: { create: ['createUser'], remove: ['deleteUser', 'eraseUser'] },
    Role: { create: ['createRole'], update: ['renameRole'], remove: ['deleteRole'] },
    TenantGrant: { create: ['createGrant'], update: ['changeGrantRoles'], remove: ['removeGrant'] },
    Policy: { create: ['registerPolicy'], update: ['renamePolicy'], remove: ['removePolicy'] },
  })
})

describe('a user without the permission', () => {
  test.each(flows)('is denied $name, and nothing is changed', async ({ name }) => {
    const reason = byUsers.some((each) => each.name === name) ? 'NoGrant' : 'OperatorsOnly'
    expect(await refused(name, ours.friend)).toMatchObject({ code: 'Denied', details: { flow: name, reason } })
  })
})

describe('a user who may do all in another tenant', () => {
  test.each(byUsers)('is denied $name, and nothing is changed', async ({ name }) => {
    expect(await refused(name, ours.stranger)).toMatchObject({ code: 'Denied', details: { reason: 'NoGrant' } })
  })

  test.each(byUsers)('learns by $name as much of a tenant as of none', async ({ name }) => {
    const input = await rows.get(name)?.input()
    const told = (tenantId: string) =>
      work.offered
        .run(work.table, name, { ...input, tenantId }, { actor: { kind: 'user', user_id: ours.stranger } })
        .catch(({ code, message, details }) => ({ code, message, details }))
    expect(await told(ours.ours)).toEqual(await told('01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'))
  })
})

describe('without a decider', () => {
  test.each(byUsers)('$name is denied to everybody who is no operator', async ({ name }) => {
    expect(await refused(name, ours.lead, offered)).toMatchObject({ code: 'Denied', details: { flow: name, reason: 'NoDecider' } })
  })

  test('operators may all', async () => {
    const caller = { actor: { kind: 'operator' } } as const
    await offered.of(work.table, caller).renameTenant({ tenantId: ours.theirs, name: 'by an operator' })
  })

  test('the module answers no questions', () => {
    expect(authorizationModuleWith()).not.toHaveProperty('decider')
  })
})

test('of an unknown user nothing is decided', async () => {
  const error = await refused('renameTenant', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C')
  expect(error).toMatchObject({ code: 'Denied', details: { reason: 'UnknownUser' } })
})

describe('a deployer', () => {
  const asked: unknown[] = []
  const own = offeredAuthorizationFlows({
    actions: { renameTenant: { action: 'manage', resource: 'Acme::Shop' } },
    decider: () => ({
      ...noQuestions,
      why: async (question) => {
        asked.push(question)
        return { allowed: true, chains: [], missing: [] }
      },
    }),
  })
  const never = async () => {
    throw new Error('no flow asks this')
  }
  const fields = { can: [], why: [], what: [], who: [], where: [] }
  const noQuestions = { fields, can: never, canMany: never, what: never, who: never, where: never }

  test('names other actions and resources, of which its decider is asked', async () => {
    const { lead: user, ours: tenant } = ours
    const by = own.of(work.table, { actor: { kind: 'user', user_id: user } })
    await by.renameTenant({ tenantId: tenant, name: 'own' })
    const type = 'Acme::Shop'
    expect(asked).toEqual([{ user, tenant, action: 'manage', resource: { type, id: tenant } }])
  })

  test.each([
    ['a flow that needs none', { createTenant: { action: 'a', resource: 'Tenant' } }, 'createTenant is no flow that needs an action'],
    ['an empty action', { renameTenant: { action: ' ', resource: 'Tenant' } }, 'renameTenant'],
    ['no type', { renameTenant: { action: 'a', resource: 'Tenant::"x"' } }, 'no type of an entity'],
    ['nothing', { renameTenant: null }, 'renameTenant'],
  ])('is told of %s', (_, actions, message) => {
    expect(() => offeredAuthorizationFlows({ actions: actions as never })).toThrow(message)
  })
})
