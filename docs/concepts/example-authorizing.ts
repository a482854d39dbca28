import { jsonLog, openAuthorizer, readAuthorizerMap } from '@freehold/authorizer'
import { authorizerMiddleware } from '@freehold/authorizer/hono'
import type { PolicyEngine } from '@freehold/frame/cedar'
import { Hono } from 'hono'

/** A program that lets the authorizer decide its requests. */
export function ticketApi(text: string, policies: PolicyEngine) {
  const app = new Hono()
  const authorizer = openAuthorizer({ map: readAuthorizerMap(text), policies, log: jsonLog(console.log) })
  app.use('/tenants/*', authorizerMiddleware(authorizer))
  return app
}
