import type { Issuer, TokenCode } from '@freehold/frame/issuers'
import { sealCursor } from '@freehold/table/runtime'
import { openSignIn, sealSignIn } from '../../packages/service/src/console-sign-in/kept-sign-in.ts'
import type { SignInCode } from '../../packages/service/src/console-sign-in/sign-in-refusal.ts'
import { encoded, now_s } from '../tokens/signed.ts'
import { type Script, type Scripted, scripted, secret } from './scripted-issuer.ts'

/** What a browser brings back. */
export interface Brought {
  readonly name: string
  readonly parameters: URLSearchParams
  readonly kept: string | undefined
}

/** An answer that signs nobody in. It is the one that does, but for what is said. */
export interface HostileAnswer {
  readonly name: string
  readonly code: SignInCode | TokenCode
  readonly script?: Script
  /** The settings of the issuer that differ. */
  readonly issuer?: Partial<Issuer>
  /** Changes what a browser brings. It may do more before. */
  readonly brought?: (brought: Brought, world: Scripted) => Brought | Promise<Brought>
}

/** A browser begins, a person signs in, and the browser comes back. */
export async function whole(world: Scripted, name = 'own'): Promise<Brought> {
  const { to, kept } = await world.begin(name)
  return { name, parameters: world.authorize(to), kept }
}

type Rest = Omit<HostileAnswer, 'name' | 'code'>
const rows = (code: HostileAnswer['code'], cases: Readonly<Record<string, Rest>>): readonly HostileAnswer[] =>
  Object.entries(cases).map(([name, rest]) => ({ name, code, ...rest }))

const set = (changes: Readonly<Record<string, string | undefined>>): Rest => ({
  brought: ({ parameters, ...brought }) => {
    const changed = new URLSearchParams(parameters)
    for (const [name, value] of Object.entries(changes)) value === undefined ? changed.delete(name) : changed.set(name, value)
    return { ...brought, parameters: changed }
  },
})
const twice = (name: string, value?: string): Rest => ({
  brought: ({ parameters, ...brought }) => {
    const changed = new URLSearchParams(parameters)
    changed.append(name, value ?? parameters.get(name) ?? '')
    return { ...brought, parameters: changed }
  },
})
const failed = (error: string, more: Readonly<Record<string, string>> = {}) => set({ code: undefined, error, ...more })
const kept = (change: (kept: string, world: Scripted) => string | undefined | Promise<string | undefined>): Rest => ({
  brought: async (brought, world) => ({ ...brought, kept: await change(brought.kept ?? '', world) }),
})
/** What we sealed, with other content. */
const resealed = (changes: object): Rest =>
  kept((text, { table: { runtime } }) => {
    const opened = openSignIn(runtime, 'own', text)
    return opened && sealSignIn(runtime, 'own', { ...opened, ...changes })
  })
/** An answer that does not come. It is waited for, but not for long. */
const slow = (what: 'metadata' | 'keys' | 'token'): Rest => ({ script: { timeout_ms: 300, instead: { [what]: never } } })
const claims = (of: Script['claims']): Rest => ({ script: { claims: of ?? {} } })
const instead = (answer: (init: RequestInit) => Response | Promise<Response>): Rest => ({ script: { instead: { token: answer } } })
const metadata = (of: Script['metadata']): Rest => ({ script: { metadata: of ?? {} } })
/** Answers when it is no longer waited for. */
const never = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => {
    // Without a signal nobody would ever go on.
    if (!(signal instanceof AbortSignal)) reject(new Error('unbounded'))
    else signal.addEventListener('abort', () => reject(signal.reason))
  })
const huge = { more: 'x'.repeat(300_000) }
const elsewhere = () => new Response(null, { status: 307, headers: { Location: 'https://evil.example/token' } })
const problem = (error: string, status = 400) => instead(() => Response.json({ error }, { status }))
const part = (index: number, value: (of: string) => string) => (token: string) =>
  token
    .split('.')
    .map((each, at) => (at === index ? value(each) : each))
    .join('.')

/** Another browser, whose person has come back already. */
const another = async (world: Scripted, name?: string) => {
  const brought = await whole(world, name)
  await world.party.finish(brought.name, brought.parameters, brought.kept)
  return brought
}

export const hostileAnswers: readonly HostileAnswer[] = [
  ...rows('SignInNotBegun', {
    'an answer to a browser that began nothing': kept(() => undefined),
    'an empty cookie': kept(() => ''),
    'a cookie with one byte changed': kept((text) => `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`),
    'a cookie that is cut': kept((text) => text.slice(0, -1)),
    'a cookie that is there twice': kept((text) => `${text}${text}`),
    'a cookie of another service': kept(async () => (await scripted().then((other) => other.begin())).kept),
    'a cookie that is a cursor of the same secret': kept((_, { table: { runtime } }) =>
      sealCursor(runtime, { kind: 'pattern', name: 'own', parameters: {} }, { state: 's', at_ms: now_s * 1000 }),
    ),
    'a cookie in clear text': kept(() => encoded(JSON.stringify({ state: 's', at_ms: now_s * 1000 }))),
    'the answer of one issuer at the address of another': { brought: (brought) => ({ ...brought, name: 'second' }) },
    'the answer of another issuer with the cookie of this one': {
      brought: async ({ parameters }, world) => ({ name: 'own', parameters, kept: (await world.begin('second')).kept }),
    },
    'an issuer that is none': { brought: (brought) => ({ ...brought, name: 'nobody' }) },
    'an issuer at which nobody signs in': { brought: (brought) => ({ ...brought, name: 'third' }) },
    'an issuer that every object has': { brought: (brought) => ({ ...brought, name: '__proto__' }) },
  }),
  ...rows('SignInTooLate', {
    'an answer after ten minutes': {
      brought: (brought, { later }) => {
        later(10 * 60_000)
        return brought
      },
    },
  }),
  ...rows('AnswerMalformed', {
    'an answer without parameters, as one in a fragment': { brought: (brought) => ({ ...brought, parameters: new URLSearchParams() }) },
    'an answer without a code': set({ code: undefined }),
    'a code that is there twice': twice('code'),
    'a second code': twice('code', 'other'),
    'a state that is there twice': twice('state'),
    'an issuer that is named twice': twice('iss'),
    'a second issuer': twice('iss', 'https://second.example.org/'),
    'a code and an error': set({ error: 'access_denied' }),
    'an id token beside the code': set({ id_token: 'a.b.c' }),
    'an access token beside the code': set({ access_token: 'a' }),
    'an access token under its other name': set({ token: 'a' }),
    'an answer within a token': set({ response: 'a.b.c' }),
  }),
  ...rows('StateWrong', {
    'no state': set({ state: undefined }),
    'an empty state': set({ state: '' }),
    'another state': set({ state: 'A'.repeat(43) }),
    'the state with a space': {
      brought: ({ parameters, ...brought }) => {
        parameters.set('state', `${parameters.get('state')} `)
        return { ...brought, parameters }
      },
    },
    'the answer that another browser got: somebody is to sign in as an attacker': {
      brought: async (brought, world) => ({ ...brought, parameters: (await whole(world)).parameters }),
    },
    'the code of another browser with the state of this one, and its cookie': {
      brought: async ({ parameters }, world) => ({ ...(await whole(world)), parameters }),
    },
    'the first of two tabs: the second has begun anew': {
      brought: async (first, world) => ({ ...first, kept: (await world.begin()).kept }),
    },
    'a new answer with the cookie of a former sign-in': {
      brought: async (brought, world) => ({ ...brought, kept: (await another(world)).kept }),
    },
    'an error that answers another sign-in': failed('access_denied', { state: 'A'.repeat(43) }),
  }),
  ...rows('SignInUsed', {
    'an answer that signed somebody in before': { brought: (_, world) => another(world) },
    'an answer that was refused before': {
      brought: async (brought, { party }) => {
        const wrong = new URLSearchParams(brought.parameters)
        wrong.set('code', 'guessed')
        await party.finish(brought.name, wrong, brought.kept).catch(() => undefined)
        return brought
      },
    },
    'a new code of the issuer for a sign-in that was used': {
      brought: async (_, world) => {
        const { to, kept } = await world.begin()
        await world.party.finish('own', world.authorize(to), kept)
        return { name: 'own', parameters: world.authorize(to), kept }
      },
    },
  }),
  ...rows('IssuerMixedUp', {
    'an answer of another configured issuer': set({ iss: 'https://second.example.org/' }),
    'an answer of almost this issuer': set({ iss: 'https://id.example.org' }),
    'an answer of nobody, where the metadata promise an issuer': set({ iss: undefined }),
    'an answer of an empty issuer': set({ iss: '' }),
    'an error of another issuer': failed('access_denied', { iss: 'https://second.example.org/' }),
    'another issuer, though the metadata promise none': {
      brought: async (_, world) => {
        const brought = await whole(world, 'second')
        brought.parameters.set('iss', 'https://id.example.org/')
        return brought
      },
    },
  }),
  ...rows('IssuerDenied', {
    'a person who says no': failed('access_denied'),
    'an error with markup': failed('access_denied', { error_description: '<script>alert(1)</script>', error_uri: 'javascript:alert(1)' }),
    'an error with lines for a log': failed('x\r\n{"level":"error"}'),
    'an issuer that asks for a sign-in': failed('login_required'),
  }),
  ...rows('CodeRefused', {
    'a code that is guessed': set({ code: 'guessed' }),
    'a code that was used in another browser': {
      brought: async ({ parameters, ...brought }, world) => {
        parameters.set('code', (await another(world)).parameters.get('code') ?? '')
        return { ...brought, parameters }
      },
    },
    'a stolen code, which its browser has not used': {
      brought: async ({ parameters, ...brought }, world) => {
        parameters.set('code', (await whole(world)).parameters.get('code') ?? '')
        return { ...brought, parameters }
      },
    },
    'a code of another issuer': {
      brought: async ({ parameters, ...brought }, world) => {
        parameters.set('code', (await whole(world, 'second')).parameters.get('code') ?? '')
        return { ...brought, parameters }
      },
    },
    'another verifier': resealed({ verifier: 'A'.repeat(43) }),
    'another address to come back to': resealed({ back: 'https://evil.example/back' }),
    'a code that the issuer refuses': problem('invalid_grant'),
    'an error of the issuer with markup': problem('<script>'),
  }),
  ...rows('ClientRefused', {
    'a client whose secret is another': { issuer: { signIn: { client: 'console', secret: `${secret}!` } } },
    'a client without its secret': { issuer: { signIn: { client: 'console' } } },
    'a client that may not do this': problem('unauthorized_client'),
    'a challenge': instead(() => new Response('', { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="id"' } })),
  }),
  ...rows('NonceWrong', {
    'a stolen code at an issuer that forgets its verifier': {
      script: { forgetsPkce: true },
      brought: async ({ parameters, ...brought }, world) => {
        parameters.set('code', (await whole(world)).parameters.get('code') ?? '')
        return { ...brought, parameters }
      },
    },
    'no nonce': claims({ nonce: undefined }),
    'another nonce': claims({ nonce: 'A'.repeat(43) }),
    'an empty nonce': claims({ nonce: '' }),
    'a nonce that is a list': claims({ nonce: ['a'] }),
    'an access token of Cognito in place of the id token': claims({ token_use: 'access', client_id: 'console', nonce: undefined }),
  }),
  ...rows('TokenMalformed', {
    'an id token that is no JWT': { script: { answer: { id_token: 'a' } } },
    'an id token with a subject given twice': {
      script: { token: part(1, (text) => encoded(`{"sub":"eve",${Buffer.from(text, 'base64url').toString().slice(1)}`)) },
    },
    'an id token that is encrypted': { script: { answer: { id_token: 'a.b.c.d.e' } } },
    'an id token that needs an extension': { script: { header: { crit: ['x'], x: 1 } } },
  }),
  ...rows('AlgorithmNotAllowed', {
    'the algorithm none': { script: { header: { alg: 'none' }, token: part(2, () => '') } },
    'a signature by the secret of the client': { script: { header: { alg: 'HS256' } } },
    'an algorithm that the settings lack': { script: { header: { alg: 'PS256' } } },
  }),
  ...rows('TokenTypeWrong', { 'a logout token': { script: { header: { typ: 'logout+jwt' } } } }),
  ...rows('KeyUnknown', { 'a key of nobody': { script: { header: { kid: 'zero' } } } }),
  ...rows('KeysUnavailable', {
    'keys that cannot be fetched': { issuer: { keys: undefined }, script: { instead: { keys: () => new Response('', { status: 500 }) } } },
    'keys that come slowly': { issuer: { keys: undefined }, ...slow('keys') },
  }),
  ...rows('SignatureInvalid', {
    'another key': { script: { by: 'stranger' } },
    'the key of another issuer': { script: { by: 'second' } },
    'claims that were changed': {
      script: { token: part(1, (text) => encoded(Buffer.from(text, 'base64url').toString().replace('ada@', 'eve@'))) },
    },
  }),
  ...rows('IssuerWrong', {
    'an id token of another configured issuer': claims({ iss: 'https://second.example.org/' }),
    'an id token of almost this issuer': claims({ iss: 'https://id.example.org' }),
  }),
  ...rows('AudienceWrong', {
    'an id token for another client': claims({ aud: 'app' }),
    'a token for the API that takes those of this issuer': claims({ aud: 'tickets' }),
    'a token for no client': claims({ aud: [] }),
  }),
  ...rows('ClientWrong', {
    'an id token made for another client': claims({ azp: 'app' }),
    'an id token for two, which says not for whom it was made': claims({ aud: ['console', 'app'] }),
  }),
  ...rows('ClaimMissing', {
    'no audience': claims({ aud: undefined }),
    'no end': claims({ exp: undefined }),
    'no subject': claims({ sub: undefined }),
  }),
  ...rows('ClaimMalformed', {
    'an end in milliseconds': claims({ exp: now_s * 1000 }),
    'a subject with a control character': claims({ sub: 'a\u0000' }),
    'an end in text': claims({ exp: '4102444800' }),
  }),
  ...rows('TokenExpired', { 'an id token that has expired': claims({ exp: now_s - 60 }) }),
  ...rows('TokenNotYetValid', { 'an id token of tomorrow': claims({ nbf: now_s + 86_400 }) }),
  ...rows('TenantWrong', {
    'a person of another tenant': { issuer: { claims: { tenant: 'hd' }, tenants: ['example.org'] }, ...claims({ hd: 'evil.example' }) },
    'a person of no tenant': { issuer: { claims: { tenant: 'hd' }, tenants: ['example.org'] } },
  }),
  ...rows('IssuerUnavailable', {
    'no id token': { script: { answer: { id_token: undefined } } },
    'an id token that is a list': { script: { answer: { id_token: ['a.b.c'] } } },
    'two id tokens': instead(() => new Response('{"access_token":"a","token_type":"Bearer","id_token":"a.b.c","id_token":"d.e.f"}')),
    'no access token': { script: { answer: { access_token: undefined } } },
    'a type of token that is none': { script: { answer: { token_type: 'mac' } } },
    'an id token without its time': claims({ iat: undefined }),
    'a token endpoint that fails': problem('server_error', 500),
    'a token endpoint that is slow': slow('token'),
    'a token endpoint that says too much': { script: { answer: huge } },
    'a token endpoint that redirects': instead(elsewhere),
    'a token endpoint that answers with a page': instead(() => new Response('<html>')),
    'a token endpoint that answers with nothing': instead(() => new Response('')),
    'a token endpoint that is down': instead(() => Promise.reject(new TypeError('fetch failed'))),
    'metadata of another issuer': metadata({ issuer: 'https://second.example.org/' }),
    'metadata of almost this issuer': metadata({ issuer: 'https://id.example.org' }),
    'metadata without an issuer': metadata({ issuer: undefined }),
    'a token endpoint over http': metadata({ token_endpoint: 'http://id.example.org/token' }),
    'a token endpoint on this machine': metadata({ token_endpoint: 'http://127.0.0.1:8000/' }),
    'a token endpoint on the machine of the cloud': metadata({ token_endpoint: 'http://169.254.169.254/latest/' }),
    'a token endpoint with a password': metadata({ token_endpoint: 'https://a:b@id.example.org/token' }),
    'no token endpoint': metadata({ token_endpoint: undefined }),
    'a page to sign in over http': metadata({ authorization_endpoint: 'http://id.example.org/authorize' }),
    'a page to sign in that is a script': metadata({ authorization_endpoint: 'javascript:alert(1)//' }),
    'no page to sign in': metadata({ authorization_endpoint: undefined }),
    'metadata that are slow': slow('metadata'),
    'metadata that say too much': metadata(huge),
    'metadata that redirect': { script: { instead: { metadata: elsewhere } } },
    'metadata that fail': { script: { instead: { metadata: () => new Response('', { status: 503 }) } } },
    'metadata that say something twice': {
      script: { instead: { metadata: () => new Response('{"issuer":"https://evil.example/","issuer":"https://id.example.org/"}') } },
    },
  }),
]
