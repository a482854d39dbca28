/** A request to an HTTP route. */
export interface AskedRoute {
  readonly method: string
  /** As it was sent: encoded, without the query. */
  readonly path: string
  /** True if a gateway has decoded the path once: it is not decoded again. */
  readonly isDecoded?: boolean | undefined
  /** What the gateway took for single segments of the path. Some gateways decode the path itself, which would hide an encoded slash. */
  readonly parameters?: readonly string[] | undefined
  /** What the gateway says of its own route. */
  readonly gateway?: GatewayRoute | undefined
}

export interface GatewayRoute {
  readonly stage: string | undefined
  /** The segments before the path by which it routes. Undefined if what it says contradicts the path. */
  readonly prefix: readonly string[] | undefined
}

/** An operation of GraphQL. */
export interface AskedOperation {
  readonly query: string
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** A request as every face gives it to the core. */
export interface AuthorizerRequest {
  /** All values of a header, by its name in lower case. */
  header(name: string): readonly string[]
  /** The name of the host that the request came to. Several are joined by commas. */
  readonly host?: string | undefined
  /** Undefined if the event does not say it. */
  readonly asked: AskedRoute | AskedOperation | undefined
  /** The gateway's id of the request, for the log. */
  readonly requestId?: string | undefined
}
