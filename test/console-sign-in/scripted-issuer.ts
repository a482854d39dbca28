import { createHash, randomUUID } from 'node:crypto'
import type { Issuer } from '@freehold/frame/issuers'
import { serviceDesign } from '@freehold/service'
import { type Refusing, refusing, relyingPartyBy } from '../../packages/service/src/console-sign-in/relying-party.ts'
import { ownTableOf } from '../engine/own-table.ts'
import {
  claimsOf,
  encoded,
  headerOf,
  type Signer,
  signed,
  now as start,
  issuer as tokens,
  second as tokensOfSecond,
} from '../tokens/signed.ts'

export const client = 'console'
/** It has characters that a form and a header write otherwise. */
export const secret = 's3cret: +&%/é'
const signIn = { client, secret }
export const own: Issuer = { ...tokens, user: { provider: 'own', firstSight: 'link' }, signIn }
export const second: Issuer = { ...tokensOfSecond, signIn }
/** People do not sign in there. */
const third: Issuer = { ...tokensOfSecond, issuer: 'https://third.example.org/', user: { provider: 'third' } }

const origins = { own: 'https://id.example.org', second: 'https://second.example.org' } as const
type Name = keyof typeof origins
export const backOf = (name: string) => `https://freehold.example/console/sign-in/${name}/back`

type Changes = Readonly<Record<string, unknown>>

/** How an issuer differs from one that is right. */
export interface Script {
  readonly metadata?: Changes
  readonly header?: Changes
  readonly claims?: Changes
  readonly by?: Signer
  /** Changes the id token. */
  readonly token?: (token: string) => string
  /** Changes the answer of the token endpoint. */
  readonly answer?: Changes
  /** In place of an answer: of the metadata, the keys or the token endpoint. */
  readonly instead?: Partial<Record<'metadata' | 'keys' | 'token', (init: RequestInit) => Response | Promise<Response>>>
  /** How long an answer is waited for: by default longer than any test. */
  readonly timeout_ms?: number
  /** Takes codes without their verifiers. */
  readonly forgetsPkce?: boolean
}

/** A code, and the request that it answers. */
interface Grant {
  readonly asked: URLSearchParams
  readonly name: Name
}

/** Two issuers without a browser and without a network, the relying party, and its table. The clock stands until a test moves it. */
export async function scripted(
  script: Script = {},
  setting: Partial<Issuer> = {},
  change: (parts: Refusing) => Partial<Refusing> = () => ({}),
) {
  let now_ms = start.getTime()
  const now = () => new Date(now_ms)
  const table = await ownTableOf(serviceDesign, { now, secret: Buffer.alloc(32, 7) })
  const grants = new Map<string, Grant>()
  const sent: { readonly address: string; readonly init: RequestInit }[] = []

  const idToken = async ({ name, asked }: Grant) => {
    const claims = {
      iss: `${origins[name]}/`,
      aud: client,
      nonce: asked.get('nonce'),
      email: 'ada@example.org',
      email_verified: true,
      ...script.claims,
    }
    const input = [headerOf(script.header), claimsOf(claims)].map(encoded).join('.')
    return (script.token ?? ((token) => token))(await signed(input, script.by ?? (name === 'own' ? 'own' : 'second')))
  }
  const tokenAnswer = async (name: Name, init: RequestInit): Promise<Response> => {
    const refused = (error: string, status = 400) => Response.json({ error }, { status })
    // RFC 6749, section 2.3.1: both are written as in a form.
    const written = [client, secret].map((each) => new URLSearchParams({ '': each }).toString().slice(1)).join(':')
    if (new Headers(init.headers).get('authorization') !== `Basic ${Buffer.from(written).toString('base64')}`)
      return refused('invalid_client', 401)
    const form = new URLSearchParams(String(init.body))
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant === undefined || grant.name !== name || form.get('redirect_uri') !== grant.asked.get('redirect_uri'))
      return refused('invalid_grant')
    if (script.forgetsPkce !== true && challenge !== grant.asked.get('code_challenge')) return refused('invalid_grant')
    return Response.json({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await idToken(grant), ...script.answer })
  }
  const answered = (address: string, init: RequestInit): Response | Promise<Response> => {
    const { origin, pathname } = new URL(address)
    const [name] = Object.entries(origins).flatMap(([each, at]) => (at === origin ? [each as Name] : []))
    const { instead = {} } = script
    // Whoever follows a redirect hands code and secret on, and is answered.
    if (name === undefined) return tokenAnswer('own', init)
    if (pathname === '/token') return instead.token?.(init) ?? tokenAnswer(name, init)
    if (pathname === '/keys') return instead.keys?.(init) ?? Response.json(tokens.keys)
    const metadata = {
      ...{
        issuer: `${origin}/`,
        authorization_endpoint: `${origin}/authorize?tenant=t`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
      },
      ...{ authorization_response_iss_parameter_supported: name === 'own', ...script.metadata },
    }
    return instead.metadata?.(init) ?? Response.json(metadata)
  }
  const fetching: typeof fetch = async (input, init = {}) => {
    const address = String(input)
    sent.push({ address, init })
    const response = await answered(address, init)
    if (response.status < 300 || response.status >= 400) return response
    // As of a browser: whoever follows sends the body on.
    if (init.redirect !== 'follow' && init.redirect !== undefined) throw new TypeError('fetch failed')
    return fetching(response.headers.get('location') ?? '', init)
  }
  const options = {
    issuers: [{ ...own, ...setting }, second, third],
    table,
    fetch: fetching,
    bounds: { timeout_ms: script.timeout_ms ?? 600_000 },
  }
  const party = relyingPartyBy({ ...refusing(table), ...change(refusing(table)) }, options)

  return {
    ...{ table, party, sent, now_s: () => now_ms / 1000 },
    later: (ms: number) => {
      now_ms += ms
    },
    /** Begins in a browser of its own. */
    begin: (name: string = 'own') => party.begin(name, { back: backOf(name), design: 'rebac', former: 'fhs_former' }),
    /** A person signs in at the issuer. @returns the parameters with which it sends the browser back */
    authorize: (to: string): URLSearchParams => {
      const { origin, searchParams: asked } = new URL(to)
      const name: Name = origin === origins.own ? 'own' : 'second'
      const code = randomUUID()
      grants.set(code, { asked, name })
      return new URLSearchParams({ code, state: asked.get('state') ?? '', ...(name === 'own' ? { iss: `${origin}/` } : {}) })
    },
  }
}

export type Scripted = Awaited<ReturnType<typeof scripted>>
