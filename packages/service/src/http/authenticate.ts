import type { MiddlewareHandler } from 'hono'
import type { ApiKeys } from '../keys/api-keys.ts'
import { problem } from './problem.ts'
import { type Env, respond } from './respond.ts'

/** RFC 6750, section 2.1; the scheme is told apart without regard to case (RFC 9110, section 11.1). */
const bearer = /^Bearer +(\S+)$/i

/** Lets through what carries an API key that is known. All other keys get one and the same answer, whatever is wrong with them. */
export function authenticate(keys: Pick<ApiKeys, 'verify'>): MiddlewareHandler<Env> {
  const options = { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="freehold"' } } as const
  const keyless = problem('Denied', 'This needs an API key: send it as Authorization: Bearer KEY.', options)
  const unknown = problem('Denied', 'This API key is not known here.', options)
  return async (c, next) => {
    const [, text] = bearer.exec(c.req.header('authorization') ?? '') ?? []
    const key = text === undefined ? undefined : await keys.verify(text)
    if (key === undefined) return respond(c, text === undefined ? keyless : unknown)
    c.set('key', key)
    return next()
  }
}
