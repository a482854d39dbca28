import type { MiddlewareHandler } from 'hono'
import type { Allowed, Authorizer } from '../deciding/authorizer.ts'

/** The variables that the middleware gives to the handlers after it. */
export interface AuthorizerVariables {
  readonly authorization: Omit<Allowed, 'allowed'>
}

/** The path as it was sent. Hono's own is decoded in part. */
function sentPath(url: string): string {
  const [, path = '/'] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? []
  return path === '' ? '/' : path
}

/**
 * A middleware of Hono that lets a request pass if the authorizer allows it. Otherwise it answers with 401 or 403, as API Gateway does: without a reason.
 */
export function authorizerMiddleware(authorizer: Authorizer): MiddlewareHandler<{ Variables: AuthorizerVariables }> {
  return async (c, next) => {
    const { method, url, headers } = c.req.raw
    const decision = await authorizer.authorize({
      // Fetch joins the values of a header that stands several times, so that none of them passes for one.
      header: (name) => [headers.get(name) ?? []].flat(),
      host: headers.get('host') ?? new URL(url).host,
      asked: { method, path: sentPath(url) },
    })
    if (!decision.allowed) {
      const isAnonymous = decision.caller === 'anonymous'
      if (isAnonymous) c.header('WWW-Authenticate', 'Bearer')
      return c.json({ message: isAnonymous ? 'Unauthorized' : 'Forbidden' }, isAnonymous ? 401 : 403)
    }
    const { allowed: _, ...authorization } = decision
    c.set('authorization', authorization)
    return next()
  }
}
