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

function ofFormat1(call: GatewayCall, isBase64Encoded = false): Fields {
  const base = eventNamed('rest')
  const { path, query } = partsOf(call)
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
  const rawPath = stage === '$default' ? path : `/${stage}${path}`
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

/** The events by which a request comes, by their names. */
export const gatewayShapes: Readonly<Record<string, (call: GatewayCall) => Fields>> = {
  'a REST API': (call) => ofFormat1(call),
  'a REST API with binary media types': (call) => ofFormat1(call, true),
  'a REST API that tells each header once': (call) => ({ ...ofFormat1(call), multiValueHeaders: null }),
  'an HTTP API': (call) => ofFormat2('http-2.0', call),
  'a stage of an HTTP API': (call) => ofFormat2('http-2.0', call, 'dev'),
  'a function URL': (call) => ofFormat2('function-url', call),
  'a function URL with a binary body': (call) => ofFormat2('function-url', call, '$default', true),
}
