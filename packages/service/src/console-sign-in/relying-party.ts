import {
  type Issuer,
  type IssuerPort,
  issuerPort,
  type Metadata,
  objectIn,
  type TokenOptions,
  TokenRefusal,
  tokenVerifier,
  type VerifiedToken,
} from '@freehold/frame/issuers'
import type { Table } from '@freehold/table'
import * as oidc from 'openid-client'
import type { serviceDesign } from '../keys/design.ts'
import { type AnswerGuard, answerGuards } from './answer-guards.ts'
import { type KeptSignIn, openSignIn, sealSignIn } from './kept-sign-in.ts'
import type { Finished, RelyingParty } from './sign-in-port.ts'
import { SignInRefusal } from './sign-in-refusal.ts'
import { usedOnce } from './used-once.ts'

export interface RelyingPartyOptions extends Pick<TokenOptions, 'fetch' | 'bounds'> {
  /** The issuers of the service. People sign in at those with `signIn`. */
  readonly issuers: readonly Issuer[]
  /** The table of the service's own. Its secret seals what a browser keeps, and in it each sign-in counts once. */
  readonly table: Table<typeof serviceDesign>
}

/** The parts that refuse. Tests take one away at a time. */
export interface Refusing {
  readonly port: typeof issuerPort
  readonly verifier: typeof tokenVerifier
  readonly guards: readonly AnswerGuard[]
  readonly open: typeof openSignIn
  readonly once: (state: string) => Promise<void>
  readonly nonce: (token: VerifiedToken, kept: KeptSignIn) => void
}

export const refusing = (table: RelyingPartyOptions['table']): Refusing => ({
  port: issuerPort,
  verifier: tokenVerifier,
  guards: Object.values(answerGuards),
  open: openSignIn,
  once: usedOnce(table),
  nonce: ({ claims }, { nonce }) => {
    if (claims.nonce !== nonce) throw new SignInRefusal('NonceWrong')
  },
})

/** An issuer, its client, and the verifier of the tokens for that client. */
interface Way extends IssuerPort {
  readonly issuer: Issuer
  readonly client: string
  readonly secret: string | undefined
  readonly verify: (token: string) => Promise<VerifiedToken>
}

/** A verified address finds a user, and a new one has a name. */
const scope = 'openid email profile'

const isOfClient: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

/** The refusal for an error of the library. Its message is not taken over: it may hold what an issuer says. */
function refusalOf(error: unknown): SignInRefusal | TokenRefusal {
  const { cause } = Object(error)
  for (const each of [error, cause]) if (each instanceof SignInRefusal || each instanceof TokenRefusal) return each
  if (error instanceof oidc.ResponseBodyError) return new SignInRefusal(isOfClient.has(error.error) ? 'ClientRefused' : 'CodeRefused')
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new SignInRefusal('ClientRefused')
  return new SignInRefusal('IssuerUnavailable', { cause: error })
}

/** The client at an issuer with these metadata. Which algorithms sign is for our settings to say. */
function configured({ issuer: { algorithms }, client, secret }: Way, metadata: Metadata, now: Date): oidc.Configuration {
  const { token_endpoint_auth_methods_supported: methods } = metadata
  // RFC 6749, section 2.3.1: a server takes Basic. Some say that they do not.
  const isPosted = Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  const auth = secret === undefined ? oidc.None() : isPosted ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
  const server = { ...metadata, id_token_signing_alg_values_supported: [...algorithms] }
  // The library has a clock of its own.
  const skew_s = Math.round((now.getTime() - Date.now()) / 1000)
  // `metadataOf` has read it as JSON, which is all that the library's type asks for.
  const config = new oidc.Configuration(server as oidc.ServerMetadata, client, { [oidc.clockSkew]: skew_s }, auth)
  // `addressIn` has let in http for this machine alone.
  if (metadata.issuer.startsWith('http:')) oidc.allowInsecureRequests(config)
  return config
}

export function relyingPartyBy(parts: Refusing, { issuers, table, fetch, bounds }: RelyingPartyOptions): RelyingParty {
  const { runtime } = table
  const { now } = runtime
  const options = { now, fetch, bounds }
  const ways = new Map<string, Way>()
  for (const issuer of issuers) {
    const { signIn, user } = issuer
    if (signIn === undefined || !('provider' in user)) continue
    const { client, secret } = signIn
    // OpenID Connect Core, section 3.1.3.7: the audience of an id token is the client. Its `typ` is not that of access tokens.
    const forClient = { ...issuer, audience: client, clients: client, type: undefined }
    ways.set(user.provider, { ...{ issuer, client, secret, ...parts.port(issuer, options) }, verify: parts.verifier([forClient], options) })
  }
  const wayOf = (name: string): Way => {
    const way = ways.get(name)
    if (way === undefined) throw new SignInRefusal('SignInNotBegun')
    return way
  }
  const metadataOf = (way: Way) =>
    way.metadata().catch((error: unknown) => {
      throw new SignInRefusal('IssuerUnavailable', { cause: Object(error).cause ?? error })
    })
  /** Changes the code for an id token, which our verifier reads first: it refuses what has several readings. */
  const exchanged = async (way: Way, metadata: Metadata, parameters: URLSearchParams, kept: KeptSignIn): Promise<VerifiedToken> => {
    const config = configured(way, metadata, now())
    const ask = way.fetch()
    let token: VerifiedToken | undefined
    config[oidc.customFetch] = async (address, { body, headers, method }) => {
      const response = await ask(address, { headers, method, ...(body === undefined ? {} : { body }) })
      if (response.status !== 200) return response
      const { id_token } = await objectIn(response.clone())
      if (typeof id_token !== 'string') throw new SignInRefusal('IssuerUnavailable')
      token = await way.verify(id_token)
      parts.nonce(token, kept)
      return response
    }
    const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier, back } = kept
    try {
      const checks = { expectedState, expectedNonce, pkceCodeVerifier }
      await oidc.authorizationCodeGrant(config, new URL(`${back}?${parameters}`), checks)
    } catch (error) {
      throw refusalOf(error)
    }
    if (token === undefined) throw new SignInRefusal('IssuerUnavailable')
    return token
  }
  return {
    issuers: new Map([...ways].map(([name, { issuer }]) => [name, issuer])),
    begin: async (name, { back, design, former }) => {
      const way = wayOf(name)
      const metadata = await metadataOf(way)
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const to = oidc.buildAuthorizationUrl(configured(way, metadata, now()), {
        ...{ redirect_uri: back, scope, state, nonce },
        ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      })
      const kept = { state, nonce, verifier, at_ms: now().getTime(), back, design, former }
      return { to: to.href, kept: sealSignIn(runtime, name, kept) }
    },
    finish: async (name, parameters, sealed): Promise<Finished> => {
      const way = wayOf(name)
      const kept = parts.open(runtime, name, sealed)
      if (kept === undefined) throw new SignInRefusal('SignInNotBegun')
      const metadata = await metadataOf(way)
      for (const guard of parts.guards) guard({ parameters, kept, metadata, now_ms: now().getTime() })
      await parts.once(kept.state)
      const { design, former } = kept
      return { token: await exchanged(way, metadata, parameters, kept), design, former }
    },
  }
}

/** Signs people in at issuers by code flow, with PKCE. The library speaks OpenID Connect; our verifier reads the tokens. */
export const relyingParty = (options: RelyingPartyOptions): RelyingParty => relyingPartyBy(refusing(options.table), options)
