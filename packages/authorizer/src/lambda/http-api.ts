import type { Authorizer } from '../deciding/authorizer.ts'
import { type AnswerContext, answerContext } from './answer-context.ts'
import { type Event, readEvent } from './event.ts'
import { gatewayRequest } from './gateway-request.ts'
import { type IamAnswer, iamAnswer, isOneArn, unauthorized } from './iam-answer.ts'

/** The simple form of an answer, of payload format 2.0. */
export interface SimpleAnswer {
  readonly isAuthorized: boolean
  readonly context?: AnswerContext
}

export const isHttpEvent = ({ version, routeArn }: Event): boolean => version === '2.0' && routeArn !== undefined

/** An authorizer of an HTTP API with payload format 2.0 and simple answers. */
export function httpApiAuthorizer(authorizer: Authorizer): (event: unknown) => Promise<SimpleAnswer> {
  return async (given) => {
    const event = readEvent(given)
    const decision = await authorizer.authorize(gatewayRequest(event, given, event.routeArn))
    return decision.allowed ? { isAuthorized: true, context: answerContext(decision) } : { isAuthorized: false }
  }
}

/** An authorizer of an HTTP API with payload format 2.0 whose answers are policies. It rejects with `Unauthorized` as one of a REST API does. */
export const httpApiIamAuthorizer = (authorizer: Authorizer) => iamAuthorizer(authorizer, 'routeArn')

/**
 * An authorizer whose answers are policies for the method or route that was asked for. It rejects with `Unauthorized` where there is no valid token, which
 * API Gateway answers with 401.
 */
export function iamAuthorizer(authorizer: Authorizer, name: 'routeArn' | 'methodArn'): (event: unknown) => Promise<IamAnswer> {
  return async (given) => {
    const event = readEvent(given)
    const arn = event[name]
    const decision = await authorizer.authorize(gatewayRequest(event, given, arn))
    if (!isOneArn(arn) || (!decision.allowed && decision.caller === 'anonymous')) throw unauthorized()
    return iamAnswer(decision, arn)
  }
}
