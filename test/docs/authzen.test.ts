import { randomUUID } from 'node:crypto'
import { accountManagementModule } from '@freehold/designs/account-management'
import { authorizationModuleWith } from '@freehold/designs/authorization'
import { platformModule } from '@freehold/designs/platform'
import { rebacModule } from '@freehold/designs/rebac'
import { policiesOf } from '@freehold/frame/cedar'
import { operator } from '@freehold/frame/flow'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { loadAccount } from '../../packages/cli/src/sample/load-account.ts'
import { loadOrganisation } from '../../packages/cli/src/sample/load-organisation.ts'
import { createService } from '../../packages/service/src/index.ts'
import { engineSender } from '../engine/endpoint.ts'
import { exchangeOf, sent, shownAnswer } from './exchange.ts'
import { blocksOf, pageAt } from './pages.ts'

// Its blocks of the language `http` are sent in their order, to the samples of `npm start` and to the building of the guide.

const page = pageAt('docs/reference/authzen.md')
const exchanges = blocksOf(page)
  .filter(({ language }) => language === 'http')
  .map(exchangeOf)

const sender = engineSender()
const [client_id, project_id, id, role_id, user_id] = ['1', '2', '3', '4', '5'].map(
  (digit) => `${digit}0000000-0000-4000-8000-000000000000`,
)
const building = [
  ['createClient', { id: client_id, name: 'Acme' }],
  ['createProject', { id: project_id, client_id, name: 'Harbour' }],
  ['createBuilding', { id, project_id, name: 'Pier 4' }],
  ['createRole', { id: role_id, client_id, name: 'technician', permissions: ['devices:read:*', 'devices:reboot:camera'] }],
  ['inviteUser', { id: user_id, client_id, email: 'ada@example.org', user_type: 'external_customer' }],
  ['acceptInvitation', { id: user_id, first_name: 'Ada' }],
  ['assignRole', { user_id, role_id, scope_type: 'project', scope_id: project_id }],
] as const

const cedar = blocksOf(page)
  .filter(({ language }) => language === 'cedar')
  .map(({ text }, at) => `@id("shown-${at}") ${text}`)
const policies = new Map([
  [
    'schema.cedarschema',
    `entity Tenant, Role, GlobalRole;
entity User in [Role, GlobalRole];
entity record = { status?: String };
action read, delete appliesTo { principal: User, resource: record, context: { tenant: Tenant, soft?: Bool } };`,
  ],
  ['records.cedar', [...cedar, '@id("readers") permit (principal, action == Action::"read", resource);'].join('\n')],
])

const table = `authzen-${randomUUID()}`
const open = { sender, table }
const accounts = connect(accountManagementModule.design, { ...open, jobHandlers: accountManagementModule.flows.jobHandlers })
const deciding = authorizationModuleWith({ policies: await policiesOf(policies) })
const users = connect(deciding.design, { ...open, table: `${table}-authorization` })
const all = [
  { module: rebacModule, table: connect(rebacModule.design, { ...open, table: `${table}-rebac` }) },
  { module: platformModule, table: connect(platformModule.design, { ...open, table: `${table}-platform` }) },
  { module: accountManagementModule, table: accounts },
  { module: deciding, table: users },
] as const
for (const each of all) await ensureTable(each.table.runtime)
await loadOrganisation(all[0].table)
await loadAccount(all[1].table)
for (const [flow, input] of building) await accountManagementModule.flows.run(accounts, flow, input, { actor: operator })
const { tenantId } = await users.Tenant.create({ name: 'acme' })
const { roleId } = await users.Role.create({ name: 'writer', scope: 'tenant' })
for (const [name, roles] of Object.entries({ alice: [roleId], bob: [] })) {
  const { userId } = await users.User.create({ email: `${name}@example.org`, preferredUsername: name })
  await users.TenantGrant.create({ tenantId, userId, roles })
}
for (const id of ['record-1', 'record-2']) await users.Resource.create({ tenantId, type: 'record', id })
const tables = new Map(all.map((each) => [each.module.design.name, each]))
const app = createService({ tables, keys: { verify: async () => 'key' }, log: () => {}, publicUrl: 'https://pdp.example.com' })

test.each(exchanges)('authzen.md: $start, in line $line', async (exchange) => {
  expect(await sent(exchange, app, 'key')).toEqual(shownAnswer(exchange))
})
