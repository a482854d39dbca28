import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request of a test, in every way in which it can reach the service. */
export interface GatewayCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type Fields = Readonly<Record<string, unknown>>

/** The events of AWS's developer guides. */
export const eventNamed = (name: string): Fields => JSON.parse(readFileSync(join(import.meta.dirname, 'events', `${name}.json`), 'utf8'))

const fieldsOf = (value: unknown): Fields => Object(value)

export const sourceIp = '203.0.113.9'

interface Parts {
  readonly path: string
  readonly search: string
  readonly query: Readonly<Record<string, readonly string[]>>
}

function partsOf({ path }: GatewayCall): Parts {
  const { pathname, search, searchParams } = new URL(path, 'https://service.invalid')
  const query = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]))
  return { path: pathname, search: search.slice(1), query }
}

const bodyOf = ({ body }: GatewayCall, isBase64Encoded: boolean) => ({
  body: body !== undefined && isBase64Encoded ? Buffer.from(body).toString('base64') : body,
  isBase64Encoded,
})

const lastOf = (values: Parts['query']) => Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1)]))
const orNull = (values: object) => (Object.keys(values).length === 0 ? null : values)

/** The route of all paths, as a program may deploy it. */
const proxyOf = (path: string) => ({ resource: '/{proxy+}', routeKey: 'ANY /{proxy+}', pathParameters: { proxy: path.slice(1) } })

function ofFormat1(call: GatewayCall, isBase64Encoded = false): Fields {
  const { path, query } = partsOf(call)
  const base: Fields = { ...eventNamed('rest'), ...proxyOf(path) }
  const { headers = {}, method } = call
  const requestContext = fieldsOf(base.requestContext)
  return {
    ...{ ...base, ...bodyOf(call, isBase64Encoded), path, httpMethod: method, headers },
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: orNull(lastOf(query)),
    multiValueQueryStringParameters: orNull(query),
    requestContext: { ...requestContext, httpMethod: method, path, identity: { ...fieldsOf(requestContext.identity), sourceIp } },
  }
}

function ofFormat2(name: string, call: GatewayCall, stage = '$default', isBase64Encoded = false): Fields {
  const base = eventNamed(name)
  const { path, search, query } = partsOf(call)
  const requestContext = fieldsOf(base.requestContext)
  const plain = name === 'function-url' ? path : decodeURIComponent(path)
  const rawPath = stage === '$default' ? plain : `/${stage}${plain}`
  return {
    ...{ ...base, ...bodyOf(call, isBase64Encoded), rawPath, rawQueryString: search, headers: call.headers ?? {} },
    queryStringParameters: Object.fromEntries(Object.entries(query).map(([each, all]) => [each, all.join(',')])),
    requestContext: {
      ...requestContext,
      stage,
      http: { ...fieldsOf(requestContext.http), method: call.method, path: rawPath, sourceIp },
    },
  }
}

/** The same behind another host. */
const hostedAt = (domainName: string, event: Fields): Fields => ({
  ...event,
  requestContext: { ...fieldsOf(event.requestContext), domainName },
})

const ofHttp1 = (call: GatewayCall): Fields => {
  const { path } = partsOf(call)
  return { ...ofFormat1(call), version: '1.0', path: decodeURIComponent(path), ...proxyOf(decodeURIComponent(path)) }
}

/** The events by which a request comes, by their names. */
export const gatewayShapes: Readonly<Record<string, (call: GatewayCall) => Fields>> = {
  'a REST API': (call) => ofFormat1(call),
  'a REST API with binary media types': (call) => ofFormat1(call, true),
  'a REST API that tells each header once': (call) => ({ ...ofFormat1(call), multiValueHeaders: null }),
  'an HTTP API': (call) => ofFormat2('http-2.0', call),
  'a stage of an HTTP API': (call) => ofFormat2('http-2.0', call, 'dev'),
  'an HTTP API with payload format 1.0': ofHttp1,
  'a stage behind a custom domain': (call) => hostedAt('api.example.org', ofFormat2('http-2.0', call, 'dev')),
  'a stage behind a custom domain that leaves it out': (call) => {
    const { requestContext, ...event } = ofFormat2('http-2.0', call)
    return hostedAt('api.example.org', { ...event, requestContext: { ...fieldsOf(requestContext), stage: 'v1' } })
  },
  'a stage with the name of a version': (call) => ofFormat2('http-2.0', call, 'v1'),
  'a base path of a custom domain': (call) => {
    const event = ofFormat1(call)
    return hostedAt('api.example.org', { ...event, path: `/base${event.path}` })
  },
  'a base path and a stage of an HTTP API': (call) => {
    const event = { ...ofFormat2('http-2.0', call, 'base/dev'), ...proxyOf(decodeURIComponent(partsOf(call).path)) }
    return hostedAt('api.example.org', event)
  },
  'a function URL': (call) => ofFormat2('function-url', call),
  'a function URL with a binary body': (call) => ofFormat2('function-url', call, '$default', true),
}
