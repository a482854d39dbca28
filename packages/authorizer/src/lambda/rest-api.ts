import type { Authorizer } from '../deciding/authorizer.ts'
import type { Event } from './event.ts'
import { iamAuthorizer } from './http-api.ts'

export const isRestEvent = ({ type, methodArn }: Event): boolean => type === 'REQUEST' && methodArn !== undefined

/**
 * An authorizer of a REST API, of an HTTP API with payload format 1.0, or of the route `$connect` of a WebSocket API. It rejects with `Unauthorized` where there is no valid token, which API Gateway
 * answers with 401. Otherwise it answers with a policy for the method that was asked for.
 */
export const restApiAuthorizer = (authorizer: Authorizer) => iamAuthorizer(authorizer, 'methodArn')
