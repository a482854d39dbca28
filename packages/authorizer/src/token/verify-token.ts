import { malformedClaim, readToken, type TokenParts } from '@freehold/frame/reading'
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { Denial, tokenDenial } from '../denial.ts'
import type { TokenMap } from '../map/authorizer-map.ts'
import { idText } from '../request/id-text.ts'

export interface VerifiedToken {
  /** The id of the user, as the design writes it. */
  readonly user: string
  readonly claims: Readonly<JWTPayload>
}

/** API Gateway takes 10,240 bytes of headers. */
const tokenLength_max = 16_384
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/
/** The types of a token that is no other kind of JWT, such as a logout token: RFC 8725, section 3.11. Many issuers write none. */
const typesUnlessGiven: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt']

/**
 * The token of an Authorization header. Only this header is read.
 * @param values all values of the header
 */
export function bearerToken(values: readonly string[]): string {
  const [value, another] = values
  if (value === undefined || value === '') throw tokenDenial('TokenMissing', 'There is no Authorization header.')
  if (another !== undefined) throw tokenDenial('TokenAmbiguous', 'There are several Authorization headers.')
  const [, token] = /^Bearer +(\S+)$/i.exec(value) ?? []
  if (token === undefined) throw tokenDenial('TokenMalformed', 'The Authorization header holds no bearer token.')
  return token
}

const codesOfClaims: Readonly<Record<string, string>> = {
  iss: 'IssuerWrong',
  aud: 'AudienceWrong',
  nbf: 'TokenNotYetValid',
}

/** The denial for an error of jose. Its own message is not taken over: it might hold what the token says. */
function denialOf(error: unknown): Denial {
  if (error instanceof errors.JWTExpired) return tokenDenial('TokenExpired', 'The token has expired.')
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error
    const code = reason === 'check_failed' ? codesOfClaims[claim] : undefined
    if (code !== undefined) return tokenDenial(code, `The claim ${claim} of the token is not accepted.`)
    return reason === 'missing'
      ? tokenDenial('ClaimMissing', `The token lacks the claim ${claim}.`)
      : tokenDenial('ClaimMalformed', `The claim ${claim} of the token is malformed.`)
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return tokenDenial('AlgorithmNotAllowed', 'The algorithm of the token is not allowed.')
  if (error instanceof errors.JWSSignatureVerificationFailed) return tokenDenial('SignatureInvalid', 'The signature of the token is wrong.')
  if (error instanceof errors.JWKSNoMatchingKey) return tokenDenial('KeyUnknown', 'The key set has no key for this token.')
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return tokenDenial('KeyUnknown', 'The key set has several keys for this token, which names none.')
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return tokenDenial('TokenMalformed', 'The token is not a signed JWT.')
  if (error instanceof errors.JOSENotSupported) return tokenDenial('TokenMalformed', 'The token needs what is not supported.')
  return new Denial('fault', 'KeysUnavailable', 'The keys of the issuer are not available.', { cause: error })
}

function partsOf(token: string): TokenParts {
  const parts = token.length <= tokenLength_max && compactForm.test(token) ? readToken(token) : undefined
  if (parts === undefined) throw tokenDenial('TokenMalformed', 'The token is not a signed JWT, or has several readings.')
  return parts
}

/** RFC 7515, section 4.1.9: `application/` may be left out. */
function checkType(typ: unknown, expected: string | undefined): void {
  const given = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  const accepted = expected === undefined ? typesUnlessGiven : [expected.toLowerCase()]
  if (!accepted.some((each) => each === given)) throw tokenDenial('TokenTypeWrong', 'The type of the token is not accepted.')
}

/** The id of the user. Names are no ids: a user may choose a name that is another's subject. */
function userOf(claims: JWTPayload, claim: string): string {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  if (value === undefined) throw tokenDenial('ClaimMissing', `The token lacks the claim ${claim}, which has the id of the user.`)
  const id = idText(value)
  if (id === undefined) throw tokenDenial('ClaimMalformed', `The claim ${claim} of the token is no id of a user.`)
  return id
}

export interface TokenVerifier {
  verify(token: string, now: Date): Promise<VerifiedToken>
}

/**
 * Verifies tokens: algorithm, signature, type, issuer, audience, expiry, begin, subject.
 * @param lasts_s how long a token must last from now on: a cached answer does not outlive it
 */
export function tokenVerifier(token: TokenMap, keys: JWTVerifyGetKey, lasts_s: number): TokenVerifier {
  const { issuer, audience, algorithms, user, type, tolerance_s } = token
  return {
    async verify(text, now) {
      const parts = partsOf(text)
      const { alg, typ } = parts.header
      if (typeof alg !== 'string' || !algorithms.some((each) => each === alg))
        throw tokenDenial('AlgorithmNotAllowed', 'The algorithm of the token is not allowed.')
      checkType(typ, type)
      const { payload } = await jwtVerify(text, keys, {
        algorithms: [...algorithms],
        issuer: [...issuer],
        audience: [...audience],
        clockTolerance: tolerance_s,
        currentDate: now,
        requiredClaims: ['exp', 'sub'],
      }).catch((error: unknown) => {
        throw denialOf(error)
      })
      const malformed = malformedClaim(parts)
      if (malformed !== undefined) throw tokenDenial('ClaimMalformed', `The claim ${malformed} of the token is malformed.`)
      if (lasts_s > 0 && Number(payload.exp) * 1000 < now.getTime() + lasts_s * 1000)
        throw tokenDenial('TokenExpired', 'The token expires before a cached answer would.')
      return { user: userOf(payload, user), claims: payload }
    },
  }
}
