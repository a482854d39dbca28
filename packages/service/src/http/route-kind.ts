/**
 * What a route is, for the callers that may use it: `catalogue` tells of the service and no data; `decision` answers questions, and `evaluation` those of
 * AuthZEN; `session` lets a browser in and out; `read` and `write` are of items; `flow` runs flows; `saved` reads saved questions, and
 * `save` writes them; `operation` runs the service itself. A caller uses only the kinds that its purpose names.
 */
export type RouteKind = 'catalogue' | 'session' | 'decision' | 'evaluation' | 'read' | 'write' | 'flow' | 'saved' | 'save' | 'operation'

/** What decides whether a caller may use a route. */
export interface KindOfRoute {
  readonly kind: RouteKind
  /** The name of the design that it is of. Absent for a route of the service itself. */
  readonly design?: string
  /** The name of the flow that it runs. An application uses those that it names. */
  readonly flow?: string
  /** True of a flow that only changes by what its user signs in, or gives it a token. */
  readonly changesSignIn?: boolean | undefined
}
