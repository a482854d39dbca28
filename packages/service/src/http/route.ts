import type { ErrorCode } from '@freehold/table'
import type { Awaitable } from '@freehold/table/runtime'
import type { Describe } from '../openapi/operation.ts'
import type { RefusalCode } from './access-log.ts'
import type { RequestCaller } from './caller.ts'
import type { Cause } from './cause.ts'
import type { KindOfRoute } from './route-kind.ts'
import type { RequestHeaders } from './service-request.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The origin of a request, as far as it is known, for audits. */
export interface Origin {
  /** The id of its API key. */
  readonly key?: string | undefined
  readonly ip_address?: string | undefined
  readonly user_agent?: string | undefined
}

/** A request whose form was checked. It only has parameters that its route takes. */
export interface Asked {
  /** Query parameters by name, each given once. */
  readonly query: ReadonlyMap<string, string>
  /** The JSON object of the body. Empty if the route takes none. */
  readonly body: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  /** All of its headers, for a route that looks at another one. */
  readonly headers: RequestHeaders
  /** The key of a request that may be sent twice, from the header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  readonly origin: Origin
  readonly caller: RequestCaller
  /** Tells the log as which user the caller acts. */
  acting(user_id: string): void
}

/** An answer, before it is sent. */
export interface Answer {
  readonly status: number
  /** JSON. Undefined for an empty body. */
  readonly body?: unknown
  /** The text of a body that was made before, instead of `body`. */
  readonly text?: string
  /** A body that was compressed before, instead of `body`; `headers` tell how. */
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** The code of a problem, which is also logged. */
  readonly code?: ErrorCode
  /** The cause of a 503, which is logged and never sent. */
  readonly cause?: Cause
  /** Why a sign-in was refused, which is logged and never sent. */
  readonly reason?: RefusalCode
}

/** A route of the service. Paths have no parameters: the query or the body names the data. */
export interface Route extends KindOfRoute {
  readonly method: Method
  readonly path: string
  /** The names of its query parameters. All others are refused. */
  readonly query: readonly string[]
  /** Others send it what they like: a parameter that it does not know is no fault. */
  readonly takesAnyQuery?: true
  readonly takesBody: boolean
  /** Tells the route for the document of the API. Called when that is asked for. */
  readonly describe: Describe
  /** It does what another route does, by another encoding: the document of a design alone tells the other one. */
  readonly isTwin?: true
  /** Its body is a form of a page, not JSON. */
  readonly takesForm?: true
  /** Parses a body. By default `parseBody`. */
  readonly parse?: (bytes: Uint8Array) => Readonly<Record<string, unknown>>
  /** It may throw at once. */
  answer(asked: Asked): Awaitable<Answer>
  /** Puts an answer, and the problem of an error, into the form of a specification. By default they stay as they are. */
  readonly bound?: (answer: Answer) => Answer
}
