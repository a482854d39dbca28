import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Issuer } from './issuer.ts'
import { readIssuers } from './issuer.ts'
import { type TokenOptions, tokenVerifier } from './token-verifier.ts'

const pairs = { one: await generateKeyPair('ES256'), two: await generateKeyPair('ES256'), rsa: await generateKeyPair('RS256') }
const keyOf = async (kid: keyof typeof pairs): Promise<JWK> => ({ ...(await exportJWK(pairs[kid].publicKey)), kid })
const keys = { keys: [await keyOf('one')] }
const address = 'https://id.example.org/keys'
const issuer: Issuer = { issuer: 'https://id.example.org/', audience: 'freehold', keys, algorithms: ['ES256'], user: { claim: 'sub' } }

let now_ms = 0
beforeEach(() => {
  now_ms = Date.parse('2026-01-01T00:00:00Z')
})
const now = () => new Date(now_ms)
const seconds = () => now_ms / 1000
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Token {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly signedBy?: keyof typeof pairs
  /** Changes the JSON of the claims, before it is signed. */
  readonly json?: (claims: string) => string
}
/** A valid token for ten minutes, but for what is said; undefined takes a claim away. */
function tokenOf({ claims = {}, header = {}, signedBy = 'one', json = (text) => text }: Token = {}): Promise<string> {
  const all = { iss: issuer.issuer, aud: 'freehold', sub: 'ada', exp: seconds() + 600, ...claims }
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const bytes = Buffer.from(json(JSON.stringify(payload)))
  return new CompactSign(bytes).setProtectedHeader({ alg: 'ES256', kid: signedBy, ...header }).sign(pairs[signedBy].privateKey)
}
const verifier = (more: Partial<Issuer> = {}, options: TokenOptions = {}) => tokenVerifier([{ ...issuer, ...more }], { now, ...options })
const as = (user: object, designs?: readonly string[]) => expect.objectContaining({ issuer: issuer.issuer, designs, user })
const ada = as({ id: 'ada' })
const codeOf = (verifying: Promise<unknown>) =>
  verifying.then(
    (token) => token ?? 'refused',
    (error: { code?: string }) => error.code,
  )

describe('a token', () => {
  test('of the issuer names its user by its claim, or by provider and subject', async () => {
    expect(await verifier()(await tokenOf())).toEqual(ada)
    expect(await verifier({ user: { claim: 'uid' } })(await tokenOf({ claims: { uid: 'u-1' } }))).toEqual(as({ id: 'u-1' }))
    expect(await verifier({ user: { provider: 'google' }, designs: ['rebac'] })(await tokenOf())).toEqual(
      as(expect.objectContaining({ provider: 'google', subject: 'ada', isAddressVerified: false }), ['rebac']),
    )
  })

  test.each<[string, Token]>([
    ['of another issuer', { claims: { iss: 'https://evil.example.org/' } }],
    ['without issuer', { claims: { iss: undefined } }],
    ['whose issuer is almost right', { claims: { iss: 'https://id.example.org' } }],
    ['for another audience', { claims: { aud: 'other' } }],
    ['for no audience', { claims: { aud: undefined } }],
    ['without end', { claims: { exp: undefined } }],
    ['without subject', { claims: { sub: undefined } }],
    ['whose subject is no text', { claims: { sub: 7 } }],
    ['whose subject is empty', { claims: { sub: '' } }],
    ['whose subject is no text, beside another claim for the user', { claims: { sub: 7, uid: 'ada' } }],
    ['whose subject has a control character', { claims: { sub: 'ada\u0000' } }],
    ['whose subject has half a pair', { claims: { sub: 'ada\ud800' } }],
    ['that ends at an infinite time', { json: (text) => text.replace(/"exp":\d+/, '"exp":1e999') }],
    ['whose end is in milliseconds', { claims: { exp: Date.parse('2026-02-01T00:00:00Z') } }],
    ['with a claim that is given twice', { json: (text) => text.replace('{', '{"sub":"root",') }],
    ['with a byte order mark', { json: (text) => `\ufeff${text}` }],
    ['signed by another key', { signedBy: 'two', header: { kid: 'one' } }],
    ['with an unknown key id', { signedBy: 'two' }],
    ['of another kind', { header: { typ: 'logout+jwt' } }],
    ['with a critical extension', { header: { crit: ['x'], x: 1 } }],
  ])('%s is refused', async (_, token) => {
    const text = await tokenOf(token).catch(() => `${encoded({ alg: 'ES256', crit: ['x'], x: 1 })}.${encoded({ iss: issuer.issuer })}.AAAA`)
    expect(await codeOf(verifier(token.claims?.uid === undefined ? {} : { user: { claim: 'uid' } })(text))).toBe('refused')
  })

  test('in another spelling is refused', async () => {
    const [header = '', claims, signature] = (await tokenOf()).split('.')
    // 64 bytes of a signature leave four bits of its last sign; no reader looks at them.
    const signs = 'AQgw'
    const at = signs.indexOf(signature?.at(-1) ?? '')
    const respelled = `${header}.${claims}.${signature?.slice(0, -1)}${'BRhx'[at]}`
    expect(await codeOf(verifier()(respelled))).toBe('refused')
  })

  test.each([
    ['none', (token: string) => `${encoded({ alg: 'none' })}.${token.split('.')[1]}.`],
    ['none, with a signature', (token: string) => `${encoded({ alg: 'none' })}.${token.split('.')[1]}.AAAA`],
    ['HS256 by the public key', (token: string) => `${encoded({ alg: 'HS256', kid: 'one' })}.${token.split('.')[1]}.AAAA`],
    ['RS256, which is not accepted', (token: string) => `${encoded({ alg: 'RS256', kid: 'one' })}.${token.split('.')[1]}.AAAA`],
  ])('with the algorithm %s is refused', async (_, change) => {
    expect(await codeOf(verifier()(change(await tokenOf())))).toBe('refused')
  })

  test.each(['', '.', '..', 'a.b', 'a.b.c', 'e30.e30.e30', `${'a'.repeat(9_000)}.b.c`, 'a.b.c.d', 'é.b.c'])(
    'that is %j is refused',
    async (text) => {
      expect(await codeOf(verifier()(text))).toBe('refused')
    },
  )

  test('holds from its start to its end by the clock of the service, with a leeway', async () => {
    const verify = verifier({}, { leeway_s: 30 })
    const token = await tokenOf({ claims: { nbf: seconds() + 100, exp: seconds() + 200 } })
    for (const [at_s, expected] of [
      [69, 'refused'],
      [70, ada],
      [229, ada],
      [230, 'refused'],
    ] as const) {
      now_ms = Date.parse('2026-01-01T00:00:00Z') + at_s * 1000
      expect([at_s, await codeOf(verify(token))]).toEqual([at_s, expected])
    }
  })
})

describe('the keys of an issuer', () => {
  /** Answers with what is set, and counts. */
  function issuerAt() {
    const state = { requests: 0, answer: async () => Response.json(keys) as Response }
    const fetching: typeof fetch = async () => {
      state.requests++
      return state.answer()
    }
    return { state, verify: verifier({ keys: address }, { fetch: fetching }) }
  }

  test('are fetched once for tokens side by side, and again after ten minutes', async () => {
    const { state, verify } = issuerAt()
    const token = await tokenOf({ claims: { exp: seconds() + 3_600 } })
    expect(await Promise.all(Array.from({ length: 20 }, () => verify(token)))).toEqual(Array(20).fill(ada))
    expect(state.requests).toBe(1)
    now_ms += 599_999
    await verify(token)
    expect(state.requests).toBe(1)
    // The issuer has withdrawn the key meanwhile.
    state.answer = async () => Response.json({ keys: [await keyOf('two')] })
    now_ms += 1
    expect(await codeOf(verify(token))).toBe('refused')
    expect(state.requests).toBe(2)
  })

  test('are fetched again for an unknown key id, at most each thirty seconds', async () => {
    const { state, verify } = issuerAt()
    await verify(await tokenOf())
    state.answer = async () => Response.json({ keys: [...keys.keys, await keyOf('two')] })
    now_ms += 29_999
    const rotated = await tokenOf({ signedBy: 'two' })
    expect([await codeOf(verify(rotated)), state.requests]).toEqual(['refused', 1])
    now_ms += 1
    expect([await codeOf(verify(rotated)), state.requests]).toEqual([ada, 2])
    for (const kid of ['x', 'y', 'z']) expect(await codeOf(verify(await tokenOf({ header: { kid } })))).toBe('refused')
    expect(state.requests).toBe(2)
  })

  test.each<[string, () => Promise<Response>]>([
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers with an error', async () => new Response('', { status: 500 })],
    ['answers with no JSON', async () => new Response('<html>')],
    [
      'answers with bytes that are not UTF-8',
      async () => new Response(Buffer.from(JSON.stringify({ ...keys, name: 'M\xfcnchen' }), 'latin1')),
    ],
    ['answers with no keys', async () => Response.json({})],
    ['answers with too much', async () => new Response(JSON.stringify({ keys: [], more: 'x'.repeat(300_000) }))],
  ])('that %s are unavailable, which is told and not asked again at once', async (_, answer) => {
    const { state, verify } = issuerAt()
    state.answer = answer
    const token = await tokenOf()
    for (let time = 0; time < 3; time++) expect(await codeOf(verify(token))).toBe('Unavailable')
    expect(state.requests).toBe(1)
    state.answer = async () => Response.json(keys)
    now_ms += 2_000
    expect(await codeOf(verify(token))).toEqual(ada)
  })

  test('that are held go on, while a new fetch fails for an unknown key id', async () => {
    const { state, verify } = issuerAt()
    const token = await tokenOf()
    await verify(token)
    state.answer = () => Promise.reject(new TypeError('fetch failed'))
    now_ms += 60_000
    expect(await codeOf(verify(await tokenOf({ signedBy: 'two' })))).toBe('Unavailable')
    expect(await codeOf(verify(token))).toEqual(ada)
  })

  test('are not asked for by tokens of other issuers', async () => {
    const { state, verify } = issuerAt()
    await verify(await tokenOf({ claims: { iss: 'https://evil.example.org/' } }))
    expect(state.requests).toBe(0)
  })
})

test.each<[string, unknown]>([
  ['no list', {}],
  ['no object', ['https://id.example.org/']],
  ['no issuer', [{ ...issuer, issuer: ' ' }]],
  ['no audience', [{ ...issuer, audience: [] }]],
  ['an address without TLS', [{ ...issuer, keys: 'http://id.example.org/keys' }]],
  ['no keys', [{ ...issuer, keys: {} }]],
  ['no algorithm', [{ ...issuer, algorithms: [] }]],
  ['an algorithm by a shared secret', [{ ...issuer, algorithms: ['ES256', 'HS256'] }]],
  ['the algorithm none', [{ ...issuer, algorithms: ['none'] }]],
  ['no user', [{ ...issuer, user: {} }]],
  ['the e-mail address as user', [{ ...issuer, user: { claim: 'email' } }]],
  ['two ways to a user', [{ ...issuer, user: { claim: 'sub', provider: 'google' } }]],
  ['an unknown member', [{ ...issuer, secret: 'x' }]],
  ['the same issuer twice', [issuer, issuer]],
])('issuers with %s are refused', (_, given) => {
  expect(() => readIssuers(given)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  expect(readIssuers([issuer])).toEqual([issuer])
})
