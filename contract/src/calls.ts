import createClient from 'openapi-fetch'
import type { paths as Account } from '../dist/generated/account-management.ts'
import type { paths as Authorization } from '../dist/generated/authorization.ts'
import type { paths as Platform } from '../dist/generated/platform.ts'
import type { paths as Rebac } from '../dist/generated/rebac.ts'

// Eight calls of each design by a client that openapi-typescript has typed: this file compiles only if the document tells what the service takes and gives.

const [, , baseUrl = '', key = ''] = process.argv
const how = { baseUrl, headers: { Authorization: `Bearer ${key}` } }

/** Counts a call, and ends the program at one that went otherwise. */
function held(what: string, isAsWanted: boolean): void {
  process.stdout.write(`${isAsWanted ? 'ok' : 'NOT OK'} ${what}\n`)
  if (!isAsWanted) process.exitCode = 1
}

async function rebac(): Promise<void> {
  const client = createClient<Rebac>(how)
  const asked = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
  const can = await client.POST('/v1/rebac/can', { body: asked })
  held('rebac.can', can.data?.allowed === true)
  const many = await client.POST('/v1/rebac/can/many', { body: { questions: [asked, { ...asked, page: 'none' }] } })
  held('rebac.canMany', many.data?.answers.map(({ allowed }) => allowed).join() === 'true,false')
  const why = await client.POST('/v1/rebac/why', { body: asked })
  held('rebac.why', why.data?.chains[0]?.[0]?.step === 'user')
  const first = await client.POST('/v1/rebac/what', { body: { user: asked.user, location: asked.location, limit: 1 } })
  const cursor = first.data?.cursor ?? null
  const second = await client.POST('/v1/rebac/what', { body: { user: asked.user, location: asked.location, limit: 1, cursor } })
  held('rebac.what, two pages', first.data?.items.length === 1 && second.data !== undefined && cursor !== null)
  const who = await client.POST('/v1/rebac/who', { body: { location: asked.location, page: asked.page } })
  held('rebac.who', (who.data?.items[0]?.displayName.length ?? 0) > 0)
  const pages = await client.POST('/v1/rebac/patterns/pages', { body: { limit: 1 } })
  held('rebac.query.pages', pages.data?.items[0]?.Type === 'PageEntry')
  const none = await client.GET('/v1/rebac/entities/Role', { params: { query: { roleName: 'none' } } })
  held('rebac.getRole, a problem', none.error?.code === 'NotFound')
  const wrong = await client.POST('/v1/rebac/flows/createRole', { body: { roleName: 'x'.repeat(5000) } })
  held('rebac.createRole, a problem', wrong.error !== undefined && wrong.response.status === 400)
}

async function accounts(): Promise<void> {
  const client = createClient<Account>(how)
  const permission = { module: 'devices', action: 'reboot', resource: 'camera' }
  const asked = { user: 'grace@acme.example', building: 'ac000000-0000-4000-8000-000000000003' }
  const can = await client.POST('/v1/account-management/can', { body: { ...asked, permission } })
  held('accounts.can', can.data?.allowed === true)
  const many = await client.POST('/v1/account-management/can/many', { body: { questions: [{ ...asked, permission }] } })
  held('accounts.canMany', many.data?.answers[0]?.allowed === true)
  const why = await client.POST('/v1/account-management/why', { body: { ...asked, user: 'tom@acme.example', permission } })
  held('accounts.why', why.data?.allowed === false && why.data.missing.length > 0)
  const what = await client.POST('/v1/account-management/what', { body: { ...asked, limit: 1 } })
  held('accounts.what', what.data?.items[0]?.permission.module !== undefined)
  const access = await client.POST('/v1/account-management/access', { body: asked })
  held('accounts.access', (access.data?.grants.length ?? 0) > 0)
  const made = await client.POST('/v1/account-management/flows/createClient', { body: { name: 'Harbour' } })
  held('accounts.createClient', made.data !== undefined && 'Type' in made.data && made.data.Type === 'Client')
  const none = await client.POST('/v1/account-management/flows/createClient', { body: { name: 'Quay', as: 'nobody@example.org' } })
  held('accounts.createClient, a problem', none.error?.code === 'Denied')
  const zones = await client.POST('/v1/account-management/patterns/zonesOfBuilding', { body: { building_id: asked.building } })
  held('accounts.query.zonesOfBuilding', zones.data?.items.every(({ entity }) => entity === 'Zone') === true)
}

async function platform(): Promise<void> {
  const client = createClient<Platform>(how)
  const asked = { user: 'ada@example.org', account: 'acme', workstream: 'research', menu: 'dashboard', action: 'edit' } as const
  const can = await client.POST('/v1/platform/can', { body: asked })
  held('platform.can', can.data?.allowed === true)
  const many = await client.POST('/v1/platform/can/many', { body: { questions: [asked] } })
  held('platform.canMany', many.data?.answers.length === 1)
  const why = await client.POST('/v1/platform/why', { body: asked })
  held('platform.why', (why.data?.chains.length ?? 0) > 0)
  const accounts = await client.GET('/v1/platform/entities/Account', { params: { query: { id: 'acme' } } })
  held('platform.getAccount', accounts.data?.Type === 'Account')
  const users = await client.POST('/v1/platform/patterns/usersOfAccount', { body: { accountId: 'acme', limit: 1 } })
  held('platform.query.usersOfAccount', users.data?.items.length === 1)
  const none = await client.GET('/v1/platform/entities/Account', { params: { query: { id: 'none' } } })
  held('platform.getAccount, a problem', none.error?.code === 'NotFound')
  const wrong = await client.POST('/v1/platform/patterns/usersOfAccount', { body: { accountId: 'acme', cursor: 'AAAA' } })
  held('platform.query.usersOfAccount, a problem', wrong.error?.code === 'InvalidCursor')
  const decided = await client.POST('/authzen/platform/access/v1/evaluation', {
    body: {
      subject: { type: 'user', id: asked.user },
      action: { name: 'dashboard:edit' },
      resource: { type: 'workstream', id: 'acme/research' },
    },
  })
  held('platform.authzen.evaluate', typeof decided.data?.decision === 'boolean')
}

async function authorization(): Promise<void> {
  const client = createClient<Authorization>(how)
  const tenant = '01ACME00000000000000000000'
  const ticket = { type: 'Ticket', id: 't-1', attributes: { status: 'open', tenant: { type: 'Tenant', id: tenant } } }
  const asked = { user: 'ada@acme.example', tenant, action: 'closeTicket', resource: ticket }
  const can = await client.POST('/v1/authorization/can', { body: asked })
  held('authorization.can', can.data?.allowed === true)
  const many = await client.POST('/v1/authorization/can/many', { body: { questions: [asked, asked] } })
  held('authorization.canMany', many.data?.answers.length === 2)
  const why = await client.POST('/v1/authorization/why', { body: { ...asked, user: 'nobody@acme.example' } })
  held('authorization.why', why.data?.reason?.kind === 'unknown')
  const found = await client.GET('/v1/authorization/entities/Tenant', { params: { query: { tenantId: tenant } } })
  held('authorization.getTenant', found.data?.Type === 'Tenant')
  const grants = await client.POST('/v1/authorization/patterns/grantsOfTenant', { body: { tenantId: tenant, limit: 1 } })
  held('authorization.query.grantsOfTenant', grants.data?.items.length === 1)
  const none = await client.GET('/v1/authorization/entities/Tenant', { params: { query: { tenantId: '01NACME0000000000000000000' } } })
  held('authorization.getTenant, a problem', none.error?.code === 'NotFound')
  const wrong = await client.POST('/v1/authorization/patterns/grantsOfTenant', { body: { tenantId: tenant, limit: 1001 } })
  held('authorization.query.grantsOfTenant, a problem', wrong.error?.code === 'InvalidInput')
  const page = await client.POST('/v1/authorization/flows/grantsOfTenant', { body: { tenantId: tenant } })
  held('authorization.grantsOfTenant', (page.data?.items.length ?? 0) > 0)
}

for (const design of [rebac, accounts, platform, authorization]) await design()
