import type { Authorizer } from '../deciding/authorizer.ts'
import type { AuthorizerRequest } from '../deciding/authorizer-request.ts'
import { type Event, readEvent, segmentParameters } from './event.ts'
import { eventHeaders, hostOf } from './event-headers.ts'
import { type IamAnswer, iamAnswer, isOneArn, unauthorized } from './iam-answer.ts'

export const isRestEvent = ({ type, methodArn }: Event): boolean => type === 'REQUEST' && methodArn !== undefined

function requestOf(event: Event): AuthorizerRequest {
  const { httpMethod: method, path, resource, pathParameters, requestContext, methodArn } = event
  const header = eventHeaders(event)
  return {
    header,
    host: hostOf(requestContext.domainName, header),
    asked:
      method === undefined || path === undefined || !isOneArn(methodArn)
        ? undefined
        : { method, path, parameters: segmentParameters(resource, pathParameters) },
    requestId: requestContext.requestId,
  }
}

/**
 * An authorizer of a REST API, or of an HTTP API with payload format 1.0. It rejects with `Unauthorized` where there is no valid token, which API Gateway
 * answers with 401. Otherwise it answers with a policy for the method that was asked for.
 */
export function restApiAuthorizer(authorizer: Authorizer): (event: unknown) => Promise<IamAnswer> {
  return async (given) => {
    const event = readEvent(given)
    const decision = await authorizer.authorize(requestOf(event))
    if (!isOneArn(event.methodArn) || (!decision.allowed && decision.caller === 'anonymous')) throw unauthorized()
    return iamAnswer(decision, event.methodArn)
  }
}
