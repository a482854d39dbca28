import type { Fields } from '../gateway/gateway-event.ts'
import { isPlainText } from '../reading/read-token.ts'
import type { Issuer } from './issuer.ts'
import { malformed, missing, TokenRefusal } from './token-refusal.ts'

/** A token that was read, and what it is held against. */
export interface GuardedToken {
  readonly header: Fields
  readonly claims: Fields
  readonly issuer: Issuer
  readonly now_s: number
  readonly leeway_s: number
  /** How long it must last from now on: a cached answer does not outlive its token. */
  readonly lasts_s: number
}

/** One condition of a token. It throws `TokenRefusal` for a token that breaks it, and holds no other guard's part. */
export type Guard = (token: GuardedToken) => void

/** A claim of the token's own: `constructor` is none. */
export const claimOf = (claims: Fields, name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined)

const idChars_max = 1_024
/** Text that may stand in a key and a log. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= idChars_max && isPlainText(value)

const textsOf = (value: string | readonly string[] | undefined): readonly string[] => (value === undefined ? [] : [value].flat())

/** The id that a claim has. */
export function idIn(claims: Fields, name: string): string {
  const value = claimOf(claims, name)
  if (value === undefined) throw missing(name)
  if (!isId(value)) throw malformed(name)
  return value
}

/** RFC 8725, section 3.11: a JWT of another kind, such as a logout token, is none. Many issuers write no type. */
const types: readonly unknown[] = [undefined, 'jwt', 'at+jwt']
/** RFC 7515, section 4.1.9: `application/` may be left out. */
const typeOf = (typ: unknown): unknown => (typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ)

/** The conditions of the header, before a key is looked for. */
export const headerGuards = {
  /** RFC 7515, section 4.1.11: no extension is understood here, so none may be critical. */
  critical({ header: { crit } }) {
    if (crit !== undefined) throw new TokenRefusal('TokenMalformed')
  },
  algorithm({ header: { alg }, issuer: { algorithms } }) {
    if (!algorithms.some((each) => each === alg)) throw new TokenRefusal('AlgorithmNotAllowed')
  },
  type({ header: { typ }, issuer: { type } }) {
    const accepted = type === undefined ? types : [typeOf(type)]
    if (!accepted.includes(typeOf(typ))) throw new TokenRefusal('TokenTypeWrong')
  },
} satisfies Readonly<Record<string, Guard>>

/** A later second is a count of milliseconds: RFC 7519, section 2, has seconds. It is one of the year 5138. */
const seconds_max = 100_000_000_000
const times = ['exp', 'nbf', 'iat'] as const
const secondsOf = (claims: Fields, name: (typeof times)[number]): number | undefined => {
  const value = claimOf(claims, name)
  return typeof value === 'number' ? value : undefined
}

const isAccess = (claims: Fields) => claimOf(claims, 'token_use') === 'access'

/** The conditions of the claims, once the signature is verified. */
export const claimGuards = {
  subject({ claims }) {
    idIn(claims, 'sub')
  },
  end({ claims }) {
    if (claimOf(claims, 'exp') === undefined) throw missing('exp')
  },
  times({ claims }) {
    for (const name of times) if (claimOf(claims, name) !== undefined && secondsOf(claims, name) === undefined) throw malformed(name)
  },
  seconds({ claims }) {
    for (const name of times)
      if (Math.abs(secondsOf(claims, name) ?? 0) >= seconds_max) throw malformed(name, 'is in milliseconds: RFC 7519 has seconds')
  },
  expiry({ claims, now_s, leeway_s }) {
    if ((secondsOf(claims, 'exp') ?? now_s) <= now_s - leeway_s) throw new TokenRefusal('TokenExpired')
  },
  begin({ claims, now_s, leeway_s }) {
    if ((secondsOf(claims, 'nbf') ?? now_s) > now_s + leeway_s) throw new TokenRefusal('TokenNotYetValid')
  },
  lasting({ claims, now_s, lasts_s }) {
    if (lasts_s > 0 && (secondsOf(claims, 'exp') ?? now_s) < now_s + lasts_s)
      throw new TokenRefusal('TokenExpired', 'The token expires before a cached answer would.')
  },
  /** Cognito says what a token is for. An access token is one for `clients`, any other one for `audience`. */
  use({ claims, issuer: { clients } }) {
    const use = claimOf(claims, 'token_use')
    if (use !== undefined && use !== 'id' && !(use === 'access' && clients !== undefined)) throw new TokenRefusal('TokenUseWrong')
  },
  audience({ claims, issuer: { audience, clients } }) {
    const aud = claimOf(claims, 'aud')
    // An access token of Cognito has its application in `client_id`, and an `aud` only if it is bound to a resource.
    if (aud === undefined && isAccess(claims)) return
    if (aud === undefined) throw missing('aud')
    const isTexts = Array.isArray(aud) && aud.every((each) => typeof each === 'string')
    if (typeof aud !== 'string' && !isTexts) throw malformed('aud')
    const accepted = textsOf(audience ?? (isAccess(claims) ? clients : undefined))
    if (![aud].flat().some((each) => accepted.includes(each))) throw new TokenRefusal('AudienceWrong')
  },
  client({ claims, issuer: { clients } }) {
    if (isAccess(claims)) idIn(claims, 'client_id')
    if (clients === undefined) return
    const [aud, own] = [claimOf(claims, 'aud'), claimOf(claims, 'client_id')]
    const client = isAccess(claims) ? own : (claimOf(claims, 'azp') ?? own)
    // OpenID Connect Core, section 3.1.3.7: a token for several says for whom it was made.
    if (client === undefined && !(Array.isArray(aud) && aud.length > 1)) return
    if (!textsOf(clients).some((each) => each === client)) throw new TokenRefusal('ClientWrong')
  },
  tenant({ claims, issuer: { tenants, claims: names = {} } }) {
    if (tenants === undefined || names.tenant === undefined) return
    const tenant = claimOf(claims, names.tenant)
    if (!tenants.some((each) => each === tenant)) throw new TokenRefusal('TenantWrong')
  },
} satisfies Readonly<Record<string, Guard>>
