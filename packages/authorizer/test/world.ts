import { type AuthorizationDecider, authorization, decideAuthorization } from '@freehold/designs/authorization'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { localEngine } from '@freehold/frame/cedar'
import { removeLiterally, setLiterally } from '../../designs/test/literal-items.ts'
import { ownTableOf } from '../../designs/test/own-table.ts'
import { audience, issuer, keySet } from './tokens.ts'

export { engineSender } from '../../designs/test/own-table.ts'

const id = (kind: 'A' | 'B' | 'C', number: number) => `01H${kind}${String(number).padStart(22, '0')}`
export const users = { ada: id('A', 1), sam: id('A', 2), mia: id('A', 3), broken: id('A', 4), deleting: id('A', 5), nobody: id('A', 9) }
export const tenants = { acme: id('B', 1), rival: id('B', 2), asleep: id('B', 3), nowhere: id('B', 9) }
const roles = { agent: id('C', 1), support: id('C', 2), gone: id('C', 9) }

const of = (end: string) => Object.entries(starterFiles).filter(([name]) => name.endsWith(end))
export const policyFiles = { policies: new Map(of('.cedar')), schema: starterFiles['schema.cedarschema'] ?? '' }
export const policies = await localEngine(policyFiles)

/** Ada is an agent of acme; of rival she has a role that is deleted; asleep is suspended. Mia is a member of acme without roles. Sam has no grant. */
export async function openWorld(): Promise<{
  readonly decider: AuthorizationDecider
  readonly table: Awaited<ReturnType<typeof openTable>>
}> {
  const table = await openTable()
  return { decider: decideAuthorization(policies)(table.runtime), table }
}

async function openTable() {
  const table = await ownTableOf(authorization)
  await table.Role.create({ roleId: roles.agent, name: 'agent', scope: 'tenant' })
  await table.Role.create({ roleId: roles.gone, name: 'gone', scope: 'tenant' })
  await table.Role.create({ roleId: roles.support, name: 'support', scope: 'global' })
  await table.Tenant.create({ tenantId: tenants.acme, name: 'acme' })
  await table.Tenant.create({ tenantId: tenants.rival, name: 'rival' })
  await table.Tenant.create({ tenantId: tenants.asleep, name: 'asleep', status: 'suspended' })
  for (const name of ['ada', 'sam', 'mia', 'broken', 'deleting'] as const)
    await table.User.create({ userId: users[name], email: `${name}@example.org`, roles: name === 'sam' ? [roles.support] : [] })
  const grants = [
    [users.ada, tenants.acme, roles.agent],
    [users.ada, tenants.rival, roles.gone],
    [users.ada, tenants.asleep, roles.agent],
    [users.mia, tenants.acme],
    [users.broken, tenants.acme, roles.agent],
    [users.deleting, tenants.acme, roles.agent],
  ] as const
  for (const [userId, tenantId, ...held] of grants) await table.TenantGrant.create({ userId, tenantId, roles: [...held] })
  await removeLiterally(table.runtime, 'ROLE_SCOPE#tenant', 'ROLE_NAME#gone')
  await removeLiterally(table.runtime, `ROLE#${roles.gone}`, `ROLE#${roles.gone}`)
  await setLiterally(table.runtime, { PK: `USER#${users.broken}`, SK: `USER#${users.broken}` }, 'email', 'no address')
  await setLiterally(table.runtime, { PK: `USER#${users.deleting}`, SK: `USER#${users.deleting}` }, 'deleting', 'a job')
  return table
}

const ticket = (id: string, more = '') => `
    action: closeTicket
    resource: { type: Ticket, id: '${id}', attributes: { status: open, tenant: { __entity: { type: Tenant, id: '{tenant}' } }${more} } }`

/** The map of the tests, with some of its lines changed. */
export const mapText = (change: (text: string) => string = (text) => text): string =>
  change(`
token:
  issuer: ${issuer}
  audience: ${audience}
  algorithms: [RS256, ES256]
  keys: ${JSON.stringify(keySet)}
  leeway_s: 5
  user: { claim: sub }
tenant: { path: tenant, header: X-Tenant, claim: tenant_id, host: '{tenant}.api.example.org' }
routes:
  - route: POST /tenants/{tenant}/tickets/{ticket}/close${ticket('{ticket}')}
  - route: POST /tenants/{tenant}/tickets/{ticket}/archived${ticket('{ticket}').replace('open', 'archived')}
  - route: POST /tickets/{ticket}/close${ticket('{ticket}')}
  - route: POST /noted/{ticket}${ticket('{header.x-note}')}
  - route: POST /team/{ticket}${ticket('{claim.team}')}
  - route: POST /sized/{ticket}${ticket('{ticket}', ", size: '{claim.size}'")}
  - route: GET /tenants/{tenant}/tickets
    action: createTicket
    resource: { type: Tenant, id: '{tenant}' }
  - field: Mutation.closeTicket${ticket('{ticket}')}
  - field: Mutation.closeArchived${ticket('{ticket}').replace('open', 'archived')}
  - field: Mutation.closeNoted${ticket('{header.x-note}')}
  - field: Mutation.closeTeam${ticket('{claim.team}')}
  - field: Mutation.closeInput${ticket('{input.ticket}')}
  - field: Mutation.closeSized${ticket('{ticket}', ", size: '{claim.size}'")}
`)
