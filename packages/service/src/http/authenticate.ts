import type { MiddlewareHandler } from 'hono'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { VerifiedKey } from '../keys/purpose.ts'
import { isToken, type TokenVerifier } from '../tokens/token-verifier.ts'
import { problem } from './problem.ts'
import { type Env, respond } from './respond.ts'

/** The keys of a service. A program's own may have `verify` alone: each key is then an operator's. */
export type VerifyingKeys = Pick<ApiKeys, 'verify'> & Partial<ApiKeys>

/** RFC 6750, section 2.1. The case of the scheme does not matter (RFC 9110, section 11.1). */
const bearer = /^Bearer +(\S+)$/i

async function verifiedKey(keys: VerifyingKeys, text: string): Promise<VerifiedKey | undefined> {
  if (keys.identify !== undefined) return keys.identify(text)
  const keyId = await keys.verify(text)
  return keyId === undefined ? undefined : { keyId, purpose: 'operator' }
}

/** Lets requests with a valid API key through, or with a valid token of a configured issuer. All invalid ones get the same answer. */
export function authenticate(keys: VerifyingKeys, verifyToken?: TokenVerifier): MiddlewareHandler<Env> {
  const options = { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="freehold"' } } as const
  const keyless = problem('Denied', 'This needs an API key: send it as Authorization: Bearer KEY.', options)
  const unknown = problem('Denied', 'This API key is not valid here.', options)
  const notValid = problem('Denied', 'This token is not valid here.', options)
  return async (c, next) => {
    const [, text] = bearer.exec(c.req.header('authorization') ?? '') ?? []
    if (verifyToken !== undefined && text !== undefined && isToken(text)) {
      const token = await verifyToken(text)
      if (token === undefined) return respond(c, notValid)
      c.set('issuer', token.issuer)
      c.set('caller', { purpose: 'user', designs: token.designs, token })
      return next()
    }
    const key = text === undefined ? undefined : await verifiedKey(keys, text)
    if (key === undefined) return respond(c, text === undefined ? keyless : unknown)
    c.set('key', key.keyId)
    c.set('caller', key)
    return next()
  }
}
