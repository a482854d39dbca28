import type { VerifiedPerson, VerifiedToken } from '@freehold/frame/issuers'
import { isPlainText, malformedClaim, readToken, type TokenParts } from '@freehold/frame/reading'
import { FreeholdError } from '@freehold/table'
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type LookupLimits, limitedLookups } from '../keys/lookups.ts'
import { type Issuer, readIssuers } from './issuer.ts'
import { type KeySetOptions, keySetOf } from './key-set.ts'

export interface TokenOptions extends Partial<KeySetOptions> {
  /** How far the clocks of issuer and service may differ, in seconds. By default 30. */
  readonly leeway_s?: number
  /** The most characters of a token: 8,192 by default. */
  readonly chars_max?: number
}

/** Verifies tokens of the configured issuers. Undefined for any other. Throws `Unavailable` if the keys of its issuer are not available. */
export type TokenVerifier = (text: string) => Promise<VerifiedToken | undefined>

const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const idChars_max = 1_024
/** RFC 8725, section 3.11: a JWT of another kind, such as a logout token, is none. Many issuers write no type. */
const types: readonly unknown[] = [undefined, 'jwt', 'at+jwt']

/** Tokens that wait for the keys of their issuers. A waiting client has only sent its headers. */
const atOnce: LookupLimits = { atOnce_max: 64, waiting_max: 1_000 }

/** True for text in the form of a token, which an API key never has. */
export function isToken(text: string): boolean {
  return compactForm.test(text)
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= idChars_max && isPlainText(value) ? value : undefined
}

function typeOf({ typ }: TokenParts['header']): unknown {
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
}

function personOf(issuer: string, provider: string, subject: string, { email, email_verified, name }: JWTPayload): VerifiedPerson {
  const address = idIn(email)
  return {
    ...{ provider, issuer, subject, address, isAddressVerified: address !== undefined && email_verified === true },
    ...{ name: idIn(name), firstSight: 'refuse' },
  }
}

/** @throws InvalidInput for issuers that are wrong */
export function tokenVerifier(
  given: readonly Issuer[],
  { now = () => new Date(), fetch, bounds, leeway_s = 30, chars_max = 8_192 }: TokenOptions = {},
): TokenVerifier {
  const known = new Map<string, readonly [Issuer, JWTVerifyGetKey]>()
  for (const issuer of readIssuers(given)) known.set(issuer.issuer, [issuer, keySetOf(issuer, { now, fetch, bounds })])

  const verified = async (text: string): Promise<VerifiedToken | undefined> => {
    const parts = readToken(text)
    if (parts === undefined || malformedClaim(parts) !== undefined) return undefined
    // The issuer only chooses the keys: signature and claims are verified below.
    const [issuer, keys] = known.get(String(parts.claims.iss)) ?? []
    if (issuer === undefined || keys === undefined || !types.includes(typeOf(parts.header))) return undefined
    const { payload } = await jwtVerify(text, keys, {
      issuer: issuer.issuer,
      audience: [...[issuer.audience].flat()],
      algorithms: [...issuer.algorithms],
      requiredClaims: ['exp', 'sub'],
      clockTolerance: leeway_s,
      currentDate: now(),
    })
    const { designs, user } = issuer
    const id = idIn('claim' in user ? payload[user.claim] : payload.sub)
    if (id === undefined) return undefined
    return {
      issuer: issuer.issuer,
      designs,
      user: 'claim' in user ? { id } : personOf(issuer.issuer, user.provider, id, payload),
      claims: payload,
    }
  }

  const bounded = limitedLookups(verified, atOnce)
  return async (text) => {
    if (text.length > chars_max || !isToken(text)) return undefined
    try {
      return await bounded(text)
    } catch (error) {
      // What is wrong with a token is nobody's to know. What jose does not name is a fault, which denies, too.
      if (error instanceof errors.JOSEError) return undefined
      if (error instanceof FreeholdError) throw error
      throw new FreeholdError('Unavailable', 'The token could not be verified.', {}, { cause: error })
    }
  }
}
