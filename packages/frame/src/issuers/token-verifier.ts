import { compactVerify, errors, type JWTVerifyGetKey } from 'jose'
import type { Fields } from '../gateway/gateway-event.ts'
import { readToken } from '../reading/read-token.ts'
import { claimGuards, claimOf, type Guard, type GuardedToken, headerGuards, idIn, isId } from './guards.ts'
import { type Issuer, readIssuers } from './issuer.ts'
import { type KeySetOptions, keySetOf } from './key-set.ts'
import { secretKey, type TokenSecret } from './shared-secret.ts'
import { missing, TokenRefusal } from './token-refusal.ts'
import type { VerifiedToken } from './verified-token.ts'

export interface TokenOptions extends Partial<KeySetOptions> {
  /** How far the clocks of issuer and verifier may differ unless the issuer says it, in seconds. By default 30. */
  readonly leeway_s?: number
  /** The most characters of a token: 8,192 by default. */
  readonly chars_max?: number
}

export interface VerifierOptions extends TokenOptions {
  /** The secret that issuer and verifier share, for `keys: secret`. It never stands in a file of issuers. */
  readonly secret?: TokenSecret | undefined
  /** How long a token must last from now on. By default it need not. */
  readonly lasts_s?: number
}

/** Verifies a token of the configured issuers. Throws `TokenRefusal`, whose code says why; `KeysUnavailable` says nothing of the token. */
export type TokenVerifier = (text: string) => Promise<VerifiedToken>

/** The steps of a verification, in this order. Tests take away one part at a time. */
export interface Verification {
  /** Undefined for text that is no token, or has several readings. */
  readonly read: typeof readToken
  readonly header: readonly Guard[]
  readonly signature: (text: string, keys: JWTVerifyGetKey, token: GuardedToken) => Promise<unknown>
  readonly claims: readonly Guard[]
}

/** The refusal for an error of jose. Its own message is not taken over: it might hold what the token says. */
function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof TokenRefusal) return error
  if (error instanceof errors.JOSEAlgNotAllowed) return new TokenRefusal('AlgorithmNotAllowed')
  if (error instanceof errors.JWSSignatureVerificationFailed) return new TokenRefusal('SignatureInvalid')
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return new TokenRefusal('KeyUnknown')
  if (error instanceof errors.JWSInvalid || error instanceof errors.JOSENotSupported) return new TokenRefusal('TokenMalformed')
  return new TokenRefusal('KeysUnavailable', 'The keys of the issuer cannot be used.', { cause: error })
}

export const verification: Verification = {
  read: readToken,
  header: Object.values(headerGuards),
  signature: (text, keys, { issuer: { algorithms } }) => compactVerify(text, keys, { algorithms: [...algorithms] }),
  claims: Object.values(claimGuards),
}

/** The user whom the token names. Texts that no log may show count as absent. */
function verifiedOf(claims: Fields, iss: string, { user, claims: names = {}, tenants, designs }: Issuer): VerifiedToken {
  const textAt = (name: string | undefined) => {
    const value = name === undefined ? undefined : claimOf(claims, name)
    return isId(value) ? value : undefined
  }
  const { subject = 'sub', address = 'email', name = 'name', tenant } = names
  // The usual flag says nothing of an address in another claim, which its owner may write.
  const { verified = address === 'email' ? 'email_verified' : undefined } = names
  if ('claim' in user) return { issuer: iss, designs, user: { id: idIn(claims, user.claim) }, claims }
  const flag = verified === undefined ? false : claimOf(claims, verified)
  const person = {
    ...{ provider: user.provider, issuer: iss, subject: idIn(claims, subject), address: textAt(address) },
    // Some issuers write flags as text.
    isAddressVerified: textAt(address) !== undefined && (flag === true || flag === 'true'),
    // A claim that settings filter by has the issuer's own word for a tenant, such as a domain.
    ...{ tenant: tenants === undefined ? textAt(tenant) : undefined, name: textAt(name), firstSight: user.firstSight ?? 'refuse' },
  }
  return { issuer: iss, designs, user: person, claims }
}

export function verifierBy(
  { read, header, signature, claims }: Verification,
  issuers: readonly Issuer[],
  { now = () => new Date(), fetch, bounds, leeway_s = 30, chars_max = 8_192, secret, lasts_s = 0 }: VerifierOptions,
): TokenVerifier {
  const known = new Map<unknown, readonly [Issuer, JWTVerifyGetKey]>()
  for (const issuer of issuers) {
    const key = issuer.keys === 'secret' ? secretKey(issuer, secret) : undefined
    const keys: JWTVerifyGetKey = key === undefined ? keySetOf(issuer, { now, fetch, bounds }) : async () => key
    for (const name of [issuer.issuer].flat()) known.set(name, [issuer, keys])
  }
  return async (text) => {
    const parts = text.length <= chars_max ? read(text) : undefined
    if (parts === undefined) throw new TokenRefusal('TokenMalformed')
    const iss = claimOf(parts.claims, 'iss')
    if (iss === undefined) throw missing('iss')
    // The issuer only chooses the keys: signature and claims are verified below.
    const [issuer, keys] = known.get(iss) ?? []
    if (issuer === undefined || keys === undefined || typeof iss !== 'string') throw new TokenRefusal('IssuerWrong')
    const now_s = Math.floor(now().getTime() / 1000)
    const token: GuardedToken = { ...parts, issuer, now_s, leeway_s: issuer.leeway_s ?? leeway_s, lasts_s }
    for (const guard of header) guard(token)
    await signature(text, keys, token).catch((error: unknown) => {
      throw refusalOf(error)
    })
    for (const guard of claims) guard(token)
    return verifiedOf(parts.claims, iss, issuer)
  }
}

/**
 * Verifies tokens of these issuers: form, algorithm, type, signature, times, audience, application, tenant, subject.
 * @throws InvalidInput for issuers that are wrong, and for a secret that is missing or too short
 */
export function tokenVerifier(given: readonly Issuer[], options: VerifierOptions & { readonly takesSecret?: boolean } = {}): TokenVerifier {
  return verifierBy(verification, readIssuers(given, options), options)
}
