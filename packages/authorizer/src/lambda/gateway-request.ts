import { decodedOnce, type GatewayEvent, prefixByArn, readGatewayEvent } from '@freehold/frame/gateway'
import type { AskedRoute, AuthorizerRequest } from '../deciding/authorizer-request.ts'
import type { Event } from './event.ts'
import { eventHeaders, hostOf } from './event-headers.ts'
import { isOneArn, isPattern } from './iam-answer.ts'

/** The ARN of a request to connect: API, stage, `$connect`. */
const connectArn = /^arn:[^:/]+:execute-api:[^:/]*:[^:/]*:[^:/]+\/([^/]+)\/\$connect$/

/**
 * The request to connect to a WebSocket API: `CONNECT /` in the map. It has no path, and API Gateway asks an authorizer for no other of its routes. Undefined
 * for an event that is none, or whose ARN is of another stage or route.
 */
function connectAsked({ requestContext }: Event, arn: string | undefined): AskedRoute | undefined {
  const { eventType, routeKey, stage } = requestContext
  const [, named] = connectArn.exec(arn ?? '') ?? []
  return eventType === 'CONNECT' && routeKey === '$connect' && named !== undefined && named === stage
    ? { method: 'CONNECT', path: '/' }
    : undefined
}

/** The values of the single segments of a route of the gateway, such as `/tickets/{id}`. A greedy one, `{proxy+}`, has several. */
function segmentParameters({ route = '', parameters }: GatewayEvent): readonly string[] {
  const values = [...route.matchAll(/\{([^{}+]+)\}/g)].map(([, name = '']) => parameters[name])
  return values.filter((value) => typeof value === 'string')
}

/** Undefined if the event does not say for which single route an answer counts. */
function askedOf(event: GatewayEvent | undefined, arn: string | undefined): AskedRoute | undefined {
  if (event === undefined || !isOneArn(arn)) return undefined
  const { method, path, isDecoded, stage } = event
  // A gateway that keeps or compares answers by patterns would take the path for one.
  if (isPattern(isDecoded ? path : decodedOnce(path))) return undefined
  return { method, path, isDecoded, parameters: segmentParameters(event), gateway: { stage, prefix: prefixByArn(event, arn) } }
}

/**
 * The request of an event of a REST API, of an HTTP API, or of a WebSocket API that is connected to.
 * @param arn what the answer is for
 */
export function gatewayRequest(event: Event, given: unknown, arn: string | undefined): AuthorizerRequest {
  const { requestId, domainName } = event.requestContext
  const header = eventHeaders(event)
  const ofPath = readGatewayEvent(given)
  const asked = ofPath === undefined ? connectAsked(event, arn) : askedOf(ofPath, arn)
  return { header, host: hostOf(domainName, header), asked, requestId }
}
