import type { Authorizer } from '../deciding/authorizer.ts'
import type { AuthorizerRequest } from '../deciding/authorizer-request.ts'
import { type AnswerContext, answerContext } from './answer-context.ts'
import { type Event, readEvent } from './event.ts'
import { eventHeaders, hostOf } from './event-headers.ts'

export interface AppSyncAnswer {
  readonly isAuthorized: boolean
  readonly resolverContext?: AnswerContext
  /** AppSync keeps an answer by the token, whatever the query: so none is kept. */
  readonly ttlOverride: 0
}

export const isAppSyncEvent = ({ authorizationToken, type, version, requestContext: { queryString } }: Event): boolean =>
  type === undefined && version === undefined && (authorizationToken !== undefined || queryString !== undefined)

/** AppSync takes the token out of the Authorization header, with its scheme or without. */
function authorizationOf(token: string | undefined): readonly string[] {
  if (token === undefined || token === '') return []
  return [/^Bearer +/i.test(token) ? token : `Bearer ${token}`]
}

function requestOf({ authorizationToken, requestHeaders, requestContext }: Event): AuthorizerRequest {
  const { queryString: query, operationName, variables, requestId } = requestContext
  const header = eventHeaders({ headers: requestHeaders })
  const authorization = authorizationOf(authorizationToken)
  return {
    header: (name) => (name === 'authorization' ? authorization : header(name)),
    host: hostOf(undefined, header),
    asked: query === undefined ? undefined : { query, operationName: operationName || undefined, variables: variables ?? undefined },
    requestId,
  }
}

/** An authorizer of an AppSync API. Every field at the top of the operation must be allowed. */
export function appSyncAuthorizer(authorizer: Authorizer): (event: unknown) => Promise<AppSyncAnswer> {
  return async (given) => {
    const decision = await authorizer.authorize(requestOf(readEvent(given)))
    return { isAuthorized: decision.allowed, ...(decision.allowed ? { resolverContext: answerContext(decision) } : {}), ttlOverride: 0 }
  }
}
