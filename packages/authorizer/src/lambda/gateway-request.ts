import { decodedOnce, type GatewayEvent, prefixByArn, readGatewayEvent } from '@freehold/frame/gateway'
import type { AskedRoute, AuthorizerRequest } from '../deciding/authorizer-request.ts'
import type { Event } from './event.ts'
import { eventHeaders, hostOf } from './event-headers.ts'
import { isOneArn, isPattern } from './iam-answer.ts'
import { connectAsked } from './web-socket.ts'

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
