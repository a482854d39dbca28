import type { MiddlewareHandler } from 'hono'
import type { ApiKeys } from '../keys/api-keys.ts'
import { problem } from './problem.ts'
import { type Env, respond } from './respond.ts'

/** RFC 6750, section 2.1; the scheme is told apart without regard to case (RFC 9110, section 11.1). */
const bearer = /^Bearer +(\S+)$/i

/** Lets through what carries an API key. All else gets one and the same answer, whatever was wrong with it. */
export function authenticate(keys: Pick<ApiKeys, 'verify'>): MiddlewareHandler<Env> {
  const refused = problem('Denied', 'This needs an API key: send it as Authorization: Bearer KEY.', {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer realm="freehold"' },
  })
  return async (c, next) => {
    const [, text] = bearer.exec(c.req.header('authorization') ?? '') ?? []
    const key = text === undefined ? undefined : await keys.verify(text)
    if (key === undefined) return respond(c, refused)
    c.set('key', key)
    return next()
  }
}
