import type { AskedRoute } from '../deciding/authorizer-request.ts'
import type { Event } from './event.ts'

/** The ARN of a request to connect: API, stage, `$connect`. */
const connectArn = /^arn:[^:/]+:execute-api:[^:/]*:[^:/]*:[^:/]+\/([^/]+)\/\$connect$/

/**
 * The request to connect to a WebSocket API: `CONNECT /` in the map. It has no path, and API Gateway asks an authorizer for no other of its routes. Undefined
 * for an event that is none, or whose ARN is of another stage or route.
 */
export function connectAsked({ requestContext }: Event, arn: string | undefined): AskedRoute | undefined {
  const { eventType, routeKey, stage } = requestContext
  const [, named] = connectArn.exec(arn ?? '') ?? []
  return eventType === 'CONNECT' && routeKey === '$connect' && named !== undefined && named === stage
    ? { method: 'CONNECT', path: '/' }
    : undefined
}
