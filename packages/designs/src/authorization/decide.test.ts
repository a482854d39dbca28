import { localEngine } from '@freehold/frame/cedar'
import { describe, expect, test } from 'vitest'
import { deciderConforms } from '../../test/conformance/decider-conformance.ts'
import { removeLiterally, setLiterally } from '../../test/literal-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { decideAuthorization } from './decide.ts'
import { authorization } from './design.ts'
import { authorizationModuleWith } from './index.ts'
import { starterFiles } from './policies/starter.ts'

const id = (kind: 'A' | 'B' | 'C', number: number) => `01H${kind}${String(number).padStart(22, '0')}`
const [ada, sam, olga, nobody] = [id('A', 1), id('A', 2), id('A', 3), id('A', 9)]
const [acme, rival, asleep, nowhere] = [id('B', 1), id('B', 2), id('B', 3), id('B', 9)]
const [agent, owner, support, auditor, gone] = [id('C', 1), id('C', 2), id('C', 3), id('C', 4), id('C', 9)]

const of = (end: string) => Object.entries(starterFiles).filter(([name]) => name.endsWith(end))
const files = { policies: new Map(of('.cedar')), schema: starterFiles['schema.cedarschema'] ?? '' }
const engine = await localEngine(files)

/** A table with users, tenants, roles and grants. The role `gone` is deleted while it is still granted. */
async function open(options = {}) {
  const table = await ownTableOf(authorization, options)
  const roles = { [agent]: 'agent', [owner]: 'owner', [auditor]: 'auditor', [gone]: 'gone' }
  for (const [roleId, name] of Object.entries(roles)) await table.Role.create({ roleId, name, scope: 'tenant' })
  await table.Role.create({ roleId: support, name: 'support', scope: 'global' })
  await table.Tenant.create({ tenantId: acme, name: 'acme' })
  await table.Tenant.create({ tenantId: rival, name: 'rival' })
  await table.Tenant.create({ tenantId: asleep, name: 'asleep', status: 'suspended' })
  const users: Readonly<Record<string, string[]>> = { [ada]: [], [sam]: [support], [olga]: [] }
  for (const [userId, own] of Object.entries(users)) await table.User.create({ userId, email: `${userId}@example.org`, roles: own })
  const grants = [
    [ada, acme, agent],
    [ada, rival, gone],
    [ada, asleep, owner],
    [sam, acme],
    [olga, acme, owner, agent],
    [olga, rival, owner],
  ] as const
  for (const [userId, tenantId, ...held] of grants) await table.TenantGrant.create({ userId, tenantId, roles: [...held] })
  await removeLiterally(table.runtime, 'ROLE_SCOPE#tenant', 'ROLE_NAME#gone')
  await removeLiterally(table.runtime, `ROLE#${gone}`, `ROLE#${gone}`)
  return table
}

const user = (told: string) => ({ ask: { user: told }, told })
const tenant = (told: string) => ({ ask: { tenant: told, resource: { type: 'Tenant', id: told } }, told })
const action = (told: string) => ({ ask: { action: told }, told })
const asked = { user: olga, tenant: acme, action: 'renameTenant', resource: { type: 'Tenant', id: acme } }
const { user: _, ...byAnyone } = asked
const { action: __, ...anything } = asked

deciderConforms({
  ...{ name: 'authorization', open, decide: decideAuthorization(engine) },
  users: [ada, sam, olga, nobody].map(user),
  scopes: [tenant(acme), tenant(rival), tenant(asleep), tenant(nowhere)],
  permissions: ['renameTenant', 'createTicket', 'removeGrant'].map(action),
  told: { what: (one) => String(one.action), who: ({ userId }) => String(userId), where: ({ tenantId }) => String(tenantId) },
  asked: { can: asked, why: asked, what: anything, who: byAnyone, where: { user: olga, action: 'renameTenant' } },
  roundTrips: { can: [3, 1, 3], why: [3, 1, 3], what: [3, 1, 3], who: [4, 2, 4], where: [4, 2, 4] },
  requestsOfCan: [3, 1],
})

/** The same with kept resources: one of each tenant has the same id, and policies decide by its attributes. */
const kept = { resource: { type: 'Ticket', id: 't-1' } }
const keeping = async (options = {}) => {
  const table = await open(options)
  await table.TenantGrant.update({ tenantId: rival, userId: olga }, { roles: [owner, agent] })
  for (const [tenantId, status] of [
    [acme, 'open'],
    [rival, 'archived'],
    [asleep, 'open'],
  ] as const)
    await table.Resource.create({ tenantId, type: 'Ticket', id: 't-1', attributes: { status, tenant: { type: 'Tenant', id: tenantId } } })
  return table
}
const onKept = { action: 'closeTicket', ...kept }

deciderConforms({
  ...{ name: 'authorization with kept resources', open: keeping, decide: decideAuthorization(engine) },
  users: [ada, sam, olga, nobody].map(user),
  scopes: [acme, rival, asleep].map((told) => ({ ask: { tenant: told, ...kept }, told })),
  permissions: ['viewTicket', 'closeTicket', 'assignTicket'].map((told) => ({ ask: { action: told, ...kept }, told })),
  told: { what: (one) => String(one.action), who: ({ userId }) => String(userId), where: ({ tenantId }) => String(tenantId) },
  asked: {
    ...{ can: { user: olga, tenant: acme, ...onKept }, why: { user: olga, tenant: acme, ...onKept } },
    ...{ what: { user: olga, tenant: acme, ...kept }, who: { tenant: acme, ...onKept }, where: { user: olga, ...onKept } },
  },
  roundTrips: { can: [3, 1, 3], why: [3, 1, 3], what: [3, 1, 3], who: [4, 2, 4], where: [4, 2, 4] },
  requestsOfCan: [3, 1],
})

const ticket = (status: string, at = acme, more = {}) => ({
  ...{ type: 'Ticket', id: 't-1' },
  attributes: { status, tenant: { type: 'Tenant', id: at }, ...more },
})
const closing = { user: ada, tenant: acme, action: 'closeTicket', resource: ticket('open') }
const deny = (kind: string, code: string, message = '') => ({ kind, code, message: expect.stringContaining(message) })

describe('a decision by the starter', () => {
  test.each([
    ['an agent closes a ticket', {}, undefined],
    ['ids in another spelling', { user: ada.toLowerCase(), tenant: ` ${acme.toLowerCase()} ` }, undefined],
    ['not in another tenant, whatever it asks for', { resource: ticket('open', rival) }, deny('policy', 'Forbidden', 'tickets-stay')],
    ['not an archived one', { resource: ticket('archived') }, deny('policy', 'Forbidden', 'archived-tickets-stay')],
    ['a deleted role gives nothing', { tenant: rival, resource: ticket('open', rival) }, deny('policy', 'NotPermitted')],
    ['without a grant nothing is allowed', { user: sam, tenant: rival }, deny('policy', 'NoGrant')],
    ['a global role counts beside a grant', { user: sam, action: 'viewTicket' }, undefined],
    ['a global role does not close', { user: sam }, deny('policy', 'NotPermitted')],
    ['a suspended tenant', { tenant: asleep, resource: ticket('open', asleep) }, deny('policy', 'TenantNotActive', 'suspended')],
    ['an unknown user', { user: nobody }, deny('unknown', 'UnknownUser')],
    ['an unknown tenant', { tenant: nowhere }, deny('unknown', 'UnknownTenant')],
    ['an unknown action', { action: 'burn' }, deny('fault', 'PolicyFault', 'burn')],
    ['an unknown type', { resource: { type: 'Robot', id: 'r' } }, deny('fault', 'PolicyFault')],
    ['an attribute that the schema has not', { resource: ticket('open', acme, { colour: 'red' }) }, deny('fault', 'PolicyFault', 'colour')],
    ['a number that is rounded', { context: { n: 2 ** 53 } }, deny('fault', 'PolicyFault', '2^53')],
    ['a context that names the tenant', { context: { tenant: { type: 'Tenant', id: acme } } }, deny('fault', 'PolicyFault', 'tenant')],
    ['an assignee closes', { user: sam, resource: ticket('open', acme, { assignee: { type: 'User', id: sam } }) }, undefined],
    ['an owner gives a role', { user: olga, action: 'grant', resource: { type: 'Role', id: agent } }, undefined],
    [
      'not one that no policy names',
      { user: olga, action: 'grant', resource: { type: 'Role', id: auditor } },
      deny('policy', 'NotPermitted'),
    ],
    ['not a global one', { user: olga, action: 'grant', resource: { type: 'Role', id: support } }, deny('fault', 'PolicyFault')],
    ['not a deleted one', { user: olga, action: 'grant', resource: { type: 'Role', id: gone } }, deny('unknown', 'UnknownRole')],
    ['not one without an id', { user: olga, action: 'grant', resource: { type: 'Role', id: '' } }, deny('unknown', 'UnknownRole')],
    [
      'not one that no key can hold',
      { user: olga, action: 'grant', resource: { type: 'Role', id: '\u{10ffff}' } },
      deny('unknown', 'UnknownRole'),
    ],
    [
      'not one that no key has room for',
      { user: olga, action: 'grant', resource: { type: 'Role', id: 'x'.repeat(3000) } },
      deny('unknown', 'UnknownRole'),
    ],
  ])('%s', async (_, change, reason) => {
    const table = await open()
    const decider = decideAuthorization(engine)(table.runtime)
    const question = { ...closing, ...change }
    const can = await decider.can(question)
    const { chains, missing, ...why } = await decider.why(question)
    expect(can).toEqual(reason === undefined ? { allowed: true } : { allowed: false, reason })
    expect(why).toEqual(can)
    expect([chains.length > 0, missing.length > 0]).toEqual([can.allowed, !can.allowed])
  })

  test.each([
    ['the user', `USER#${ada}`, `USER#${ada}`, 'email', 'no address'],
    ['the tenant', `TENANT#${acme}`, `TENANT#${acme}`, 'status', 'odd'],
    ['the grant', `TENANT#${acme}`, `USER#${ada}`, 'roles', 'agent'],
    ['the role', 'ROLE_SCOPE#tenant', 'ROLE_NAME#agent', 'roleId', 'none'],
    ['the id of the role', `ROLE#${agent}`, `ROLE#${agent}`, 'scope', 'odd'],
  ])('%s, malformed, denies as a fault', async (_, PK, SK, attribute, value) => {
    const table = await open()
    await setLiterally(table.runtime, { PK, SK }, attribute, value)
    const decider = decideAuthorization(engine)(table.runtime)
    expect(await decider.can(closing)).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'MalformedItem' } })
  })

  test.each([
    ['the user', `USER#${ada}`, `USER#${ada}`],
    ['the tenant', `TENANT#${acme}`, `TENANT#${acme}`],
    ['the grant', `TENANT#${acme}`, `USER#${ada}`],
    ['the role', 'ROLE_SCOPE#tenant', 'ROLE_NAME#agent'],
  ])('%s, being deleted, grants nothing', async (_, PK, SK) => {
    const table = await open()
    await setLiterally(table.runtime, { PK, SK }, 'deleting', 'a job')
    expect(await decideAuthorization(engine)(table.runtime).can(closing)).toMatchObject({ allowed: false })
  })

  test.each([
    ['the role of a tenant among those of a user', `USER#${sam}`, `USER#${sam}`, 'tenant', 'support', { user: sam, action: 'viewTicket' }],
    ['a global role in a grant', `TENANT#${acme}`, `USER#${ada}`, 'global', 'agent', {}],
  ] as const)('%s gives nothing, though a role of the other scope has its name', async (_, PK, SK, scope, name, change) => {
    const table = await open()
    const { roleId } = await table.Role.create({ scope, name })
    await table.runtime.sender.send('UpdateItem', {
      ...{ TableName: table.runtime.table, Key: { PK: { S: PK }, SK: { S: SK } } },
      ...{ UpdateExpression: 'SET #roles = :roles', ExpressionAttributeNames: { '#roles': 'roles' } },
      ExpressionAttributeValues: { ':roles': { L: [{ S: roleId }] } },
    })
    const can = await decideAuthorization(engine)(table.runtime).can({ ...closing, ...change })
    expect(can).toEqual({ allowed: false, reason: deny('policy', 'NotPermitted') })
  })

  test('why names the policy with its text, the grant and the roles', async () => {
    const table = await open()
    const { chains } = await decideAuthorization(engine)(table.runtime).why(closing)
    expect(chains).toEqual([
      [
        expect.objectContaining({ step: 'user', as: { version: 1 } }),
        expect.objectContaining({ step: 'tenant', as: { status: 'active' } }),
        expect.objectContaining({ step: 'grant', id: { tenantId: acme, userId: ada }, as: { version: 1 } }),
        expect.objectContaining({ step: 'role', id: { scope: 'tenant', name: 'agent' }, as: { roleId: agent } }),
        expect.objectContaining({
          ...{ step: 'policy', id: { name: 'agents-work-on-tickets' } },
          message: expect.stringMatching(/^An agent works on the tickets of the tenant\.\n@id\("agents-work-on-tickets"\)/),
        }),
      ],
    ])
  })

  test('a guardrail that fails denies', async () => {
    const schema = files.schema.replace('  status: String,', '  status: String,\n  size: Long,')
    const failing = '@id("failing") forbid (principal, action, resource is Ticket) when { resource.size + 9223372036854775807 < 0 };'
    const broken = await localEngine({ schema, policies: new Map([...files.policies, ['more.cedar', failing]]) })
    const table = await open()
    const decider = decideAuthorization(broken)(table.runtime)
    const sized = (size: number) => decider.can({ ...closing, resource: ticket('open', acme, { size }) })
    expect(await sized(0)).toEqual({ allowed: true })
    expect(await sized(1)).toEqual({ allowed: false, reason: deny('fault', 'PolicyFault', 'failing fails') })
  })

  test('a list whose question does not fit the schema is an error: an empty page would say that nobody may', async () => {
    const table = await open()
    const decider = decideAuthorization(engine)(table.runtime)
    await expect(decider.who({ ...byAnyone, action: 'burn' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(decider.where({ user: olga, action: 'burn' })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

describe('flows of a module with policies', () => {
  test.each([
    ['an owner grants a role', olga, 'createGrant', { userId: nobody, tenantId: acme, roles: [agent] }, undefined],
    ['not one that no policy names', olga, 'createGrant', { userId: nobody, tenantId: acme, roles: [auditor] }, 'NotPermitted'],
    ['an agent grants nothing', ada, 'createGrant', { userId: nobody, tenantId: acme, roles: [] }, 'NotPermitted'],
    [
      'an owner of a suspended tenant grants nothing',
      ada,
      'createGrant',
      { userId: nobody, tenantId: asleep, roles: [] },
      'TenantNotActive',
    ],
    ['an owner renames the tenant', olga, 'renameTenant', { tenantId: rival, name: 'friend' }, undefined],
  ])('%s', async (_, caller, name, input, code) => {
    const { flows } = authorizationModuleWith({ policies: engine })
    const table = await open({ jobHandlers: flows.jobHandlers })
    await table.User.create({ userId: nobody, email: 'nobody@example.org' })
    const done = flows.run(table, name, input, { actor: { kind: 'user', user_id: caller } })
    if (code === undefined) await expect(done).resolves.toBeDefined()
    else await expect(done).rejects.toMatchObject({ code: 'Denied', details: { reason: code } })
    const granted = await table.TenantGrant.get({ tenantId: acme, userId: nobody }, { consistent: true })
    expect(granted?.roles).toEqual(name === 'createGrant' && code === undefined ? [agent] : undefined)
  })
})
