import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { type APIGatewayProxyResult, handle } from 'hono/aws-lambda'
import type { Connection } from '../http/connection.ts'
import { sentAnswer } from '../http/handle.ts'
import { problem } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'
import { gatewayRequest } from './gateway-request.ts'

export type GatewayAnswer = APIGatewayProxyResult

const notRead = problem('InvalidInput', 'The event is no request of API Gateway or of a function URL.')
const failed = problem('Unavailable', 'The service failed.', { status: 500 })

/** An answer that the service did not give. */
function ownAnswer(answer: Answer): GatewayAnswer {
  const { status, headers, text = '' } = sentAnswer(answer, 'GET', randomUUID())
  return { statusCode: status, headers, body: text, isBase64Encoded: false }
}

/**
 * The service as the handler of a Lambda function behind a REST API, an HTTP API or a function URL. The address of the client is that of the event's
 * context.
 * @param service that of `createService`
 */
export function lambdaService(service: {
  fetch(request: Request, connection: Connection): Response | Promise<Response>
}): (event: unknown) => Promise<GatewayAnswer> {
  return async (given) => {
    const read = gatewayRequest(given)
    if (read === undefined) return ownAnswer(notRead)
    // The adapter calls `fetch` alone.
    const app = { fetch: (request: Request) => service.fetch(request, { address: read.address }) } as unknown as Hono
    // A rejected handler would tell the gateway the message and the stack of its error.
    return handle(app)(read.event).catch(() => ownAnswer(failed))
  }
}
