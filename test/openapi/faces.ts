import { type Service, serveOnNode } from '../../packages/service/src/index.ts'
import { lambdaService } from '../../packages/service/src/lambda/lambda-service.ts'
import { gatewayShapes } from '../../packages/service/test/gateway-events.ts'

export interface FaceRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface FaceAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Face = (request: FaceRequest) => Promise<FaceAnswer>

/** The ways to a service: `fetch`, a server of Node, and a function behind each kind of gateway. */
export interface Faces {
  readonly all: Readonly<Record<string, Face>>
  close(): Promise<void>
}

async function read(response: Response): Promise<FaceAnswer> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export async function openFaces(service: Service): Promise<Faces> {
  const serving = await serveOnNode(service, { port: 0, grace_ms: 0 })
  const handler = lambdaService(service)
  const initOf = ({ method, headers, body }: FaceRequest) => ({ method, headers, ...(body === undefined ? {} : { body }) })
  const behind = Object.entries(gatewayShapes).map(([name, eventOf]): [string, Face] => [
    name,
    async ({ body, ...request }) => {
      const { statusCode, headers = {}, multiValueHeaders, body: text } = await handler(eventOf({ ...request, ...(body && { body }) }))
      const told = Object.entries(multiValueHeaders ?? headers).map(([each, value]): [string, string] => [each, String(value)])
      return { status: statusCode, headers: new Headers(told), text }
    },
  ])
  return {
    all: {
      fetch: async (request) => read(await service.request(request.path, initOf(request))),
      'a server': async (request) => read(await fetch(serving.address + request.path, initOf(request))),
      ...Object.fromEntries(behind),
    },
    close: () => serving.close(),
  }
}
