import type { ErrorCode } from '@freehold/table'
import type { Cause } from './cause.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Where a request comes from, as far as that is known: audits say so. */
export interface Origin {
  /** Id of its API key. */
  readonly key?: string | undefined
  readonly ip_address?: string | undefined
  readonly user_agent?: string | undefined
}

/** A request of which the form was checked: nothing but what its route takes. */
export interface Asked {
  /** Query parameters by name, each given once. */
  readonly query: ReadonlyMap<string, string>
  /** The JSON object of the body; empty where the route takes none. */
  readonly body: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  readonly origin: Origin
}

/** What is sent back, before it becomes a Response. */
export interface Answer {
  readonly status: number
  /** JSON; nothing where undefined. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Of a problem: also logged. */
  readonly code?: ErrorCode
  /** Of a 503: logged, and never sent. */
  readonly cause?: Cause
}

/** One thing that can be asked of the service. Paths are whole: what a request is about stands in its query or body. */
export interface Route {
  readonly method: Method
  readonly path: string
  /** Names of the query parameters that it takes; all others are refused. */
  readonly query: readonly string[]
  readonly takesBody: boolean
  answer(asked: Asked): Promise<Answer>
}
