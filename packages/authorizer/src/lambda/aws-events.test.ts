import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { httpEvent, httpEvent1, restEvent } from '../../test/shapes.ts'
import { tokenOf } from '../../test/tokens.ts'
import { mapText, tenants, users } from '../../test/world.ts'
import { createAuthorizer } from '../deciding/authorizer.ts'
import type { DecisionLine } from '../deciding/decision-log.ts'
import { readAuthorizerMap } from '../map/read-map.ts'
import { lambdaAuthorizer } from './lambda-authorizer.ts'

// The events of AWS's developer guides: input to an authorizer of type REQUEST of a REST API; payload formats 1.0 and 2.0 of an HTTP API; the route
// $connect of a WebSocket API; AWS_LAMBDA authorization of AppSync, whose guide leaves out the operations. Each is refused as it stands, and allowed with a token and a mapping. The example of
// format 2.0 mixes parts of two requests: it is allowed where they are those of one.

const now = new Date('2026-03-01T12:00:00Z')
const eventOf = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../test/events', `${name}.json`), 'utf8'))

const mapped = (where: string) => `
  - ${where}
    action: createTicket
    resource: { type: Tenant, id: '{tenant}' }
`
const guideMap = mapText((text) =>
  text.replace(
    /routes:[\s\S]*/,
    `routes:${['route: GET /request', 'route: CONNECT /', 'route: POST /my/path', 'field: Query.listEvents'].map(mapped).join('')}`,
  ),
)
const chains = [[{ step: 'role', entity: 'Role', id: { scope: 'tenant', name: 'agent' }, state: 'found', message: '' } as const]]

function answering(lines: DecisionLine[] = [], text = guideMap) {
  const map = readAuthorizerMap(text)
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
const connectArn = arn.replace('test/GET/request', 'default/$connect')
const connected = {
  ...policy,
  policyDocument: { ...policy.policyDocument, Statement: [{ ...policy.policyDocument.Statement[0], Resource: connectArn }] },
}
const unauthorized = { message: 'Unauthorized' }

test.each([
  ['rest-request', 'headers', policy, unauthorized],
  ['websocket-request', 'headers', connected, unauthorized],
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
  const oneRoute = name === 'http-2.0' ? { routeArn: arn.replace('test/GET/request', '$default/POST/my/path'), pathParameters: null } : {}
  const withToken =
    by === 'token'
      ? { ...event, authorizationToken: token }
      : { ...event, ...oneRoute, headers: { ...Object(headers), authorization: `Bearer ${token}` } }
  expect(await answering()(withToken)).toEqual(allowed)
})

describe('the route of a gateway', () => {
  const { acme } = tenants
  const mapped = (ticket: string) => `/tenants/${acme}/tickets/${ticket}/close`
  const [ticket, path] = ['t-1', mapped('t-1')]
  const close = '/tenants/{tenant}/tickets/{ticket}/close'
  const own = { tenant: acme, ticket: 't-1' }
  const headers: (readonly [string, string])[] = []
  beforeAll(async () => {
    headers.push(['Authorization', `Bearer ${await tokenOf(users.ada, now)}`])
  })
  const sent = (path: string) => ({ method: 'POST', path, query: '', host: 'api.example.com', headers })
  const arnOf = (stage: string, path: string, method = 'POST') =>
    `arn:aws:execute-api:us-east-1:123456789012:abcdef123/${stage}/${method}${path}`

  type Event = Readonly<Record<string, unknown>>
  /** Events of the three kinds; a path that is decoded stands as the gateway tells it. */
  const http2 = (path: string, more: Event = {}): Event => ({ ...httpEvent(sent(path), path), ...more })
  const http1 = (path: string, more: Event = {}): Event => ({ ...httpEvent1(sent(path)), path, methodArn: arnOf('test', path), ...more })
  const rest = (path: string, more: Event = {}): Event => ({ ...restEvent(sent(path)), ...more })
  /** The same behind a domain, with a stage. */
  const staged = (stage: string, event: Event): Event => ({ ...event, requestContext: { ...Object(event.requestContext), stage } })

  test.each<[name: string, event: () => Event, expected: string, base?: string]>([
    // What the gateway has decoded is not decoded again.
    ['2.0, a path that was encoded twice', () => http2(mapped('%41')), 'PathMalformed'],
    ['1.0, a path that was encoded twice', () => http1(mapped('%41')), 'PathMalformed'],
    ['2.0, a space that was encoded twice', () => http2(mapped('5%20off')), 'PathMalformed'],
    ['1.0, a space that was encoded twice', () => http1(mapped('5%20off')), 'PathMalformed'],
    ['REST, a path that was encoded twice', () => rest(mapped('%2541')), 'PathMalformed'],
    ['2.0, a percent sign', () => http2(mapped('100%')), 'asks 100%'],
    ['1.0, a percent sign', () => http1(mapped('100%')), 'asks 100%'],
    ['REST, a percent sign', () => rest(mapped('100%25')), 'asks 100%'],
    ['2.0, a space', () => http2(mapped('5 off')), 'asks 5 off'],
    [
      '2.0, a parameter as it was sent',
      () => http2(mapped('5 off'), { routeKey: `POST ${close}`, pathParameters: { ...own, ticket: '5%20off' } }),
      'asks 5 off',
    ],
    [
      '2.0, a parameter that is decoded',
      () => http2(mapped('5 off'), { routeKey: `ANY ${close}`, pathParameters: { ...own, ticket: '5 off' } }),
      'asks 5 off',
    ],
    ['REST, an ARN that is decoded', () => rest(mapped('5%20off'), { methodArn: arnOf('test', mapped('5 off')) }), 'asks 5 off'],
    [
      'REST, a parameter that is decoded',
      () => rest(mapped('5%20off'), { resource: close, pathParameters: { ...own, ticket: '5 off' } }),
      'asks 5 off',
    ],
    // Patterns
    ['2.0, an asterisk', () => http2(mapped('*')), 'EventMalformed'],
    ['2.0, an asterisk that the ARN encodes', () => http2(mapped('t*'), { routeArn: arnOf('$default', mapped('t%2A')) }), 'EventMalformed'],
    ['REST, an encoded asterisk', () => rest(mapped('%2A')), 'EventMalformed'],
    ['REST, an encoded question mark', () => rest(mapped('t%3F')), 'EventMalformed'],
    // The route that runs is the one that is asked about.
    [
      '2.0, a path that was cut at its ?',
      () => http2('/tickets/t-1/close', { routeKey: 'POST /tickets/{ticket}/close/{why}', pathParameters: { ticket, why: 'a%3F' } }),
      'PathMalformed',
    ],
    [
      '2.0, a longer route',
      () => http2('/tickets/t-1/close', { routeKey: 'POST /tickets/{ticket}/close/{why}', pathParameters: { ticket, why: 'a' } }),
      'EventMalformed',
    ],
    ['2.0, a route of another method', () => http2(path, { routeKey: `GET ${close}`, pathParameters: own }), 'EventMalformed'],
    [
      '2.0, another route',
      () => http2(path, { routeKey: `POST ${close.replace('close', 'rename')}`, pathParameters: own }),
      'EventMalformed',
    ],
    ['2.0, a route that is none', () => http2(path, { routeKey: 'close' }), 'EventMalformed'],
    [
      '2.0, a parameter with another value',
      () => http2(path, { routeKey: `POST ${close}`, pathParameters: { ...own, ticket: 't-2' } }),
      'EventMalformed',
    ],
    ['2.0, a parameter too many', () => http2(path, { routeKey: `POST ${close}`, pathParameters: { ...own, why: 'a' } }), 'EventMalformed'],
    ['2.0, a parameter that the route lacks', () => http2(path, { pathParameters: { tenant: tenants.rival } }), 'EventMalformed'],
    ['2.0, no parameters', () => http2(path, { routeKey: `POST ${close}` }), 'EventMalformed'],
    [
      '2.0, a parameter that is no text',
      () => http2(path, { routeKey: `POST ${close}`, pathParameters: { ...own, ticket: 7 } }),
      'EventMalformed',
    ],
    ['2.0, the rest of the path', () => http2(path, { routeKey: 'ANY /{proxy+}', pathParameters: { proxy: path.slice(1) } }), 'asks t-1'],
    [
      '2.0, the rest of another path',
      () => http2(path, { routeKey: 'ANY /{proxy+}', pathParameters: { proxy: mapped('t-2').slice(1) } }),
      'EventMalformed',
    ],
    ['2.0, an ARN of another method', () => http2(path, { routeArn: arnOf('$default', path, 'GET') }), 'EventMalformed'],
    ['2.0, an ARN of another stage', () => http2(path, { routeArn: arnOf('prod', path) }), 'EventMalformed'],
    ['2.0, an ARN of another path', () => http2(path, { routeArn: arnOf('$default', mapped('t-2')) }), 'EventMalformed'],
    ['2.0, an ARN of a part of the path', () => http2(path, { routeArn: arnOf('$default', '/close') }), 'EventMalformed'],
    ['2.0, an ARN of something else', () => http2(path, { routeArn: 'arn:aws:lambda:us-east-1:123456789012:function' }), 'EventMalformed'],
    ['1.0, another resource', () => http1(path, { resource: '/tickets/{ticket}/close', pathParameters: { ticket } }), 'EventMalformed'],
    ['1.0, an ARN of another path', () => http1(path, { methodArn: arnOf('test', mapped('t-2')) }), 'EventMalformed'],
    ['REST, its resource', () => rest(path, { resource: close, pathParameters: own }), 'asks t-1'],
    ['REST, another resource', () => rest(path, { resource: close.replace('close', 'rename'), pathParameters: own }), 'EventMalformed'],
    [
      'REST, a parameter with another value',
      () => rest(path, { resource: close, pathParameters: { ...own, tenant: tenants.rival } }),
      'EventMalformed',
    ],
    ['REST, an ARN of another method', () => rest(path, { methodArn: arnOf('test', path, 'GET') }), 'EventMalformed'],
    ['REST, an ARN of another stage', () => rest(path, { methodArn: arnOf('prod', path) }), 'EventMalformed'],
    ['REST, an ARN of another path', () => rest(path, { methodArn: arnOf('test', mapped('t-2')) }), 'EventMalformed'],
    // The stage, and the base path of a mapping
    ['2.0, a stage in the path', () => staged('dev', http2(`/dev${path}`, { routeArn: arnOf('dev', path) })), 'asks t-1'],
    ['2.0, a stage that the path lacks', () => staged('dev', http2(path, { routeArn: arnOf('dev', path) })), 'asks t-1'],
    ['2.0, a stage with which the path begins', () => staged('tenants', http2(path, { routeArn: arnOf('tenants', path) })), 'asks t-1'],
    ['2.0, what begins like the stage', () => staged('dev', http2(`/device${path}`, { routeArn: arnOf('dev', path) })), 'EventMalformed'],
    ['1.0, a stage in the path', () => staged('dev', http1(`/dev${path}`, { methodArn: arnOf('dev', path) })), 'asks t-1'],
    ['2.0, a base path that the ARN lacks', () => http2(`/v1${path}`, { routeArn: arnOf('$default', path) }), 'asks t-1', '/v1'],
    [
      '2.0, a stage and a base path',
      () => staged('dev', http2(`/dev/v1${path}`, { routeArn: arnOf('dev', `/v1${path}`) })),
      'asks t-1',
      '/v1',
    ],
    [
      'REST, a base path that the ARN lacks',
      () => rest(`/v1${path}`, { methodArn: arnOf('test', path), resource: close, pathParameters: own }),
      'asks t-1',
      '/v1',
    ],
    [
      'REST, a base path with the name of the stage',
      () => staged('v1', rest(`/v1${path}`, { methodArn: arnOf('v1', path), resource: close, pathParameters: own })),
      'asks t-1',
      '/v1',
    ],
    [
      'REST, a base path before the stage',
      () => rest(`/v1/test${path}`, { methodArn: arnOf('test', path), resource: close, pathParameters: own }),
      'asks t-1',
      '/v1',
    ],
    [
      'REST, a base path that is not of the map',
      () => rest(`/v2${path}`, { methodArn: arnOf('test', path), resource: close, pathParameters: own }),
      'EventMalformed',
      '/v1',
    ],
    [
      'REST, a base path where the map has none',
      () => rest(`/v1${path}`, { methodArn: arnOf('test', path), resource: close, pathParameters: own }),
      'EventMalformed',
    ],
    ['REST, no base path', () => rest(path), 'Unmapped', '/v1'],
  ])('%s', async (_, event, expected, base) => {
    const lines: DecisionLine[] = []
    const text = mapText((each) => (base === undefined ? each : each.replace('routes:', `base_path: ${base}\nroutes:`)))
    await answering(lines, text)(event()).catch(({ message }: Error) => expect(message).toBe('Unauthorized'))
    const [line] = lines
    expect(line?.reason?.code ?? `asks ${line?.asked[0]?.resource.id}`).toBe(expected)
  })
})

test.each<[string, object, object]>([
  ['another route', {}, { routeKey: 'sendMessage' }],
  ['a message', {}, { eventType: 'MESSAGE' }],
  ['another stage', {}, { stage: 'other' }],
  ['no stage', {}, { stage: undefined }],
  ['an ARN of another route', { methodArn: connectArn.replace('$connect', 'sendMessage') }, {}],
  ['an ARN of all routes', { methodArn: connectArn.replace('$connect', '*') }, {}],
  ['an ARN of a REST API', { methodArn: arn }, {}],
  ['an ARN of another service', { methodArn: connectArn.replace('execute-api', 'lambda') }, {}],
])('an event of a WebSocket API with %s is denied', async (_, changed, context) => {
  const { requestContext, headers, ...event } = eventOf('websocket-request')
  const token = await tokenOf(users.ada, now, { claims: { tenant_id: tenants.acme } })
  const lines: DecisionLine[] = []
  const answer = answering(lines)({
    ...{ ...event, headers: { ...Object(headers), Authorization: `Bearer ${token}` }, ...changed },
    requestContext: { ...Object(requestContext), ...context },
  })
  const denied = await answer.then(
    (told) => told,
    ({ message }: Error) => message,
  )
  expect(JSON.stringify(denied)).not.toContain('"Allow"')
  expect(lines).toMatchObject([{ allowed: false, reason: { code: 'EventMalformed' } }])
})
