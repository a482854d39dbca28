import type { TokenCode } from '@freehold/frame/issuers'
import { type Awaitable, whenThere } from '@freehold/table/runtime'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { VerifiedKey } from '../keys/purpose.ts'
import type { RequestCaller } from './caller.ts'
import { notFromConsole, sessionText } from './console-cookie.ts'
import { problem } from './problem.ts'
import type { Answer } from './route.ts'
import type { RequestHeaders } from './service-request.ts'
import type { SignedInPeople } from './signed-in-people.ts'
import { isToken, type UserTokens } from './user-tokens.ts'

/** The keys of a service. A program's own may have `verify` alone: each key is then an operator's. */
export type VerifyingKeys = Pick<ApiKeys, 'verify'> & Partial<ApiKeys>

/** Who sent a request, as the log names it. */
export interface Identified {
  readonly caller: RequestCaller
  /** The id of its API key. */
  readonly key?: string
  /** The issuer of its token, as it is configured, or that by which it signed in. */
  readonly issuer?: string
}

/** The answer to a request whose sender is not known. `reason` is for the log alone. */
export interface Unidentified {
  readonly refusal: Answer
  readonly reason?: TokenCode
}

/** The token of the person for whom an application calls, by the name of RFC 8693. */
export const subjectToken = 'Subject-Token'

/** RFC 6750, section 2.1. The case of the scheme does not matter (RFC 9110, section 11.1). */
const bearer = /^Bearer +(\S+)$/i

function verifiedKey(keys: VerifyingKeys, text: string): Awaitable<VerifiedKey | undefined> {
  if (keys.identify !== undefined) return keys.identify(text)
  return keys.verify(text).then((keyId) => (keyId === undefined ? undefined : { keyId, purpose: 'operator' }))
}

/** Tells who sent a request by its API key, its token of a configured issuer, or its session of the console. All invalid ones get the same answer, as a `refusal`. */
export function authenticate(
  keys: VerifyingKeys,
  verifyToken?: UserTokens,
  trustedProxies = 0,
  people?: Pick<SignedInPeople, 'identify'>,
): (headers: RequestHeaders, method: string) => Awaitable<Identified | Unidentified> {
  const realm = 'Bearer realm="freehold"'
  const options = { status: 401, headers: { 'WWW-Authenticate': realm } } as const
  // RFC 6750, section 3.1. A request without a key is told no error.
  const invalid = { status: 401, headers: { 'WWW-Authenticate': `${realm}, error="invalid_token"` } } as const
  const keyless = problem('Denied', 'This needs an API key: send it as Authorization: Bearer KEY.', options)
  const unknown = problem('Denied', 'This API key is not valid here.', invalid)
  const ended = problem('Denied', 'This session has ended: sign in again.', options)
  const notShown = problem('Denied', `Only an application shows the token of a person, in ${subjectToken}.`)
  const notValid = problem('Denied', 'This token is not valid here.', invalid)
  const byToken = (token: Awaited<ReturnType<UserTokens>>): Identified | Unidentified =>
    'refused' in token
      ? { refusal: notValid, reason: token.refused }
      : { issuer: token.issuer, caller: { purpose: 'user', designs: token.designs, token } }
  const byKey = (key: VerifiedKey | undefined): Identified | Unidentified =>
    key === undefined ? { refusal: unknown } : { key: key.keyId, caller: key }
  /** An application shows the token of the person for whom it calls. Beside another key it would be left unread. */
  const showing = async (text: string, key: VerifiedKey | undefined): Promise<Identified | Unidentified> => {
    if (key?.purpose !== 'application' || verifyToken === undefined) return { refusal: key === undefined ? unknown : notShown }
    const token = await verifyToken(text)
    if ('refused' in token) return { refusal: notValid, reason: token.refused }
    return { key: key.keyId, issuer: token.issuer, caller: { ...key, token } }
  }
  const byPerson = (caller: RequestCaller): Identified => {
    const { issuer } = caller.person ?? {}
    return { caller, ...(issuer === undefined ? {} : { issuer }) }
  }
  /** A browser sends the cookie with any request that anybody makes it send: the request must be the console's own. */
  const bySession = (session: string, headers: RequestHeaders, method: string) =>
    notFromConsole(headers, method) ??
    whenThere(keys.sessions?.identify(session), (key) =>
      key === undefined
        ? whenThere(people?.identify(session), (caller) => (caller === undefined ? { refusal: ended } : byPerson(caller)))
        : byKey(key),
    )
  return (headers, method) => {
    const [, text] = bearer.exec(headers.get('authorization') ?? '') ?? []
    const shown = headers.get(subjectToken)
    if (text === undefined) {
      const session = headers.get('authorization') === null ? sessionText(headers, trustedProxies) : undefined
      if (session === undefined) return { refusal: keyless }
      return shown === null ? bySession(session, headers, method) : { refusal: notShown }
    }
    if (verifyToken !== undefined && isToken(text)) return shown === null ? verifyToken(text).then(byToken) : { refusal: notShown }
    return whenThere(verifiedKey(keys, text), shown === null ? byKey : (key) => showing(shown, key))
  }
}
