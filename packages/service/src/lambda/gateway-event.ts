import type { LambdaEvent } from 'hono/aws-lambda'

/** A request, as an event of API Gateway or of a function URL tells it. */
export interface GatewayRequest {
  /** The event, with the parts that the service reads. */
  readonly event: LambdaEvent
  /** The address of the client, by the gateway: no header says it. */
  readonly address: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A gateway has decoded the path. Its own signs would begin a query or a fragment, and a URL leaves some out, or takes them for a slash. */
const asPath = (path: string) => path.replace(/[?#\\\p{Cc} ]/gu, encodeURIComponent)

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

/** In format 2.0 the path begins with the stage, unless that is `$default`. */
function withoutStage(path: string, stage: string | undefined): string {
  return stage !== undefined && path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path
}

/**
 * Reads an event of a REST API, of an HTTP API (payload format 1.0 or 2.0), or of a function URL. Undefined for a request that HTTP does not have, and for
 * any other event, among them those of load balancers: they tell no address that a caller could not write.
 */
export function readGatewayEvent(given: unknown): GatewayRequest | undefined {
  if (!isFields(given) || !isFields(given.requestContext)) return undefined
  const { headers, multiValueHeaders, body, isBase64Encoded } = given
  const { http, identity, stage } = given.requestContext
  const [method, path] = isFields(http) ? [http.method, given.rawPath] : [given.httpMethod, given.path]
  if (typeof method !== 'string' || typeof path !== 'string' || !path.startsWith('/')) return undefined
  const { queryStringParameters, multiValueQueryStringParameters } = given
  if (!isHttp(method, path, { headers, multiValueHeaders, queryStringParameters, multiValueQueryStringParameters })) return undefined
  const told = { headers, isBase64Encoded, body: bodiless.has(method) ? undefined : body }
  if (isFields(http)) {
    const requestContext = { domainName, http: { method } }
    const event = { ...told, rawPath: asPath(withoutStage(path, textOf(stage))), rawQueryString: given.rawQueryString, requestContext }
    // Hono reads these members of an event of format 2.0, and cookies, which the service does not use.
    return { event: event as unknown as LambdaEvent, address: textOf(http.sourceIp) }
  }
  if (!isFields(identity)) return undefined
  const query = { queryStringParameters, multiValueQueryStringParameters }
  const event = { ...told, ...query, multiValueHeaders, httpMethod: method, path: asPath(path), requestContext: { domainName } }
  // And these of one of format 1.0.
  return { event: event as unknown as LambdaEvent, address: textOf(identity.sourceIp) }
}
