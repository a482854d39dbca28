import type { Authorizer } from '../deciding/authorizer.ts'
import type { AuthorizerRequest } from '../deciding/authorizer-request.ts'
import { type AnswerContext, answerContext } from './answer-context.ts'
import { type Event, readEvent, segmentParameters } from './event.ts'
import { eventHeaders, hostOf } from './event-headers.ts'
import { type IamAnswer, iamAnswer, isOneArn, unauthorized } from './iam-answer.ts'

/** The simple form of an answer, of payload format 2.0. */
export interface SimpleAnswer {
  readonly isAuthorized: boolean
  readonly context?: AnswerContext
}

export const isHttpEvent = ({ version, routeArn }: Event): boolean => version === '2.0' && routeArn !== undefined

/** The path without the stage, with which it begins at the gateway's own host name. Behind a custom domain name it does not. */
function pathOf({ rawPath, requestContext: { stage, apiId, domainName } }: Event): string | undefined {
  const isOwnHost = apiId !== undefined && domainName?.startsWith(`${apiId}.execute-api.`) === true
  const prefix = `/${stage}`
  if (rawPath === undefined || stage === undefined || stage === '$default' || !isOwnHost) return rawPath
  if (rawPath === prefix) return '/'
  return rawPath.startsWith(`${prefix}/`) ? rawPath.slice(prefix.length) : rawPath
}

/** @param isClear false if the event does not say for which route an answer counts */
function requestOf(event: Event, isClear = true): AuthorizerRequest {
  const { routeKey, pathParameters, requestContext } = event
  const header = eventHeaders(event)
  const method = requestContext.http?.method
  const path = pathOf(event)
  return {
    header,
    host: hostOf(requestContext.domainName, header),
    asked:
      method === undefined || path === undefined || !isClear
        ? undefined
        : { method, path, parameters: segmentParameters(routeKey, pathParameters) },
    requestId: requestContext.requestId,
  }
}

/** An authorizer of an HTTP API with payload format 2.0 and simple answers. */
export function httpApiAuthorizer(authorizer: Authorizer): (event: unknown) => Promise<SimpleAnswer> {
  return async (given) => {
    const decision = await authorizer.authorize(requestOf(readEvent(given)))
    return decision.allowed ? { isAuthorized: true, context: answerContext(decision) } : { isAuthorized: false }
  }
}

/** An authorizer of an HTTP API with payload format 2.0 whose answers are policies. It rejects with `Unauthorized` as one of a REST API does. */
export function httpApiIamAuthorizer(authorizer: Authorizer): (event: unknown) => Promise<IamAnswer> {
  return async (given) => {
    const event = readEvent(given)
    const decision = await authorizer.authorize(requestOf(event, isOneArn(event.routeArn)))
    if (!isOneArn(event.routeArn) || (!decision.allowed && decision.caller === 'anonymous')) throw unauthorized()
    return iamAnswer(decision, event.routeArn)
  }
}
