import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ClaimNames, Issuer } from './issuer.ts'
import { readIssuers } from './issuer.ts'
import { issuerPort } from './issuer-metadata.ts'
import { secretOf } from './shared-secret.ts'
import { tokenVerifier, type VerifierOptions } from './token-verifier.ts'

const pairs = { one: await generateKeyPair('ES256'), two: await generateKeyPair('ES256'), rsa: await generateKeyPair('RS256') }
const keyOf = async (kid: keyof typeof pairs): Promise<JWK> => ({ ...(await exportJWK(pairs[kid].publicKey)), kid })
const keys = { keys: [await keyOf('one')] }
const address = 'https://id.example.org/keys'
const issuerName = 'https://id.example.org/'
const issuer: Issuer = { issuer: issuerName, audience: 'freehold', keys, algorithms: ['ES256'], user: { claim: 'sub' } }

let now_ms = 0
beforeEach(() => {
  now_ms = Date.parse('2026-01-01T00:00:00Z')
})
const now = () => new Date(now_ms)
const seconds = () => now_ms / 1000

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
const verifier = (more: Partial<Issuer> = {}, options: VerifierOptions = {}) => tokenVerifier([{ ...issuer, ...more }], { now, ...options })
const as = (user: object, designs?: readonly string[]) => expect.objectContaining({ issuer: issuer.issuer, designs, user })
const ada = as({ id: 'ada' })
const codeOf = (verifying: Promise<unknown>) =>
  verifying.then(
    (token) => token,
    (error: { code?: string }) => error.code,
  )

describe('a token', () => {
  test('of the issuer names its user by its claim, or by provider and subject', async () => {
    expect(await verifier()(await tokenOf())).toEqual(ada)
    expect(await verifier({ user: { claim: 'uid' } })(await tokenOf({ claims: { uid: 'u-1' } }))).toEqual(as({ id: 'u-1' }))
    expect(await verifier({ user: { provider: 'google' }, designs: ['rebac'] })(await tokenOf())).toEqual(
      as(expect.objectContaining({ provider: 'google', subject: 'ada', isAddressVerified: false, firstSight: 'refuse' }), ['rebac']),
    )
  })

  test.each([
    ['the service', {}, 30],
    ['its issuer', { leeway_s: 30 }, 3],
  ])('holds from its start to its end by the clock of the service, with a leeway: that of %s', async (_, own, leeway_s) => {
    const verify = verifier(own, { leeway_s })
    const token = await tokenOf({ claims: { nbf: seconds() + 100, exp: seconds() + 200 } })
    for (const [at_s, expected] of [
      [69, 'TokenNotYetValid'],
      [70, ada],
      [229, ada],
      [230, 'TokenExpired'],
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
    // A clock that was set back says nothing of their age.
    now_ms -= 600_000
    await verify(token)
    expect(state.requests).toBe(2)
    now_ms += 599_999
    // The issuer has withdrawn the key meanwhile.
    state.answer = async () => Response.json({ keys: [await keyOf('two')] })
    now_ms += 1
    expect(await codeOf(verify(token))).toBe('KeyUnknown')
    expect(state.requests).toBe(3)
  })

  test('are fetched again for an unknown key id, at most each thirty seconds', async () => {
    const { state, verify } = issuerAt()
    await verify(await tokenOf())
    state.answer = async () => Response.json({ keys: [...keys.keys, await keyOf('two')] })
    now_ms += 29_999
    const rotated = await tokenOf({ signedBy: 'two' })
    expect([await codeOf(verify(rotated)), state.requests]).toEqual(['KeyUnknown', 1])
    now_ms += 1
    expect([await codeOf(verify(rotated)), state.requests]).toEqual([ada, 2])
    for (const kid of ['x', 'y', 'z']) expect(await codeOf(verify(await tokenOf({ header: { kid } })))).toBe('KeyUnknown')
    expect(state.requests).toBe(2)
  })

  test.each<[string, () => Promise<Response>]>([
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers with an error', async () => Response.json(keys, { status: 500 })],
    ['answers with no JSON', async () => new Response('<html>')],
    [
      'answers with bytes that are not UTF-8',
      async () => new Response(Buffer.from(JSON.stringify({ ...keys, name: 'M\xfcnchen' }), 'latin1')),
    ],
    ['answers with no keys', async () => Response.json({})],
    ['answers with a key that is given twice', async () => new Response(`{"keys":[],${JSON.stringify(keys).slice(1)}`)],
    ['answers with too much', async () => new Response(JSON.stringify({ keys: [], more: 'x'.repeat(300_000) }))],
  ])('that %s are unavailable, which is told and not asked again at once', async (_, answer) => {
    const { state, verify } = issuerAt()
    state.answer = answer
    const token = await tokenOf()
    for (let time = 0; time < 3; time++) expect(await codeOf(verify(token))).toBe('KeysUnavailable')
    expect(state.requests).toBe(1)
    now_ms -= 1
    expect([await codeOf(verify(token)), state.requests]).toEqual(['KeysUnavailable', 2])
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
    expect(await codeOf(verify(await tokenOf({ signedBy: 'two' })))).toBe('KeysUnavailable')
    expect(await codeOf(verify(token))).toEqual(ada)
  })

  test.each<[string, object]>([
    ['another algorithm', { alg: 'ES384' }],
    ['encryption', { use: 'enc' }],
    ['signing alone', { key_ops: ['sign'] }],
  ])('are not used where one is for %s', async (_, of) => {
    const { state, verify } = issuerAt()
    state.answer = async () => Response.json({ keys: [{ ...keys.keys[0], ...of }] })
    expect(await codeOf(verify(await tokenOf()))).toBe('KeyUnknown')
  })

  test.each<[string, string, 'taken' | 'KeyUnknown']>([
    ['this issuer', issuerName, 'taken'],
    ['any tenant of it', 'https://{tenantid}.example.org/', 'taken'],
    ['another issuer', 'https://evil.example.org/', 'KeyUnknown'],
    ['almost this issuer', 'https://id.example.org', 'KeyUnknown'],
    ['any tenant elsewhere', 'https://evil.example.org/{tenantid}/', 'KeyUnknown'],
    ['any tenant of another', 'https://{tenantid}.evil.org/', 'KeyUnknown'],
  ])('that say that they are of %s', async (_, name, expected) => {
    const { state, verify } = issuerAt()
    state.answer = async () => Response.json({ keys: [{ ...keys.keys[0], issuer: name }] })
    expect(await codeOf(verify(await tokenOf()))).toEqual(expected === 'taken' ? ada : expected)
  })

  test.each<[string, readonly (keyof typeof pairs)[], string | undefined]>([
    ['several without ids', ['one', 'two'], undefined],
    ['two with one id', ['one', 'two'], 'one'],
  ])('are not guessed among %s', async (_, names, kid) => {
    const { state, verify } = issuerAt()
    state.answer = async () => Response.json({ keys: await Promise.all(names.map(async (name) => ({ ...(await keyOf(name)), kid }))) })
    expect(await codeOf(verify(await tokenOf({ header: { kid } })))).toBe('KeyUnknown')
    // Other keys would not help.
    now_ms += 30_000
    expect([await codeOf(verify(await tokenOf({ header: { kid } }))), state.requests]).toEqual(['KeyUnknown', 1])
  })

  test('are not asked for by tokens of other issuers', async () => {
    const { state, verify } = issuerAt()
    expect(await codeOf(verify(await tokenOf({ claims: { iss: 'https://evil.example.org/' } })))).toBe('IssuerWrong')
    expect(state.requests).toBe(0)
  })
})

describe('an issuer whose keys are found by its metadata', () => {
  const told = { issuer: issuer.issuer, jwks_uri: address }
  function discovered(metadata: object, of: Partial<Issuer> = {}) {
    const asked: string[] = []
    const fetching: typeof fetch = async (input) => {
      asked.push(String(input))
      return Response.json(String(input) === address ? keys : metadata)
    }
    return { asked, verify: verifier({ keys: undefined, ...of }, { fetch: fetching }) }
  }

  test('is asked for them once, then for its keys', async () => {
    const { asked, verify } = discovered(told)
    for (let time = 0; time < 3; time++) expect(await codeOf(verify(await tokenOf()))).toEqual(ada)
    expect(asked).toEqual(['https://id.example.org/.well-known/openid-configuration', address])
  })

  test('has the first of several names', async () => {
    const { verify } = discovered(told, { issuer: [issuerName, 'id.example.org'] })
    expect(await codeOf(verify(await tokenOf({ claims: { iss: 'id.example.org' } })))).toMatchObject({ issuer: 'id.example.org' })
  })

  test.each<[string, object]>([
    ['of another issuer', { ...told, issuer: 'https://evil.example.org/' }],
    ['of almost this issuer', { ...told, issuer: 'https://id.example.org' }],
    ['without an issuer', { jwks_uri: address }],
    ['without an address of keys', { issuer: issuer.issuer }],
    ['with keys over http', { ...told, jwks_uri: 'http://id.example.org/keys' }],
    ['with keys on this machine', { ...told, jwks_uri: 'http://127.0.0.1:8000/keys' }],
    ['with keys in a file', { ...told, jwks_uri: 'file:///etc/keys' }],
  ])('takes no keys by metadata %s', async (_, metadata) => {
    const { asked, verify } = discovered(metadata)
    expect(await codeOf(verify(await tokenOf()))).toBe('KeysUnavailable')
    expect(asked).toHaveLength(1)
  })
})

test.each(['http://id.example.org/token', 'file:///etc/passwd', 'https://a:b@id.example.org/token'])(
  'a sign-in at an issuer sends nothing to %s',
  async (target) => {
    const ask = issuerPort(issuer, { now, fetch: async () => Response.json({}) }).fetch()
    await expect(ask(target)).rejects.toThrow('neither https nor of this machine')
  },
)

describe('a person', () => {
  const person = async (claims: Readonly<Record<string, unknown>>, of: Partial<Issuer> = {}) => {
    const { user } = await verifier({ user: { provider: 'corp', firstSight: 'link' }, ...of })(await tokenOf({ claims }))
    return user
  }

  const usual = { email: 'ada@example.org', email_verified: true }
  test.each<[string, Readonly<Record<string, unknown>>, boolean, ClaimNames?]>([
    ['is verified if the issuer says so', { email: 'ada@example.org', email_verified: true }, true],
    ['is verified if the issuer says so in text', { email: 'ada@example.org', email_verified: 'true' }, true],
    ['is not verified by other text', { email: 'ada@example.org', email_verified: 'yes' }, false],
    ['is not verified by a number', { email: 'ada@example.org', email_verified: 1 }, false],
    ['is not verified by silence', { email: 'ada@example.org' }, false],
    ['that is not there is not verified', { email_verified: true }, false],
    ['that is a list is not there', { email: ['ada@example.org'], email_verified: true }, false],
    ['of another claim is not verified by what is said of the usual one', { ...usual, upn: 'eve@example.org' }, false, { address: 'upn' }],
    ['of another claim is verified by its own flag', { upn: 'eve@example.org', real: true }, true, { address: 'upn', verified: 'real' }],
  ])('has an address that %s', async (_, claims, isAddressVerified, names) => {
    expect(await person(claims, { claims: names })).toMatchObject({
      provider: 'corp',
      subject: 'ada',
      firstSight: 'link',
      isAddressVerified,
    })
  })

  test('has no text that a log would show otherwise', async () => {
    expect(await person({ name: 'Ada\u0000', email: 'ada\ud800@example.org' })).toMatchObject({ name: undefined, address: undefined })
  })

  test('needs the claim that is its subject', async () => {
    expect(await codeOf(person({}, { claims: { subject: 'oid' } }))).toBe('ClaimMissing')
    expect(await codeOf(person({ oid: ' ' }, { claims: { subject: 'oid' } }))).toBe('ClaimMalformed')
  })
})

describe('a shared secret', () => {
  const secret = 'a secret of at least thirty-two bytes, for tests'
  const of: Issuer = { ...issuer, keys: 'secret', algorithms: ['HS256'] }
  const bySecret = (given: VerifierOptions['secret'], algorithms = of.algorithms) =>
    tokenVerifier([{ ...of, algorithms }], { now, secret: given, takesSecret: true })

  test.each([
    ['text of a variable', secret],
    ['base64url of a variable', JSON.stringify({ base64url: Buffer.from(secret).toString('base64url') })],
  ])('may be given as %s', async (_, variable) => {
    const claims = { iss: issuer.issuer, aud: 'freehold', sub: 'ada', exp: seconds() + 600 }
    const signed = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
    expect(await codeOf(bySecret(secretOf(variable))(signed))).toEqual(ada)
  })

  test.each<[string, VerifierOptions['secret'], Issuer['algorithms']?]>([
    ['is shorter than 64 bytes', secret, ['HS256', 'HS512']],
    ['is missing', undefined],
    ['is missing', ''],
    ['is missing', { base64url: '' }],
    ['is shorter than 32 bytes', 'short'],
    // 40 signs are 30 bytes.
    ['is shorter than 32 bytes', { base64url: 'A'.repeat(40) }],
    ['is not in base64url', { base64url: `${'A'.repeat(43)}=` }],
    ['is not in base64url', { base64url: `${'A'.repeat(42)}B` }],
  ])('that %s is refused at the start', (sentence, given, accepted) => {
    expect(() => bySecret(given, accepted)).toThrow(sentence)
  })
})

const provided: Issuer = { ...issuer, user: { provider: 'corp' } }
test.each<[string, unknown]>([
  ['no list', {}],
  ['no object', ['https://id.example.org/']],
  ['no issuer', [{ ...issuer, issuer: ' ' }]],
  ['a name of 1,025 characters', [{ ...issuer, issuer: 'x'.repeat(1_025) }]],
  ['a name that a log would show otherwise', [{ ...issuer, issuer: 'https://id.example.org/\u0000' }]],
  ['no audience', [{ ...issuer, audience: [] }]],
  ['an address without TLS', [{ ...issuer, keys: 'http://id.example.org/keys' }]],
  ['keys by another protocol than http', [{ ...issuer, keys: 'ftp://127.0.0.1/keys' }]],
  ['no keys', [{ ...issuer, keys: {} }]],
  ['an empty set of keys', [{ ...issuer, keys: { keys: [] } }]],
  ['algorithms that are no list', [{ ...issuer, algorithms: 'ES256' }]],
  ['no algorithm', [{ ...issuer, algorithms: [] }]],
  ['an algorithm by a shared secret', [{ ...issuer, algorithms: ['ES256', 'HS256'] }]],
  ['the algorithm none', [{ ...issuer, algorithms: ['none'] }]],
  ['no user', [{ ...issuer, user: {} }]],
  ['the e-mail address as user', [{ ...issuer, user: { claim: 'email' } }]],
  ['two ways to a user', [{ ...issuer, user: { claim: 'sub', provider: 'google' } }]],
  ['an unknown member', [{ ...issuer, secret: 'x' }]],
  ['the same issuer twice', [issuer, issuer]],
  ['one name of two issuers', [issuer, { ...issuer, issuer: ['https://other.example.org/', issuer.issuer] }]],
  [
    'one provider of two issuers',
    [
      { ...issuer, user: { provider: 'corp' } },
      { ...issuer, issuer: 'https://other.example.org/', user: { provider: 'corp' } },
    ],
  ],
  ['neither audience nor clients', [{ ...issuer, audience: undefined }]],
  ['no keys, and a name that is no address', [{ ...issuer, keys: undefined, issuer: 'accounts.example.org' }]],
  ['a private key', [{ ...issuer, keys: { keys: [{ ...keys.keys[0], d: 'YQ' }] } }]],
  ['a shared secret among the keys', [{ ...issuer, keys: { keys: [{ kty: 'oct', k: 'YQ' }] } }]],
  ['a shared secret in place of keys', [{ ...issuer, keys: 'secret' }]],
  ['a shared secret where none may sign', [{ ...issuer, keys: 'secret', algorithms: ['HS256'] }]],
  ['a name in the address of the keys', [{ ...issuer, keys: 'https://a@id.example.org/keys' }]],
  ['a password in the address of the keys', [{ ...issuer, keys: 'https://:b@id.example.org/keys' }]],
  ['the e-mail address as subject', [{ ...issuer, user: { provider: 'corp' }, claims: { subject: 'email' } }]],
  ['tenants, and no claim of them', [{ ...issuer, tenants: ['acme'] }]],
  ['a first sight that is none', [{ ...issuer, user: { provider: 'corp', firstSight: 'trust' } }]],
  ['a client without a name', [{ ...provided, signIn: { secret: 's' } }]],
  ['a client with more than a secret', [{ ...provided, signIn: { client: 'c', key: 's' } }]],
  ['a secret that is no text', [{ ...provided, signIn: { client: 'c', secret: 1 } }]],
  ['sign-in by a user without a provider', [{ ...issuer, signIn: { client: 'c' } }]],
  ['sign-in by a provider that no address has', [{ ...provided, user: { provider: '../corp' }, signIn: { client: 'c' } }]],
  ['sign-in at a name that is no address', [{ ...provided, issuer: 'accounts.example.org', signIn: { client: 'c' } }]],
  ['a leeway of hours', [{ ...issuer, leeway_s: 3_600 }]],
  ['a leeway that is none', [{ ...issuer, leeway_s: -1 }]],
  ['a leeway of half a second', [{ ...issuer, leeway_s: 0.5 }]],
  ['a claim of nothing that is known', [{ ...issuer, claims: { id: 'oid' } }]],
  ['no design', [{ ...issuer, designs: [] }]],
])('issuers with %s are refused', (_, given) => {
  // A program may give anything.
  for (const read of [readIssuers, tokenVerifier as (given: unknown) => unknown])
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  expect(readIssuers([issuer])).toEqual([issuer])
})

test('a secret of a client is in no message', () => {
  const signIn = { client: 'c', secret: 'hunter2' }
  expect(readIssuers([{ ...provided, signIn }])).toEqual([{ ...provided, signIn }])
  for (const wrong of [
    { ...issuer, signIn },
    { ...provided, signIn: { ...signIn, client: 1 } },
    { ...provided, signIn: { ...signIn, hunter: 2 } },
  ])
    try {
      readIssuers([wrong])
      expect.unreachable()
    } catch (error) {
      expect(JSON.stringify([error, String(error)])).not.toContain('hunter2')
    }
})
