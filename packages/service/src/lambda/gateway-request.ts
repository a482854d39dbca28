import { type Fields, isFields, pathWithinApi, readGatewayEvent, textOf } from '@freehold/frame/gateway'
import type { LambdaEvent } from 'hono/aws-lambda'

/** A request, as an event of API Gateway or of a function URL tells it. */
export interface GatewayRequest {
  /** The event, with the parts that the service reads. */
  readonly event: LambdaEvent
  /** The address of the client, by the gateway: no header says it. */
  readonly address: string | undefined
}

/**
 * The path in a URL. Signs of a query or of a fragment, and those that a URL leaves out or takes for a slash, are part of it; where the gateway has decoded
 * it, a percent sign is one, too.
 */
const asPath = (path: string, isDecoded: boolean) => path.replace(isDecoded ? /[?#\\\p{Cc} %]/gu : /[?#\\\p{Cc} ]/gu, encodeURIComponent)

/** What the paths of the service begin with. */
const isServed = (path: string) => /^\/(?:v1|authzen|health|openapi(?:\.json)?|\.well-known)(?:\/|$)/.test(path)

/** Requests with these methods have no body in Fetch. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const token = /^[!#$%&'*+.^`|~\w-]+$/
/** Methods that no Request can have. */
const unheard = /^(?:CONNECT|TRACE|TRACK)$/i
/** A header cannot hold these, nor half a pair. */
const unfit = /[\0\r\n]/

const textsIn = (fields: unknown): readonly string[] =>
  isFields(fields) ? Object.entries(fields).flatMap(([name, value]) => [name, ...[value].flat().map(String)]) : []

/**
 * True if a Request can be made. Its error would quote what it cannot hold, and Hono's adapter writes that to the log.
 * @param queries the decoded ones, of format 1.0. The adapter escapes them, as a client has before.
 */
function isHttp(method: string, path: string, { headers, multiValueHeaders, ...queries }: Fields): boolean {
  const all = [headers, multiValueHeaders].filter(isFields)
  const names = all.flatMap((each) => Object.keys(each))
  if (![method, ...names].every((name) => token.test(name)) || unheard.test(method)) return false
  return (
    all.flatMap(textsIn).every((text) => !unfit.test(text) && text.isWellFormed()) &&
    // No URL can hold half a pair.
    [path, ...Object.values(queries).flatMap(textsIn)].every((text) => text.isWellFormed())
  )
}

/** The host of every request: the service reads none. A caller's could be anything. */
const domainName = 'service.invalid'

/**
 * Reads an event of a REST API, of an HTTP API (payload format 1.0 or 2.0), or of a function URL. Undefined for a request that HTTP does not have, and for
 * any other event, among them those of load balancers: they tell no address that a caller could not write.
 */
export function gatewayRequest(given: unknown): GatewayRequest | undefined {
  const read = readGatewayEvent(given)
  if (read === undefined || !isFields(given) || !isFields(given.requestContext)) return undefined
  const { method, isDecoded } = read
  const { headers, multiValueHeaders, body, isBase64Encoded, queryStringParameters, multiValueQueryStringParameters } = given
  if (!isHttp(method, read.path, { headers, multiValueHeaders, queryStringParameters, multiValueQueryStringParameters })) return undefined
  const path = asPath(pathWithinApi(read, isServed), isDecoded)
  const told = { headers, isBase64Encoded, body: bodiless.has(method) ? undefined : body }
  const { http, identity } = given.requestContext
  if (isFields(http)) {
    const event = { ...told, rawPath: path, rawQueryString: given.rawQueryString, requestContext: { domainName, http: { method } } }
    // Hono reads these members of an event of format 2.0, and cookies, which the service does not use.
    return { event: event as unknown as LambdaEvent, address: textOf(http.sourceIp) }
  }
  if (!isFields(identity)) return undefined
  const query = { queryStringParameters, multiValueQueryStringParameters }
  const event = { ...told, ...query, multiValueHeaders, httpMethod: method, path, requestContext: { domainName } }
  // And these of one of format 1.0.
  return { event: event as unknown as LambdaEvent, address: textOf(identity.sourceIp) }
}
