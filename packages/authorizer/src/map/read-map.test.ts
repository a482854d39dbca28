import { describe, expect, test } from 'vitest'
import { mapText } from '../../test/world.ts'
import { readAuthorizerMap } from './read-map.ts'

const replaced = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)
const route = (line: string) => replaced('routes:', `routes:\n  - { route: ${line}, action: a, resource: { type: T, id: x } }`)
const cached =
  (identity: string, change: (text: string) => string = (text) => text) =>
  (text: string) =>
    change(`${text.replace(/ {2}- field[\s\S]*$/, '')}cache: { ttl_s: 60, identity: [${identity}] }`)
const rest =
  'method.request.header.Authorization, context.httpMethod, context.path, method.request.header.x-tenant, method.request.header.X-Note'

describe('the map', () => {
  test('is read', () => {
    const { issuers, tenant, routes, fields, cache } = readAuthorizerMap(mapText())
    expect(issuers).toMatchObject([{ issuer: 'https://id.example.org/', user: { claim: 'sub' }, leeway_s: 5 }])
    expect(tenant).toEqual({ path: 'tenant', header: 'x-tenant', claim: 'tenant_id', host: ['', '.api.example.org'] })
    expect(routes.map(({ name }) => name)).toContain('POST /tenants/{tenant}/tickets/{ticket}/close')
    expect([...fields.keys()]).toContain('Mutation.closeTicket')
    expect(cache).toEqual({ ttl_s: 0, identity: [] })
  })

  test('takes an issuer in the words that maps had before, and several issuers', () => {
    const former = mapText((text) =>
      text
        .replace(/keys: (.*)/, 'keys: { inline: $1 }')
        .replace('leeway_s', 'tolerance_s')
        .replace('{ claim: sub }', 'sub'),
    )
    expect(readAuthorizerMap(former)).toEqual(readAuthorizerMap(mapText()))
    const fetched = mapText((text) => text.replace(/keys: .*/, 'keys: { jwks: https://id.example.org/jwks }').replace(/ {2}user.*\n/, ''))
    expect(readAuthorizerMap(fetched).issuers).toMatchObject([{ keys: 'https://id.example.org/jwks', user: { claim: 'sub' } }])
    const list = mapText((text) =>
      text.replace(/token:[\s\S]*?(?=\ntenant:)/, (one) => `token:\n  - ${one.slice(9).replaceAll('\n', '\n  ')}`),
    )
    expect(readAuthorizerMap(list)).toEqual(readAuthorizerMap(mapText()))
  })

  test.each([
    ['text that is no YAML', () => 'token: {', 'is not YAML'],
    ['a name that is given twice', replaced('routes:', 'routes: []\nroutes:'), 'is not YAML'],
    ['nothing', () => '', 'The map'],
    ['an unknown part', replaced('routes:', 'roots: 1\nroutes:'), 'roots'],
    ['no routes', replaced(/routes:[\s\S]*/, 'routes: []'), 'routes'],
    ['no token', replaced(/token:[\s\S]*?tenant:/, 'tenant:'), 'token'],
    ['no audience', replaced(/ {2}audience.*\n/, ''), 'token.audience'],
    ['an empty list of audiences', replaced(/audience.*/, 'audience: []'), 'token.audience'],
    ['no algorithm', replaced(/algorithms.*/, 'algorithms: []'), 'token.algorithms'],
    ['the algorithm none', replaced('RS256,', 'none,'), 'token.algorithms'],
    ['algorithms of both kinds', replaced('RS256,', 'HS256,'), 'token.algorithms has HS256, which the keys are not for'],
    ['a key pair for a secret', replaced(/keys: .*/, 'keys: secret'), 'token.algorithms has RS256, ES256, which the keys are not for'],
    ['a key set over http', replaced(/keys: .*/, 'keys: "http://id.example.org/jwks"'), 'token.keys'],
    ['a key set with a password', replaced(/keys: .*/, 'keys: "https://a:b@id.example.org/jwks"'), 'token.keys'],
    ['a secret in the key set', replaced(/keys: .*/, 'keys: { keys: [{ kty: oct, k: YQ }] }'), 'token.keys'],
    ['a private key in the key set', replaced('"kty":"RSA"', '"d":"YQ","kty":"RSA"'), 'token.keys'],
    ['a negative leeway', replaced('leeway_s: 5', 'leeway_s: -1'), 'token.leeway_s'],
    ['a leeway of hours', replaced('leeway_s: 5', 'leeway_s: 3600'), 'token.leeway_s'],
    ['no source of the tenant', replaced(/tenant: \{.*/, 'tenant: {}'), 'tenant names no source'],
    ['a host without the tenant', replaced('{tenant}.api', 'api'), 'tenant.host does not have {tenant} once'],
    ['a host with another variable', replaced('{tenant}.api', '{tenant}.{stage}'), 'tenant.host'],
    ['a route without a method', route('/tickets'), 'routes.0'],
    ['any method', route('ANY /tickets'), 'routes.0'],
    ['a path to connect to', route('CONNECT /tickets'), 'routes.0'],
    ['a greedy variable', route("'GET /{proxy+}'"), 'routes.0'],
    ['half a variable', route("'GET /t-{id}'"), 'routes.0 has the segment'],
    ['an encoded segment', route("'GET /a%2Fb'"), 'routes.0 has the segment'],
    ['a segment of dots', route("'GET /a/../b'"), 'routes.0 has the segment'],
    ['an empty segment', route("'GET /a//b'"), 'routes.0 has the segment'],
    ['a variable that stands twice', route("'GET /a/{id}/{id}'"), 'routes.0 names {id} twice'],
    ['a variable that is the user', route("'GET /a/{user}'"), 'routes.0 has {user} in its path'],
    [
      'a variable that is the tenant from elsewhere',
      (text: string) => text.replace('path: tenant', 'path: account'),
      'has {tenant} in its path',
    ],
    ['two routes for one path', route("'POST /tenants/{a}/tickets/{b}/close'"), 'which one path matches'],
    ['two routes for some path', route("'POST /tenants/x/tickets/{b}/{doing}'"), 'which one path matches'],
    ['one field twice', replaced('Mutation.closeArchived', 'Mutation.closeTicket'), 'Mutation.closeTicket, which another one has'],
    ['a field of no type', replaced('Mutation.closeTicket', 'Robot.closeTicket'), 'routes'],
    ['a variable that the path lacks', replaced("id: '{ticket}'", "id: '{tiket}'"), '{tiket}, which its path has not'],
    ['a brace too many', replaced("id: '{ticket}'", "id: '{ticket}}'"), 'has a brace'],
    ['a variable without a name', replaced("id: '{ticket}'", "id: '{}'"), 'names no variable'],
    ['an attribute that is null', replaced('status: open', 'status: null'), 'is null'],
    [
      'a context that names the tenant',
      replaced("id: '{tenant}' }\n", "id: '{tenant}' }\n    context: { tenant: x }\n"),
      'is added by freehold',
    ],
    ['a TTL of a day', (text: string) => `${text}cache: { ttl_s: 86400 }`, 'cache.ttl_s'],
    ['a TTL for AppSync', (text: string) => `${text}cache: { ttl_s: 1, identity: [$request.header.Authorization] }`, 'AppSync'],
    ['a TTL without the token', cached(rest.replace(/^[^,]*, /, '')), 'lack the token'],
    ['a TTL without the method', cached(rest.replace('context.httpMethod, ', '')), 'lack the method'],
    ['a TTL without the path', cached(rest.replace('context.path, ', '')), 'lack the path'],
    ['a TTL by the route alone', cached(rest.replace('context.path', '$context.routeKey')), 'lack the path'],
    ['a TTL without the header of the tenant', cached(rest.replace('method.request.header.x-tenant, ', '')), 'lack the header x-tenant'],
    ['a TTL without a header that is asked about', cached(rest.replace(', method.request.header.X-Note', '')), 'lack the header x-note'],
    ['a TTL without the host', cached(rest), 'lack the host'],
  ])('with %s is refused', (_, change, sentence) => {
    const read = () => readAuthorizerMap(mapText(change))
    expect(read).toThrow(expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining(sentence) }))
  })

  test('with a TTL names all that answers are kept by, in the words of either gateway', () => {
    const kept = readAuthorizerMap(mapText(cached(`${rest}, context.domainName`)))
    expect(kept.cache.ttl_s).toBe(60)
    const http = rest.replaceAll('method.request', '$request').replaceAll('context.', '$context.')
    expect(readAuthorizerMap(mapText(cached(`${http}, $context.domainName`))).cache.identity).toHaveLength(6)
  })

  test('may have a route that is more specific than another one', () => {
    const { routes } = readAuthorizerMap(mapText(route("'POST /tenants/{tenant}/tickets/mine/close'")))
    expect(routes[0]?.name).toBe('POST /tenants/{tenant}/tickets/mine/close')
  })
})
