import { Hono } from 'hono'
import { authorizerMiddleware } from '../src/hono/middleware.ts'
import { type Authorizer, type LambdaAnswer, lambdaAuthorizer } from '../src/index.ts'

/** A request, before it has the form of an event. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly host: string
}

/** The answer of a shape: whether it allows, the status that the client gets, and all that leaves the authorizer. */
export interface ShapeAnswer {
  readonly allowed: boolean
  readonly status: 200 | 401 | 403
  readonly told: unknown
}

export interface Shape {
  readonly asks: 'paths' | 'queries'
  /** The gateway has decoded the path. */
  readonly decodes?: true
  ask(authorizer: Authorizer, sent: Sent): Promise<ShapeAnswer>
}

const grouped = (headers: Sent['headers']) => {
  const values: Record<string, string[]> = {}
  for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value]
  return values
}
const lastOf = (headers: Sent['headers']) => Object.fromEntries(headers)
/** As HTTP APIs have them: names in lower case, several values joined. */
const joined = (headers: Sent['headers']) =>
  Object.fromEntries(
    Object.entries(grouped(headers.map(([name, value]) => [name.toLowerCase(), value]))).map(([name, all]) => [name, all.join(',')]),
  )

const unauthorized = (error: unknown): ShapeAnswer => {
  if (!(error instanceof Error) || error.message !== 'Unauthorized' || error.cause !== undefined) throw error
  return { allowed: false, status: 401, told: { message: error.message } }
}

const account = 'arn:aws:execute-api:us-east-1:123456789012:abcdef123'

/** The event of a REST API: API Gateway's developer guide, input to a Lambda authorizer of type REQUEST. */
export const restEvent = ({ method, path, headers, host }: Sent) => ({
  type: 'REQUEST',
  methodArn: `${account}/test/${method}${path}`,
  resource: '/{proxy+}',
  path,
  httpMethod: method,
  headers: lastOf(headers),
  multiValueHeaders: grouped(headers),
  queryStringParameters: {},
  multiValueQueryStringParameters: {},
  pathParameters: { proxy: path.slice(1) },
  stageVariables: { StageVar1: 'stageValue1' },
  requestContext: {
    ...{
      path: `/test${path}`,
      accountId: '123456789012',
      resourceId: '05c7jb',
      stage: 'test',
      requestId: 'rest-request',
      apiId: 'abcdef123',
    },
    ...{ resourcePath: '/{proxy+}', httpMethod: method, domainName: host, identity: { apiKey: '...', sourceIp: '192.0.2.1' } },
  },
})

/** An HTTP API decodes the path once. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The event of an HTTP API: its developer guide, payload format 1.0. */
export function httpEvent1(sent: Sent) {
  const { resource: _, ...event } = restEvent({ ...sent, path: decoded(sent.path) })
  return { ...event, version: '1.0', identitySource: 'user1,123', resource: '$default', pathParameters: null }
}

/** The event of an HTTP API: its developer guide, payload format 2.0. Its ARN is of the stage and the path, unlike that of the guide. */
export const httpEvent = ({ method, path: sent, headers, host }: Sent, path = decoded(sent)) => ({
  version: '2.0',
  type: 'REQUEST',
  routeArn: `${account}/$default/${method}${path}`,
  identitySource: ['user1', '123'],
  routeKey: '$default',
  rawPath: path,
  rawQueryString: 'parameter1=value1&parameter1=value2&parameter2=value',
  cookies: ['cookie1', 'cookie2'],
  headers: joined(headers),
  queryStringParameters: { parameter1: 'value1,value2', parameter2: 'value' },
  requestContext: {
    ...{
      accountId: '123456789012',
      apiId: 'abcdef123',
      domainName: host,
      domainPrefix: 'id',
      requestId: 'http-request',
      routeKey: '$default',
    },
    http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent' },
    ...{ stage: '$default', time: '12/Mar/2020:19:03:58 +0000', timeEpoch: 1583348638390 },
  },
  pathParameters: null,
  stageVariables: { stageVariable1: 'value1', stageVariable2: 'value2' },
})

/** The event of AppSync: its developer guide, AWS_LAMBDA authorization. */
export const appSyncEvent = ({ query, variables = {}, operationName, headers, host }: Sent) => {
  const authorization = headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value)
  return {
    ...(authorization.length === 0 ? {} : { authorizationToken: authorization.join(',').replace(/^Bearer /, '') }),
    requestContext: {
      ...{ apiId: 'aaaaaa123123123example123', accountId: '111122223333', requestId: 'f4081827-1111-4444-5555-5cf4695f339f' },
      ...{ queryString: query, variables, ...(operationName === undefined ? {} : { operationName }) },
    },
    requestHeaders: { ...joined(headers), host },
  }
}

const answered = (told: LambdaAnswer): ShapeAnswer => {
  const allowed = 'policyDocument' in told ? told.policyDocument.Statement[0].Effect === 'Allow' : told.isAuthorized
  return { allowed, status: allowed ? 200 : 403, told }
}

export const shapes: Readonly<Record<string, Shape>> = {
  'REST API': { asks: 'paths', ask: (authorizer, sent) => lambdaAuthorizer(authorizer)(restEvent(sent)).then(answered, unauthorized) },
  'HTTP API, format 1.0': {
    asks: 'paths',
    decodes: true,
    ask: (authorizer, sent) => lambdaAuthorizer(authorizer)(httpEvent1(sent)).then(answered, unauthorized),
  },
  'HTTP API, simple': {
    asks: 'paths',
    decodes: true,
    ask: async (authorizer, sent) => answered(await lambdaAuthorizer(authorizer)(httpEvent(sent))),
  },
  'HTTP API, policy': {
    asks: 'paths',
    decodes: true,
    ask: (authorizer, sent) => lambdaAuthorizer(authorizer, { httpAnswers: 'iam' })(httpEvent(sent)).then(answered, unauthorized),
  },
  AppSync: { asks: 'queries', ask: async (authorizer, sent) => answered(await lambdaAuthorizer(authorizer)(appSyncEvent(sent))) },
  Hono: {
    asks: 'paths',
    ask: async (authorizer, { method, path, headers, host }) => {
      const app = new Hono<{ Variables: { authorization: unknown } }>()
      app.use('*', authorizerMiddleware(authorizer))
      app.all('*', (c) => c.json(c.get('authorization')))
      // A server hands on the target as it was sent; `new Request` would resolve its dots.
      const request = new Request(`http://${host}/`, {
        method,
        headers: [...headers.map(([name, value]): [string, string] => [name, value]), ['Host', host]],
      })
      Object.defineProperty(request, 'url', { value: `http://${host}${path}` })
      const response = await app.fetch(request)
      const status = response.status === 200 || response.status === 401 ? response.status : 403
      return { allowed: status === 200, status, told: { status: response.status, body: await response.text() } }
    },
  },
}
