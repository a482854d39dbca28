import { readFileSync } from 'node:fs'
import { createAuthorizer, lambdaAuthorizer, readAuthorizerMap } from '@freehold/authorizer'
import { type Issuer, readIssuers, tokenVerifier, type VerifiedPerson } from '@freehold/frame/issuers'
import { createService } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import { shapes } from '../../packages/authorizer/test/shapes.ts'
import { policies, tenants } from '../../packages/authorizer/test/world.ts'
import { tokenCodes } from '../../packages/frame/src/issuers/token-refusal.ts'
import { pageAt, root, sectionOf } from '../docs/pages.ts'
import { ada, encoded, headerOf, now, ownKey, signed } from './signed.ts'
import { vendorsTokens } from './vendors.ts'

const guide = pageAt('docs/guides/issuers.md')
/** The event of AWS's developer guide. */
const connecting = JSON.parse(readFileSync(`${root}/packages/authorizer/test/events/websocket-request.json`, 'utf8'))

/** The settings of a section, word for word. */
const settingsIn = (section: string): readonly Issuer[] => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(sectionOf(guide, `## ${section}`)) ?? []
  return readIssuers(JSON.parse(json))
}
const tokenOf = ({ header, claims }: (typeof vendorsTokens)[number], changed: Readonly<Record<string, unknown>> = {}) =>
  signed(`${encoded(headerOf(header))}.${encoded(JSON.stringify({ ...claims, ...changed }))}`, 'own')

/** A vendor: metadata at the well-known address of its issuer, and keys. It counts its requests. */
function vendor() {
  const asked: string[] = []
  const fetching: typeof fetch = async (input) => {
    const address = String(input)
    asked.push(address)
    const [issuer, rest] = address.split('/.well-known/')
    if (rest !== 'openid-configuration') return Response.json({ keys: [ownKey] })
    // Auth0 alone has a name with a slash at its end.
    const name = address.includes('auth0') ? `${issuer}/` : issuer
    return Response.json({ issuer: name, jwks_uri: `${issuer}/keys` })
  }
  return { asked, fetch: fetching, now: () => now }
}

describe.each(vendorsTokens)('an $name', (one) => {
  const issuers = settingsIn(one.section)

  test('names its person by the settings of the guide', async () => {
    const { user } = await tokenVerifier(issuers, vendor())(await tokenOf(one))
    expect(user).toEqual(expect.objectContaining(one.person))
  })

  test('is taken by the service, which asks its issuer twice at first and then no more', async () => {
    const { asked, ...tokens } = vendor()
    const service = createService({ tables: new Map(), keys: { verify: async () => undefined }, log: () => {}, issuers, tokens })
    const headers = { Authorization: `Bearer ${await tokenOf(one)}` }
    for (let time = 0; time < 3; time++) expect((await service.request('/v1', { headers })).status).toBe(200)
    expect(asked).toHaveLength(2)
  })

  const authorizerOf = (seen: VerifiedPerson[]) => {
    const { asked: _, ...options } = vendor()
    const map = readAuthorizerMap(`
token: ${JSON.stringify(issuers)}
tenant: { path: tenant, header: X-Tenant }
routes:
  - { route: 'GET /{tenant}', action: createTicket, resource: { type: Tenant, id: '{tenant}' } }
  - { route: 'CONNECT /', action: createTicket, resource: { type: Tenant, id: '{tenant}' } }
  - { field: Query.tickets, action: createTicket, resource: { type: Tenant, id: '{tenant}' } }`)
    return createAuthorizer({
      ...{ map, policies, log: () => {}, ...options },
      decider: { why: async ({ user }) => ({ allowed: user === ada, chains: [], missing: [] }) },
      identify: async (person) => {
        seen.push(person)
        return ada
      },
    })
  }

  test.each(Object.entries(shapes))('is taken by the authorizer of %s, which finds its user', async (_, shape) => {
    const seen: VerifiedPerson[] = []
    const sent = {
      ...{ method: 'GET', path: `/${tenants.acme}`, query: `{ tickets(tenant: "${tenants.acme}") { id } }`, host: 'api.example.com' },
      headers: [['Authorization', `Bearer ${await tokenOf(one)}`]] as const,
    }
    expect(await shape.ask(authorizerOf(seen), sent)).toMatchObject({ allowed: true, status: 200 })
    expect(seen).toEqual([expect.objectContaining(one.person)])
  })

  test('is taken by the authorizer of a WebSocket API', async () => {
    const seen: VerifiedPerson[] = []
    const headers = { Authorization: `Bearer ${await tokenOf(one)}`, 'X-Tenant': tenants.acme }
    const answer = lambdaAuthorizer(authorizerOf(seen))({ ...connecting, headers, multiValueHeaders: undefined })
    expect(await answer).toMatchObject({ policyDocument: { Statement: [{ Effect: 'Allow', Resource: connecting.methodArn }] } })
    expect(seen).toEqual([expect.objectContaining(one.person)])
  })
})

test.each<[string, number, Readonly<Record<string, unknown>>, string]>([
  ['an access token of another application of the pool', 1, { client_id: 'other' }, 'ClientWrong'],
  ['an id token of another application of the pool', 0, { aud: 'other' }, 'AudienceWrong'],
  ['a token of Auth0 that is for its user information alone', 2, { aud: 'https://acme.us.auth0.com/userinfo' }, 'AudienceWrong'],
  ['a token of Auth0 that another application asked for', 2, { azp: 'other' }, 'ClientWrong'],
  [
    'a token of another tenant of Entra',
    4,
    { iss: 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0' },
    'IssuerWrong',
  ],
  ['a token of Entra whose tenant is none of its issuers', 4, { tid: '72f988bf-86f1-41af-91ab-2d7cd011db47' }, 'TenantWrong'],
  ['a token of Entra, v1.0', 4, { iss: 'https://sts.windows.net/9122040d-6c67-4c5b-b112-36a304b66dad/', ver: '1.0' }, 'IssuerWrong'],
  ['a token of Entra without a person', 4, { oid: undefined }, 'ClaimMissing'],
  ['a private account at Google', 5, { hd: undefined }, 'TenantWrong'],
  ['an account of another organisation at Google', 5, { hd: 'evil.example' }, 'TenantWrong'],
])('%s is refused', async (_, at, changed, code) => {
  const one = vendorsTokens[at]
  if (one === undefined) throw new Error('There is no such token.')
  const verifying = tokenVerifier(settingsIn(one.section), vendor())(await tokenOf(one, changed))
  await expect(verifying).rejects.toMatchObject({ code })
})

test('a token of one vendor is not verified by the keys of another, whatever it says', async () => {
  const all = ['Cognito', 'Auth0', 'Microsoft Entra ID', 'Google'].flatMap(settingsIn)
  for (const one of vendorsTokens) {
    const forged = await signed(`${encoded(headerOf(one.header))}.${encoded(JSON.stringify(one.claims))}`, 'second')
    await expect(tokenVerifier(all, vendor())(forged)).rejects.toMatchObject({ code: 'SignatureInvalid' })
  }
})

test('the guide has each code of a refused token, and no other', () => {
  const rows = sectionOf(guide, '## Why a token is refused').match(/^\| `.*? \|/gm) ?? []
  expect(rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, code]) => code)).sort()).toEqual([...tokenCodes].sort())
})
