import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tokenOf } from '../../test/tokens.ts'
import { mapText, tenants, users } from '../../test/world.ts'
import { createAuthorizer } from '../deciding/authorizer.ts'
import type { DecisionLine } from '../deciding/decision-log.ts'
import { readAuthorizerMap } from '../map/read-map.ts'
import { lambdaAuthorizer } from './lambda-authorizer.ts'

// The events of AWS's developer guides: input to an authorizer of type REQUEST of a REST API; payload formats 1.0 and 2.0 of an HTTP API; AWS_LAMBDA
// authorization of AppSync, whose guide leaves out the operations. Each is refused as it stands, and allowed with a token and a mapping.

const now = new Date('2026-03-01T12:00:00Z')
const eventOf = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../test/events', `${name}.json`), 'utf8'))

const mapped = (where: string) => `
  - ${where}
    action: createTicket
    resource: { type: Tenant, id: '{tenant}' }
`
const map = readAuthorizerMap(
  mapText((text) =>
    text.replace(
      /routes:[\s\S]*/,
      `routes:${['route: GET /request', 'route: POST /my/path', 'field: Query.listEvents'].map(mapped).join('')}`,
    ),
  ),
)
const chains = [[{ step: 'role', entity: 'Role', id: { scope: 'tenant', name: 'agent' }, state: 'found', message: '' } as const]]

function answering(lines: DecisionLine[] = []) {
  const decider = { why: async () => ({ allowed: true, chains, missing: [] }) }
  return lambdaAuthorizer(createAuthorizer({ map, decider, log: (line) => lines.push(line), now: () => now }))
}

const arn = 'arn:aws:execute-api:us-east-1:123456789012:abcdef123/test/GET/request'
const context = { userId: users.ada, tenantId: tenants.acme, roles: '["agent"]', globalRoles: '[]', decisionId: expect.any(String) }
const policy = {
  principalId: users.ada,
  policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: arn }] },
  context,
}
const unauthorized = { message: 'Unauthorized' }

test.each([
  ['rest-request', 'headers', policy, unauthorized],
  ['http-1.0', 'headers', policy, unauthorized],
  ['http-2.0', 'headers', { isAuthorized: true, context }, { isAuthorized: false }],
  ['appsync', 'token', { isAuthorized: true, resolverContext: context, ttlOverride: 0 }, { isAuthorized: false, ttlOverride: 0 }],
])('%s', async (name, by, allowed, refused) => {
  const event = eventOf(name)
  const lines: DecisionLine[] = []
  const asIs = await answering(lines)(event).catch(({ message }: Error) => ({ message }))
  expect(asIs).toEqual(refused)
  expect(lines).toMatchObject([{ allowed: false, reason: { kind: 'token' } }])

  const token = await tokenOf(users.ada, now, { claims: { tenant_id: tenants.acme } })
  const { headers } = event
  const withToken =
    by === 'token'
      ? { ...event, authorizationToken: token }
      : { ...event, headers: { ...Object(headers), authorization: `Bearer ${token}` } }
  expect(await answering()(withToken)).toEqual(allowed)
})
