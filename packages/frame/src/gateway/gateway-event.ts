/**
 * What an event of a gateway says of its request. Each kind has decoded some parts already:
 *
 * | event | known by | path | `pathParameters` | query |
 * | --- | --- | --- | --- | --- |
 * | REST API | no `version` | as sent | as sent | decoded |
 * | HTTP API, payload format 1.0 | `version` 1.0 | decoded once | decoded, or as sent | decoded |
 * | HTTP API, payload format 2.0 | `version` 2.0 | decoded once, and cut at an encoded `?` | decoded, or as sent | `rawQueryString` as sent |
 * | function URL | 2.0, and its host | as sent | none | `rawQueryString` as sent |
 *
 * Headers are as sent in each. The developer guide of API Gateway says that HTTP APIs decode ("Create routes for HTTP APIs"); events of live gateways show the
 * rest. The guides do not say how the path in an ARN is written. Events of load balancers are not read.
 */
export interface GatewayEvent {
  readonly method: string
  /** With the stage or the base path of a mapping, where the gateway leaves it. */
  readonly path: string
  /** True if the gateway has decoded the path. */
  readonly isDecoded: boolean
  readonly stage: string | undefined
  /** The gateway's route, such as `POST /tickets/{id}`; a REST API has its path alone, and `$default` has none. */
  readonly route: string | undefined
  readonly parameters: Readonly<Record<string, unknown>>
}

export type Fields = Readonly<Record<string, unknown>>

/** True for a JSON object. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A text, or undefined for anything else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The host of a function URL, which no caller chooses: `<id>.lambda-url.<region>.on.aws`. */
const functionUrl = /\.lambda-url\.[a-z0-9-]+\.on\./

/** Reads an event of a REST API, an HTTP API or a function URL. Undefined if it has no method or no path. */
export function readGatewayEvent(event: unknown): GatewayEvent | undefined {
  if (!isFields(event) || !isFields(event.requestContext)) return undefined
  const { http, stage, domainName } = event.requestContext
  const [method, path, route] = isFields(http)
    ? [http.method, event.rawPath, event.routeKey]
    : [event.httpMethod, event.path, event.resource]
  if (typeof method !== 'string' || typeof path !== 'string' || !path.startsWith('/')) return undefined
  return {
    method,
    path,
    isDecoded: event.version === '1.0' || (isFields(http) && !functionUrl.test(textOf(domainName) ?? '')),
    stage: textOf(stage),
    route: textOf(route),
    parameters: isFields(event.pathParameters) ? event.pathParameters : {},
  }
}
