import { createAuthorizer, type DecisionLine, readAuthorizerMap } from '@freehold/authorizer'
import { type Issuer, TokenRefusal } from '@freehold/frame/issuers'
import { type AccessLine, createService } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import { claimGuards, headerGuards } from '../../packages/frame/src/issuers/guards.ts'
import { type Verification, verification, verifierBy } from '../../packages/frame/src/issuers/token-verifier.ts'
import { type HostileToken, hostileTokens, tokenOf } from './hostile-tokens.ts'
import { ada, issuer, now, second } from './signed.ts'

const issuersOf = ({ issuer: of }: Partial<HostileToken>): readonly Issuer[] => [{ ...issuer, ...of }, second]
const told = (lines: readonly unknown[], token: string) => {
  const text = JSON.stringify(lines)
  return token.split('.').filter((part) => part.length > 8 && text.includes(part))
}

async function atService(one: Partial<HostileToken>, token: string) {
  const lines: AccessLine[] = []
  const service = createService({
    ...{ tables: new Map(), keys: { verify: async () => undefined }, log: (line: AccessLine) => void lines.push(line) },
    ...{ issuers: issuersOf(one), tokens: { now: () => now } },
  })
  const { status, headers, ...answer } = await service
    .request('/v1', { headers: { Authorization: `Bearer ${encodeURI(token)}` } })
    .then(async (response) => ({
      ...{ status: response.status, headers: response.headers },
      // The id of the request is another one each time.
      body: (await response.text()).replace(/urn:uuid:[\w-]+/, ''),
    }))
  return { status, challenge: headers.get('www-authenticate'), ...answer, reason: lines[0]?.reason, told: told(lines, token) }
}

const map = readAuthorizerMap(`
token: { issuer: https://id.example.org/, audience: tickets, algorithms: [RS256], keys: https://id.example.org/keys }
tenant: { path: tenant }
routes: [{ route: 'GET /{tenant}', action: read, resource: { type: Tenant, id: '{tenant}' } }]`)

async function atAuthorizer(one: Partial<HostileToken>, token: string) {
  const lines: DecisionLine[] = []
  const authorizer = createAuthorizer({
    map: { ...map, issuers: issuersOf(one), cache: { ttl_s: one.lasts_s ?? 0, identity: [] } },
    ...{ decider: { why: async () => ({ allowed: true, chains: [], missing: [] }) }, identify: async () => ada },
    ...{ log: (line: DecisionLine) => void lines.push(line), now: () => now },
  })
  const asked = { method: 'GET', path: '/01HB0000000000000000000001' }
  const header = (name: string) => (name === 'authorization' ? [`Bearer ${encodeURI(token)}`] : [])
  const { allowed } = await authorizer.authorize({ header, asked })
  return { allowed, reason: lines[0]?.reason, told: told(lines, token) }
}

/** The code by which a verification refuses a token. Tests leave one of its parts out. */
async function codeBy(with_: Verification, one: HostileToken, token: string): Promise<string> {
  try {
    await verifierBy(with_, issuersOf(one), { now: () => now, ...(one.lasts_s === undefined ? {} : { lasts_s: one.lasts_s }) })(token)
    return 'taken'
  } catch (error) {
    return error instanceof TokenRefusal ? error.code : 'failed'
  }
}

test('the token that the cases change is taken by service and authorizer', async () => {
  const token = await tokenOf()
  expect(await atService({}, token)).toMatchObject({ status: 200, reason: undefined })
  expect(await atAuthorizer({}, token)).toMatchObject({ allowed: true, reason: undefined })
})

test.each(hostileTokens)('$name: $code', async (one) => {
  const token = await tokenOf(one)
  if (one.lasts_s === undefined) {
    const { reason, ...answer } = await atService(one, token)
    expect(reason).toBe(one.isNoToken ? undefined : one.code)
    // The sender learns nothing of the fault.
    const sentence = one.isNoToken ? 'API key' : 'token'
    expect(answer).toEqual({
      ...{ status: 401, challenge: 'Bearer realm="freehold", error="invalid_token"', told: [] },
      body: expect.stringContaining(`This ${sentence} is not valid here.`),
    })
  }
  expect(await atAuthorizer(one, token)).toMatchObject({ allowed: false, reason: { kind: 'token', code: one.code }, told: [] })
})

test('an instant in milliseconds is told as such', async () => {
  const { reason } = await atAuthorizer({}, await tokenOf({ claims: { exp: now.getTime() } }))
  expect(reason?.message).toBe('The claim exp of the token is in milliseconds: RFC 7519 has seconds.')
})

test('the table has at least 120 tokens, each with a name of its own, and every code but that of missing keys', () => {
  expect(hostileTokens.length).toBeGreaterThanOrEqual(120)
  expect(new Set(hostileTokens.map(({ name }) => name)).size).toBe(hostileTokens.length)
})

describe('a verifier without', () => {
  /** JSON as others read it: the last of two names, whatever the spelling. */
  const lenient = (text: string) => {
    const [header, claims] = text.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    try {
      return { header: JSON.parse(header ?? ''), claims: JSON.parse(claims ?? '') }
    } catch {
      return undefined
    }
  }
  const without: Readonly<Record<string, Partial<Verification>>> = {
    'one reading': { read: lenient },
    signature: { signature: async () => undefined },
    ...Object.fromEntries(
      Object.entries(headerGuards).map(([name, guard]) => [name, { header: verification.header.filter((one) => one !== guard) }]),
    ),
    ...Object.fromEntries(
      Object.entries(claimGuards).map(([name, guard]) => [name, { claims: verification.claims.filter((one) => one !== guard) }]),
    ),
  }

  test.each(Object.entries(without))('%s refuses some token otherwise, or takes it', async (_, part) => {
    const turned: string[] = []
    for (const one of hostileTokens) {
      const code = await codeBy({ ...verification, ...part }, one, await tokenOf(one))
      if (code !== one.code) turned.push(`${one.name}: ${code}`)
    }
    expect(turned).not.toEqual([])
  })
})
