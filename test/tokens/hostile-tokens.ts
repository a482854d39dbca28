import { createHmac } from 'node:crypto'
import type { Issuer, TokenCode } from '@freehold/frame/issuers'
import { ada, claimsOf, encoded, headerOf, issuer, now_s, ownKey, type Signer, second, signed, strangersKey } from './signed.ts'

/** A token that nobody may take. It is the one that is taken, but for what is said. */
export interface HostileToken {
  readonly name: string
  readonly code: TokenCode
  /** Members of the header, or its JSON. */
  readonly header?: Readonly<Record<string, unknown>> | string
  readonly claims?: Readonly<Record<string, unknown>> | string | Uint8Array
  readonly by?: Signer
  /** Changes the compact form. */
  readonly change?: (token: string) => string
  /** The settings of the issuer that differ. */
  readonly issuer?: Partial<Issuer>
  /** The text has not the parts of a token: the service takes it for an API key, and refuses it as one. */
  readonly isNoToken?: true
  /** How long the token must last: an authorizer's answer is kept. */
  readonly lasts_s?: number
}

const part = (index: number, value: (of: string) => string) => (token: string) =>
  token
    .split('.')
    .map((each, at) => (at === index ? value(each) : each))
    .join('.')
/** The same bytes in another spelling: the last sign of a part that is not of whole bytes has bits to spare. */
const respelled = (text: string): string => {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + signs[signs.indexOf(text.slice(-1)) + 1]
}
/** Signed by the public key of the issuer, taken for a secret. */
const byPublicKey = (bits: 256 | 384 | 512) => (token: string) => {
  const input = token.split('.').slice(0, 2).join('.')
  return `${input}.${createHmac(`sha${bits}`, JSON.stringify(ownKey)).update(input).digest('base64url')}`
}
const unsigned = part(2, () => '')

type Rest = Partial<Omit<HostileToken, 'name' | 'code'>>
const rows = (code: TokenCode, cases: Readonly<Record<string, Rest>>): readonly HostileToken[] =>
  Object.entries(cases).map(([name, rest]) => ({ name, code, ...rest }))
const claims = (of: Readonly<Record<string, unknown>>, more: Rest = {}): Rest => ({ claims: of, ...more })
const header = (of: Readonly<Record<string, unknown>>, more: Rest = {}): Rest => ({ header: of, ...more })
/** Claims with a member written out, before or after the others. */
const first = (member: string, of = {}) => `{${member},${claimsOf(of).slice(1)}`
const last = (member: string, of = {}) => `${claimsOf(of).slice(0, -1)},${member}}`

const cognito = { audience: 'app', clients: 'app' }
const access = { aud: undefined, token_use: 'access', client_id: 'app' }
const hosted = { claims: { tenant: 'hd' }, tenants: ['example.org'] }
const oid = { user: { provider: 'own' }, claims: { subject: 'oid' } }
const traversal = '../../../../dev/null'

export const hostileTokens: readonly HostileToken[] = [
  ...rows('TokenMalformed', {
    'a key id that is given twice': { header: '{"alg":"RS256","kid":"two","kid":"one"}' },
    'an algorithm that is given twice': { header: '{"alg":"none","alg":"RS256","kid":"one"}' },
    'an algorithm that is given twice, once by an escape': { header: '{"\\u0061lg":"none","alg":"RS256","kid":"one"}' },
    'a subject that is given twice': { claims: first('"sub":"root"') },
    'a subject that is given twice, once by an escape': { claims: last('"\\u0073ub":"root"') },
    'an issuer that is given twice': { claims: first(`"iss":"${second.issuer}"`) },
    'an end that is given twice': { claims: first('"exp":9999999999') },
    'a name that is given twice within a claim': { claims: last('"act":{"sub":"a","sub":"b"}') },
    'an end that is infinite': { claims: last('"exp":1e999', { exp: undefined }) },
    'a number that would be rounded': { claims: last('"n":9007199254740993') },
    'a byte order mark before the claims': { claims: `\ufeff${claimsOf()}` },
    'a byte order mark before the header': { header: `\ufeff${headerOf()}` },
    'claims that are not UTF-8': { claims: Buffer.from(claimsOf({ name: 'M\xfcnchen' }), 'latin1') },
    'claims that are a list': { claims: `[${claimsOf()}]` },
    'claims that are text': { claims: '"ada"' },
    'claims that are null': { claims: 'null' },
    'no claims': { claims: '' },
    'claims that are cut off': { claims: claimsOf().slice(0, -1) },
    'claims with something after them': { claims: `${claimsOf()}{}` },
    'a comment in the claims': { claims: `/**/${claimsOf()}` },
    'a header that is a list': { header: `[${headerOf()}]` },
    'a header that is no JSON': { header: 'alg: RS256' },
    'no header': { change: part(0, () => '') },
    'a token within a token': { claims: `${encoded(headerOf())}.${encoded(claimsOf())}.AAAA`, header: { cty: 'JWT' } },
    'an encrypted token': { change: (token) => `${token}.AAAA.AAAA`, header: { alg: 'dir', enc: 'A256GCM' } },
    'an encrypted token without a key': { change: () => `${encoded('{"alg":"dir","enc":"A256GCM"}')}..AAAA.AAAA.AAAA` },
    'a dot at its end': { change: (token) => `${token}.` },
    'a dot at its beginning': { change: (token) => `.${token}` },
    'dots alone': { change: () => '...' },
    'two parts': { change: (token) => token.split('.').slice(0, 2).join('.'), isNoToken: true },
    'one part': { change: (token) => token.replaceAll('.', ''), isNoToken: true },
    'a signature in another spelling': { change: part(2, respelled) },
    'a header in another spelling': { header: `${headerOf({ x: '' })} `, change: part(0, (text) => respelled(text)) },
    'a signature with padding': { change: (token) => `${token}==` },
    'a header with padding': { change: part(0, (text) => `${text}=`) },
    'the signs of plain base64': { change: part(2, (text) => `+/${text.slice(2)}`) },
    'a percent sign': { change: part(2, (text) => `%41${text.slice(1)}`) },
    'a sign that is no ASCII': { change: part(1, (text) => `${text}é`) },
    'far too many characters': claims({ filler: 'x'.repeat(20_000) }),
    'far too many characters without a signature': { change: part(2, () => 'A'.repeat(20_000)) },
    'a critical extension': header({ crit: ['x'], x: 1 }),
    'a critical extension that is a claim': header({ crit: ['exp'], exp: 1 }),
    'no critical extension, in a list': header({ crit: [] }),
    'a payload that is not encoded': header({ crit: ['b64'], b64: false }),
  }),
  ...rows('AlgorithmNotAllowed', {
    'the algorithm none': header({ alg: 'none' }, { change: unsigned }),
    'the algorithm none, with a signature': header({ alg: 'none' }),
    'the algorithm none, in other letters': header({ alg: 'nOnE' }, { change: unsigned }),
    'the algorithm none, without a key id': header({ alg: 'none', kid: undefined }, { change: unsigned }),
    'an algorithm with space around it': header({ alg: ' RS256' }),
    'an algorithm in small letters': header({ alg: 'rs256' }),
    'no algorithm': header({ alg: undefined }),
    'an empty algorithm': header({ alg: '' }),
    'an algorithm that is null': header({ alg: null }),
    'an algorithm that is a list': header({ alg: ['RS256'] }),
    'an algorithm that every object has': header({ alg: 'constructor' }),
    'HS256 by the public key': header({ alg: 'HS256' }, { change: byPublicKey(256) }),
    'HS384 by the public key': header({ alg: 'HS384' }, { change: byPublicKey(384) }),
    'HS512 by the public key': header({ alg: 'HS512' }, { change: byPublicKey(512) }),
    'HS256 by the public key, without a key id': header({ alg: 'HS256', kid: undefined }, { change: byPublicKey(256) }),
    'PS256, which the issuer does not use': header({ alg: 'PS256' }),
    'RS512, which the issuer does not use': header({ alg: 'RS512' }),
    'the algorithm of one key, where another is accepted': header({}, { issuer: { algorithms: ['ES256'] } }),
    'the algorithm of an encrypted key': header({ alg: 'RSA-OAEP-256' }),
  }),
  ...rows('TokenTypeWrong', {
    'a token for signing out': header({ typ: 'logout+jwt' }),
    'a token for signing out, by its whole name': header({ typ: 'application/logout+jwt' }),
    'a security event': header({ typ: 'secevent+jwt' }),
    'a proof of possession': header({ typ: 'dpop+jwt' }),
    'an encrypted type': header({ typ: 'JOSE' }),
    'an empty type': header({ typ: '' }),
    'a type that is a number': header({ typ: 1 }),
    'a type that is a list': header({ typ: ['JWT'] }),
    'an id token where an access token is wanted': header({ typ: 'JWT' }, { issuer: { type: 'at+jwt' } }),
    'no type where one is wanted': header({ typ: undefined }, { issuer: { type: 'at+jwt' } }),
  }),
  ...rows('KeyUnknown', {
    'an unknown key id': header({ kid: 'three' }),
    'a key id that leads elsewhere': header({ kid: traversal }),
    'a key id that is an address': header({ kid: 'https://evil.example/jwks#one' }),
    'a key id that is a query': header({ kid: "one' UNION SELECT 'secret" }),
    'a key id in capitals': header({ kid: 'ONE' }),
    'a key id with space after it': header({ kid: 'one ' }),
    'an empty key id': header({ kid: '' }),
    'a key id that is a number': header({ kid: 1 }),
    'a key id that is null': header({ kid: null }, { issuer: { keys: { keys: [ownKey] } } }),
    'a key id that is a list': header({ kid: ['one'] }, { issuer: { keys: { keys: [ownKey] } } }),
    'a key id of 1,025 characters': header({ kid: 'k'.repeat(1_025) }),
    'a key id with a control character': header({ kid: 'one\u0000' }),
    'a key within the token': header({ kid: 'three', jwk: strangersKey }, { by: 'stranger' }),
    'the address of a key set within the token': header({ kid: 'three', jku: 'https://evil.example/jwks' }, { by: 'stranger' }),
    'the address of a certificate within the token': header({ kid: 'three', x5u: 'https://evil.example/cert' }, { by: 'stranger' }),
    'the algorithm of another key': header({ alg: 'ES256', kid: 'one' }, { by: 'curve' }),
    'the key id of another algorithm': header({ kid: 'two' }),
    'no key id, where two keys would fit': header(
      { kid: undefined },
      { issuer: { keys: { keys: [ownKey, { ...ownKey, kid: 'again' }] } } },
    ),
    'a key id that two keys have': header({}, { issuer: { keys: { keys: [ownKey, ownKey] } } }),
    'a key for encryption': header({}, { issuer: { keys: { keys: [{ ...ownKey, use: 'enc' }] } } }),
    'a key for another algorithm': header({}, { issuer: { keys: { keys: [{ ...ownKey, alg: 'RS512' }] } } }),
    'a key that may only sign': header({}, { issuer: { keys: { keys: [{ ...ownKey, key_ops: ['sign'] }] } } }),
  }),
  ...rows('SignatureInvalid', {
    'a signature by a stranger': { by: 'stranger' },
    'a signature by another issuer, under the same key id': { by: 'second' },
    'a token of this issuer in the name of another': claims({ iss: second.issuer }),
    "a stranger's key within the token": header({ jwk: strangersKey }, { by: 'stranger' }),
    "a stranger's certificate within the token": header({ x5c: ['AAAA'], x5t: 'AAAA' }, { by: 'stranger' }),
    "the address of a stranger's keys, under our key id": header({ jku: 'https://evil.example/jwks' }, { by: 'stranger' }),
    'no signature': { change: unsigned },
    'a short signature': { change: part(2, (text) => text.slice(0, 40)) },
    'a signature of zeros': { change: part(2, (text) => 'A'.repeat(text.length - 2)) },
    'claims that were changed': { change: part(1, () => encoded(claimsOf({ admin: true }))) },
    'a header that was changed': { change: part(0, () => encoded(headerOf({ x: 1 }))) },
    'the signature of an empty curve point': header({ alg: 'ES256', kid: 'two' }, { change: part(2, () => 'A'.repeat(86)) }),
  }),
  ...rows('IssuerWrong', {
    'an unknown issuer': claims({ iss: 'https://evil.example/' }, { by: 'stranger' }),
    'an issuer without its slash': claims({ iss: 'https://id.example.org' }),
    'an issuer that begins alike': claims({ iss: 'https://id.example.org/.evil.example' }),
    'an issuer in capitals': claims({ iss: 'HTTPS://ID.EXAMPLE.ORG/' }),
    'an issuer with space after it': claims({ iss: 'https://id.example.org/ ' }),
    'an issuer that is a list': claims({ iss: [issuer.issuer] }),
    'an issuer that is null': claims({ iss: null }),
    'an issuer that every object has': claims({ iss: 'constructor' }),
  }),
  ...rows('ClaimMissing', {
    'no issuer': claims({ iss: undefined }),
    'no subject': claims({ sub: undefined }),
    'no subject beside the claim for the user': claims({ sub: undefined, uid: ada }, { issuer: { user: { claim: 'uid' } } }),
    'no claim for the user': claims({}, { issuer: { user: { claim: 'uid' } } }),
    'a claim for the user that every object has': claims({}, { issuer: { user: { claim: 'constructor' } } }),
    'no claim that is the subject': claims({}, { issuer: oid }),
    'no end': claims({ exp: undefined }),
    'no audience': claims({ aud: undefined }),
    'an access token without its application': claims({ ...access, client_id: undefined }, { issuer: cognito }),
  }),
  ...rows('ClaimMalformed', {
    'an empty subject': claims({ sub: '' }),
    'a blank subject': claims({ sub: ' ' }),
    'a subject that is a number': claims({ sub: 7 }),
    'a subject that is null': claims({ sub: null }),
    'a subject that is a list': claims({ sub: [ada] }),
    'a subject that is an object': claims({ sub: { id: ada } }),
    'a subject of 1,025 characters': claims({ sub: 's'.repeat(1_025) }),
    'a subject with a control character': claims({ sub: `${ada}\u0000` }),
    'a subject with a line break': claims({ sub: `${ada}\n` }),
    'a subject with half a pair': claims({ sub: `${ada}\ud800` }),
    'a subject that is a number, beside the claim for the user': claims({ sub: 7, uid: ada }, { issuer: { user: { claim: 'uid' } } }),
    'a claim for the user that is a list': claims({ uid: [ada] }, { issuer: { user: { claim: 'uid' } } }),
    'a blank claim that is the subject': claims({ oid: ' ' }, { issuer: oid }),
    'an end in milliseconds': claims({ exp: (now_s + 600) * 1000 }),
    'an end in microseconds': claims({ exp: (now_s + 600) * 1_000_000 }),
    'a begin in milliseconds': claims({ nbf: now_s * 1000 }),
    'an instant of issue in milliseconds': claims({ iat: now_s * 1000 }),
    'an end that is text': claims({ exp: '9999999999' }),
    'an end that is null': claims({ exp: null }),
    'an end that is a list': claims({ exp: [now_s + 600] }),
    'an end that is true': claims({ exp: true }),
    'a begin that is text': claims({ nbf: 'now' }),
    'an audience that is a number': claims({ aud: 7 }),
    'an audience that is an object': claims({ aud: { tickets: true } }),
    'an audience in a list with a number': claims({ aud: ['tickets', 7] }),
  }),
  ...rows('TokenExpired', {
    'an end that is past': claims({ exp: now_s - 6 }),
    'an end at the end of the leeway': claims({ exp: now_s - 5 }),
    'an end at the beginning of time': claims({ exp: 0 }),
    'an end before that': claims({ exp: -1 }),
    'an end before a kept answer': claims({ exp: now_s + 59 }, { lasts_s: 60 }),
  }),
  ...rows('TokenNotYetValid', {
    'a begin in the future': claims({ nbf: now_s + 6 }),
    'a begin after its end': claims({ nbf: now_s + 700 }),
  }),
  ...rows('TokenUseWrong', {
    'an access token of Cognito where id tokens are wanted': claims({ ...access, aud: 'tickets' }),
    'an access token of Cognito without an audience where id tokens are wanted': claims(access),
    'a refresh token of Cognito': claims({ token_use: 'refresh' }, { issuer: { ...cognito, audience: 'tickets' } }),
    'a use that is a list': claims({ token_use: ['id'] }),
    'a use that is null': claims({ token_use: null }),
  }),
  ...rows('AudienceWrong', {
    'another audience': claims({ aud: 'invoices' }),
    'strangers in a list': claims({ aud: ['invoices', 'Tickets'] }),
    'an empty list of audiences': claims({ aud: [] }),
    'an audience in capitals': claims({ aud: 'TICKETS' }),
    'an audience that begins alike': claims({ aud: 'tickets.evil.example' }),
    'audiences in one text': claims({ aud: 'invoices tickets' }),
    'an id token of Cognito where access tokens are wanted': claims(
      { aud: 'app', token_use: 'id' },
      { issuer: { audience: undefined, clients: 'app' } },
    ),
    'an access token of Cognito for another resource': claims({ ...access, aud: 'invoices' }, { issuer: cognito }),
  }),
  ...rows('ClientWrong', {
    'an access token of another application of Cognito': claims({ ...access, client_id: 'other' }, { issuer: cognito }),
    'an access token whose application is in azp': claims({ ...access, client_id: 'other', azp: 'app' }, { issuer: cognito }),
    'a token that another application asked for': claims({ azp: 'other' }, { issuer: { clients: ['app'] } }),
    'a token that another application asked for, by its other name': claims({ client_id: 'other' }, { issuer: { clients: ['app'] } }),
    'a token for a stranger as well, without its application': claims({ aud: ['tickets', 'invoices'] }, { issuer: { clients: ['app'] } }),
    'a token for a stranger as well, of another application': claims(
      { aud: ['tickets', 'invoices'], azp: 'invoices' },
      { issuer: { clients: ['app'] } },
    ),
    'an application in a list': claims({ azp: ['app'] }, { issuer: { clients: ['app'] } }),
  }),
  ...rows('TenantWrong', {
    'another tenant': claims({ hd: 'evil.example' }, { issuer: hosted }),
    'no tenant': claims({}, { issuer: hosted }),
    'a tenant in capitals': claims({ hd: 'EXAMPLE.ORG' }, { issuer: hosted }),
    'a tenant in a list': claims({ hd: ['example.org'] }, { issuer: hosted }),
    'a tenant that every object has': claims(
      {},
      { issuer: { claims: { tenant: 'constructor' }, tenants: ['function Object() { [native code] }'] } },
    ),
  }),
]

/** The compact form of a case; without one, of the token that is taken. */
export async function tokenOf({ header, claims, by = 'own', change = (token) => token }: Partial<HostileToken> = {}): Promise<string> {
  const head = typeof header === 'string' ? header : headerOf(header)
  const body = typeof claims === 'string' || claims instanceof Uint8Array ? claims : claimsOf(claims)
  return change(await signed(`${encoded(head)}.${encoded(body)}`, by))
}
