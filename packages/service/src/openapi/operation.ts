import type { ErrorCode } from '@freehold/table'
import type { JsonSchema } from '@freehold/table/publish'

/** The schemas that several operations share, each told once. */
export interface Components {
  /**
   * A reference to the schema of this name, which is made at its first use.
   * @param owner what has the name: a schema of another owner gets another one. By default the service itself.
   */
  named(name: string, make: () => JsonSchema, owner?: string): JsonSchema
}

export interface Parameter {
  readonly schema: JsonSchema
  readonly required?: boolean
  readonly description?: string
}

/** Headers of requests and of answers that some routes have. */
export type RequestHeader = 'If-None-Match' | 'Idempotency-Key' | 'Subject-Token' | 'X-Request-ID'
export type AnswerHeader = 'ETag' | 'Location' | 'Link' | 'Idempotency-Replayed'

/** An answer that is no problem. */
export interface ToldAnswer {
  readonly status: number
  readonly summary: string
  /** The media type of its body, `application/json` unless given. */
  readonly type?: string
  /** Undefined for an answer without a body. */
  readonly schema?: JsonSchema
  readonly headers?: readonly AnswerHeader[]
}

/** What a GET with conditions answers to a caller that has the item. */
export const unchanged: ToldAnswer = { status: 304, summary: 'The caller has it.', headers: ['ETag'] }

/** A body that works on the sample of a design. */
export interface Example {
  readonly summary: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What a route tells of itself. */
export interface Operation {
  /** Unique in the service. */
  readonly id: string
  /** The part of the document that it stands in. */
  readonly tag: string
  /** A sentence. */
  readonly summary: string
  readonly description?: string
  /** By name: exactly the query parameters that the route takes. */
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: readonly RequestHeader[]
  /** The body that it takes. */
  readonly body?: JsonSchema
  readonly answers: readonly ToldAnswer[]
  /** The codes of its problems, besides those of every route; with a status where that is not the code's own. */
  readonly errors: readonly (ErrorCode | readonly [code: ErrorCode, status: number])[]
  /** It needs no key. */
  readonly isOpen?: true
  /** Viewers leave it out, though it answers. */
  readonly isHidden?: true
}

export type Describe = (components: Components) => Operation
