import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { appSyncEvent, httpEvent, restEvent, type Sent, shapes } from '../test/shapes.ts'
import { tokenOf } from '../test/tokens.ts'
import { engineSender, mapText, openWorld, policies, tenants, users } from '../test/world.ts'
import {
  appSyncAuthorizer,
  createAuthorizer,
  type DecisionLine,
  httpApiAuthorizer,
  httpApiIamAuthorizer,
  lambdaAuthorizer,
  openAuthorizer,
  readAuthorizerMap,
  restApiAuthorizer,
} from './index.ts'

const now = new Date('2026-03-01T12:00:00Z')
type World = Awaited<ReturnType<typeof openWorld>>
const world: { open?: World } = {}
world.open = await openWorld()

function authorizerOf(change?: (text: string) => string, lines: DecisionLine[] = []) {
  if (world.open === undefined) throw new Error('There is no world.')
  const { decider } = world.open
  return createAuthorizer({ map: readAuthorizerMap(mapText(change)), decider, policies, log: (line) => lines.push(line), now: () => now })
}

const { acme } = tenants
const path = `/tenants/${acme}/tickets/t-1/close`
async function sent(more: Partial<Sent> = {}, headers: Sent['headers'] = [], token = {}): Promise<Sent> {
  const query = `mutation { closeTicket(tenant: "${acme}", ticket: "t-1") { id } }`
  const authorization = `Bearer ${await tokenOf(users.ada, now, token)}`
  return { method: 'POST', path, query, host: 'api.example.com', headers: [['Authorization', authorization], ...headers], ...more }
}

const context = { userId: users.ada, tenantId: acme, roles: '["agent"]', globalRoles: '[]', decisionId: expect.any(String) }
const policyFor = (Resource: string) => ({
  principalId: users.ada,
  policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource }] },
  context,
})

describe('an allowed request', () => {
  test('is answered by each face as its gateway expects, for what was asked and nothing else', async () => {
    const authorizer = authorizerOf()
    const request = await sent()
    const arn = `arn:aws:execute-api:us-east-1:123456789012:abcdef123/test/POST${path}`
    expect(await restApiAuthorizer(authorizer)(restEvent(request))).toEqual(policyFor(arn))
    expect(await httpApiIamAuthorizer(authorizer)(httpEvent(request))).toEqual(policyFor(arn.replace('/test/', '/$default/')))
    expect(await httpApiAuthorizer(authorizer)(httpEvent(request))).toEqual({ isAuthorized: true, context })
    expect(await appSyncAuthorizer(authorizer)(appSyncEvent(request))).toEqual({
      isAuthorized: true,
      resolverContext: context,
      ttlOverride: 0,
    })
    const { told } = (await shapes.Hono?.ask(authorizer, request)) ?? {}
    expect(JSON.parse((told as { body: string }).body)).toEqual({
      ...{ id: expect.any(String), user: users.ada, tenant: acme, roles: ['agent'], globalRoles: [] },
    })
  })

  test('stands in the log with the question and the policies, under the id that the integration has', async () => {
    const lines: DecisionLine[] = []
    const answer = await httpApiAuthorizer(authorizerOf(undefined, lines))(httpEvent(await sent()))
    expect(lines).toEqual([
      {
        ...{
          time: now.toISOString(),
          decision: answer.context?.decisionId,
          request: 'http-request',
          allowed: true,
          ms: expect.any(Number),
        },
        ...{ user: users.ada, tenant: acme },
        asked: [
          {
            ...{ at: 'POST /tenants/{tenant}/tickets/{ticket}/close', action: 'closeTicket', resource: { type: 'Ticket', id: 't-1' } },
            ...{ allowed: true, policies: ['agents-work-on-tickets'] },
          },
        ],
      },
    ])
  })

  const route = 'POST /tenants/{tenant}/tickets/{ticket}/close'
  test.each([
    ['an id that is encoded, decoded once', { path: path.replace('t-1', 'caf%C3%A9%20%231') }, [], {}, 'café #1', undefined],
    ['ids in lower case', { path: path.replace(acme, acme.toLowerCase()) }, [], {}, 't-1', undefined],
    ['a header that agrees', {}, [['x-tenant', acme]], {}, 't-1', undefined],
    ['a claim that agrees', {}, [], { claims: { tenant_id: acme } }, 't-1', undefined],
    [
      'a tenant by its host alone',
      { path: '/tickets/t-1/close', host: `${acme.toLowerCase()}.api.example.org:443` },
      [],
      {},
      't-1',
      undefined,
    ],
    ['several audiences, one of which is meant', {}, [], { claims: { aud: ['invoices', 'tickets'] } }, 't-1', undefined],
    ['the other key of the issuer', {}, [], { header: { alg: 'ES256', kid: 'two' }, signedBy: 'ES256' }, 't-1', undefined],
    ['a token of the type at+jwt', {}, [], { header: { typ: 'at+jwt' } }, 't-1', undefined],
    ['a clock within the tolerance', {}, [], { claims: { nbf: Math.floor(now.getTime() / 1000) + 5 } }, 't-1', undefined],
    ['a base path', { path: `/v1${path}` }, [], {}, 't-1', (text: string) => text.replace('routes:', 'base_path: /v1\nroutes:')],
    [
      'a note as its id',
      { path: '/noted/x' },
      [
        ['X-Tenant', acme],
        ['X-Note', 'n-7'],
      ],
      {},
      'n-7',
      undefined,
    ],
  ] as const)('may have %s', async (_, more, headers, token, id, change) => {
    for (const [name, { asks, ask }] of Object.entries(shapes)) {
      if (asks !== 'paths') continue
      const lines: DecisionLine[] = []
      const answer = await ask(authorizerOf(change, lines), await sent(more, headers, token))
      expect({ name, allowed: answer.allowed, reason: lines[0]?.reason }).toEqual({ name, allowed: true, reason: undefined })
      expect(lines[0]?.asked[0]?.resource.id).toBe(id)
    }
  })

  test('asks with each member of a list, of the map and of a claim, and with no other list or object', async () => {
    const asked: unknown[] = []
    const decider = { why: async (question: unknown) => ({ allowed: asked.push(question) > 0, chains: [], missing: [] }) }
    const text = mapText((map) => map.replace('status: open,', "status: [open, '{ticket}'], teams: '{claim.teams}',"))
    const authorizer = httpApiAuthorizer(createAuthorizer({ map: readAuthorizerMap(text), decider, now: () => now, log: () => {} }))
    const allows = async (teams: unknown) => (await authorizer(httpEvent(await sent({}, [], { claims: { teams } })))).isAuthorized
    expect([await allows(['a', 2, true]), await allows([['a']]), await allows({ a: 'b' })]).toEqual([true, false, false])
    expect(asked).toMatchObject([{ resource: { attributes: { status: ['open', 't-1'], teams: ['a', 2, true] } } }])
  })

  test('of two routes that match asks the more specific one', async () => {
    const lines: DecisionLine[] = []
    const more = route.replace('{ticket}', 'mine')
    const change = (text: string) => `${text}  - route: ${more}\n    action: createTicket\n    resource: { type: Tenant, id: '{tenant}' }\n`
    await httpApiAuthorizer(authorizerOf(change, lines))(httpEvent(await sent({ path: path.replace('t-1', 'mine') })))
    expect(lines[0]?.asked[0]).toMatchObject({ at: more, action: 'createTicket' })
  })

  test.each([
    [
      'several fields, by aliases and fragments',
      `mutation { a: closeTicket(tenant: "${acme}", ticket: "1") { id } ...F } fragment F on Mutation { closeTicket(tenant: "${acme}", ticket: "2") { id } }`,
      {},
      ['1', '2'],
    ],
    [
      'an argument that is an object, of which the map takes a part',
      `mutation { closeInput(tenant: "${acme}", input: { ticket: "7", note: "x" }) { id } }`,
      {},
      ['7'],
    ],
    [
      'a variable that is an object',
      `mutation($i: In) { closeInput(tenant: "${acme}", input: $i) { id } }`,
      { variables: { i: { ticket: '8' } } },
      ['8'],
    ],
    ['a default', `mutation($t: ID = "9") { closeTicket(tenant: "${acme}", ticket: $t) { id } }`, {}, ['9']],
    ['a whole number as an id', `mutation { closeTicket(tenant: "${acme}", ticket: 10) { id } }`, {}, ['10']],
    [
      'the operation that is named, and no other',
      `mutation A { purge } mutation B { closeTicket(tenant: "${acme}", ticket: "11") { id } }`,
      { operationName: 'B' },
      ['11'],
    ],
  ])('of AppSync may have %s', async (_, query, more, ids) => {
    const lines: DecisionLine[] = []
    const answer = await appSyncAuthorizer(authorizerOf(undefined, lines))(appSyncEvent(await sent({ query, ...more })))
    expect([answer.isAuthorized, lines[0]?.reason]).toEqual([true, undefined])
    expect(lines[0]?.asked.map(({ resource }) => resource.id)).toEqual(ids)
  })
})

describe('a policy', () => {
  test.each(['*', '?', '$' + '{aws:username}'])('is never for many methods: %s in a path', async (pattern) => {
    const lines: DecisionLine[] = []
    const request = await sent({ path: path.replace('t-1', pattern) })
    const authorizer = authorizerOf(undefined, lines)
    await expect(restApiAuthorizer(authorizer)(restEvent(request))).rejects.toThrow(/^Unauthorized$/)
    await expect(httpApiIamAuthorizer(authorizer)(httpEvent(request))).rejects.toThrow(/^Unauthorized$/)
    expect(await httpApiAuthorizer(authorizer)(httpEvent(request))).toEqual({ isAuthorized: false })
    // The log tells what the client got.
    const denied = { allowed: false, reason: { code: 'EventMalformed' } }
    expect(lines).toMatchObject([denied, denied, denied])
  })

  test('is for the method of the event, also if the event has none', async () => {
    const { methodArn: _, ...event } = restEvent(await sent())
    await expect(restApiAuthorizer(authorizerOf())(event)).rejects.toThrow(/^Unauthorized$/)
  })
})

describe('an event', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'event'],
    ['a list', []],
    ['an event of another kind', { Records: [] }],
    ['an authorizer of type TOKEN', { type: 'TOKEN', authorizationToken: 'Bearer x', methodArn: 'arn:aws:execute-api:x' }],
    ['a WebSocket', { type: 'REQUEST', methodArn: 'arn:aws:execute-api:x', headers: {}, requestContext: { eventType: 'CONNECT' } }],
  ])('that is %s is refused, and stands in the log', async (_, event) => {
    const lines: DecisionLine[] = []
    await expect(lambdaAuthorizer(authorizerOf(undefined, lines))(event)).rejects.toThrow(/^Unauthorized$/)
    expect(lines).toMatchObject([{ allowed: false }])
  })

  test('that names two hosts names no tenant by them', async () => {
    const lines: DecisionLine[] = []
    const hosts = [acme, tenants.rival].map((tenant) => `${tenant}.api.example.org`)
    const { multiValueHeaders, requestContext, ...event } = restEvent(await sent({ host: 'none' }))
    const { domainName: _, ...context } = requestContext
    const two = { ...event, requestContext: context, multiValueHeaders: { ...multiValueHeaders, Host: hosts } }
    expect(await restApiAuthorizer(authorizerOf(undefined, lines))(two)).toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Deny' }] },
    })
    expect(lines[0]?.reason?.code).toBe('TenantMalformed')
  })

  test('that does not say what is asked for is denied with a valid token, too', async () => {
    const lines: DecisionLine[] = []
    const { path: _, ...event } = restEvent(await sent())
    expect(await restApiAuthorizer(authorizerOf(undefined, lines))(event)).toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Deny' }] },
    })
    expect(lines[0]?.reason?.code).toBe('EventMalformed')
  })

  test('whose gateway has decoded the path is denied by the parameter that shows it', async () => {
    const event = httpEvent(await sent())
    const [route, parameters] = ['POST /tenants/{tenant}/tickets/{ticket}/close', { tenant: acme, ticket: 'a/b' }]
    const lines: DecisionLine[] = []
    const answer = await httpApiAuthorizer(authorizerOf(undefined, lines))({ ...event, routeKey: route, pathParameters: parameters })
    expect([answer, lines[0]?.reason?.code]).toEqual([{ isAuthorized: false }, 'PathMalformed'])
  })
})

describe('the table', () => {
  test('is asked once by a warm request, and three times by the first', async () => {
    const table = world.open?.table.runtime.table ?? ''
    const map = readAuthorizerMap(mapText())
    const authorizer = openAuthorizer({ map, policies, log: () => {}, now: () => now, table, sender: engineSender() })
    const event = httpEvent(await sent())
    const asked = async () => {
      const { result, cost } = await meter(() => httpApiAuthorizer(authorizer)(event))
      return [result.isAuthorized, cost.roundTrips]
    }
    expect(await asked()).toEqual([true, 3])
    expect(await asked()).toEqual([true, 1])
    authorizer.close()
  })

  test('that cannot be reached denies', async () => {
    const lines: DecisionLine[] = []
    const dynamo = { endpoint: 'http://127.0.0.1:1' }
    const how = { patience_ms: 200, attempt_ms: 100, log: (line: DecisionLine) => lines.push(line), now: () => now }
    const authorizer = openAuthorizer({ map: readAuthorizerMap(mapText()), policies, dynamo, ...how })
    expect(await httpApiAuthorizer(authorizer)(httpEvent(await sent()))).toEqual({ isAuthorized: false })
    expect(lines).toMatchObject([
      { allowed: false, user: users.ada, reason: { kind: 'fault', code: 'StorageFault', cause: 'Unavailable' } },
    ])
    authorizer.close()
  })
})

test('policies that lack an action of the map are refused at the start', () => {
  expect(() => authorizerOf((text) => text.replace('action: closeTicket', 'action: burn'))).toThrow(
    'burn, which the schema has not for Ticket',
  )
})
