import type { Category, ErrorCode, FreeholdError, Issue } from '@freehold/table'
import { errorCodes } from '@freehold/table/runtime'
import { type Cause, causeOf } from './cause.ts'
import type { Answer } from './route.ts'

/** An error in the form of RFC 9457, without `instance`, which is added when it is sent. */
export interface Problem {
  /** `urn:freehold:error:` and the code. It is stable, and does not resolve. */
  readonly type: string
  /** The title, the same for every problem of a type. */
  readonly title: string
  readonly status: number
  /** A sentence about this problem, with advice. */
  readonly detail: string
  readonly code: ErrorCode
  /** The wrong values, each with the path of its name. */
  readonly issues?: readonly Issue[]
  readonly [member: string]: unknown
}

export const problemType = 'application/problem+json'

const statusOf: Readonly<Record<Category, number>> = {
  invalid: 400,
  missing: 404,
  conflict: 409,
  denied: 403,
  retryable: 503,
  // Accepted, but not finished (RFC 9110, section 15.3.3).
  pending: 202,
  unavailable: 503,
}

/** Codes with a status of their own: 422 as RFC 9110, section 15.5.21, has it. */
const statusOfCode: Partial<Readonly<Record<ErrorCode, number>>> = { KeyReused: 422 }

/** What a code says, in words. */
export const titles: Readonly<Record<ErrorCode, string>> = {
  InvalidInput: 'The input is invalid',
  InvalidKey: 'A value cannot stand in a key',
  InvalidCursor: 'The cursor was not given for this list',
  InvalidDesign: 'The design contradicts itself',
  UnknownName: 'There is nothing with this name',
  KeyReused: 'The idempotency key was used for another request',
  TooLarge: 'Too large',
  NotFound: 'There is no such item',
  AlreadyExists: 'It already exists',
  VersionConflict: 'The item was changed meanwhile',
  CheckFailed: 'A checked item is not as expected',
  TransactionFailed: 'Nothing was written',
  MissingEnd: 'Something that this needs is missing',
  BeingDeleted: 'The item is being deleted',
  InUse: 'The item is still referred to',
  DerivedItem: 'The item is written with its owner',
  Immutable: 'The item never changes',
  MalformedItem: 'A stored item does not match its entity',
  Denied: 'Not allowed',
  Busy: 'Too much is under way',
  Pending: 'It has begun, and is not finished',
  NotAdopted: 'The table lacks what the design adds to it',
  Unavailable: 'The service cannot answer now',
}

/** Seconds after which a client may try again, for errors of the category `retryable`. */
const retryAfter_s = 1

/** The issues of an error. One that names an attribute and has no issues is its own issue. */
function issuesOf({ message, details: { issues, attribute } }: FreeholdError): readonly Issue[] | undefined {
  if (issues !== undefined && issues.length > 0) return issues
  return attribute === undefined ? undefined : [{ path: [attribute], message }]
}

/** Options that differ from the defaults of the error's category, and additional members. */
export interface ProblemOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, unknown>>
  /** The cause of a 503, for the log. By default the code and the sentence. */
  readonly cause?: Cause
}

/** The status of a code, where a route gives it none of its own. */
export function statusOfError(code: ErrorCode): number {
  return statusOfCode[code] ?? statusOf[errorCodes[code]]
}

/** The answer for a code and a sentence. */
export function problem(code: ErrorCode, detail: string, { status, headers = {}, members = {}, cause }: ProblemOptions = {}): Answer {
  const category = errorCodes[code]
  const body: Problem = {
    ...members,
    type: `urn:freehold:error:${code}`,
    title: titles[code],
    status: status ?? statusOfError(code),
    detail,
    code,
  }
  const retry = category === 'retryable' ? { 'Retry-After': String(retryAfter_s) } : {}
  const logged = body.status === 503 ? { cause: cause ?? { name: code, message: detail } } : {}
  return { status: body.status, body, code, headers: { 'Content-Type': problemType, ...retry, ...headers }, ...logged }
}

/** The answer for an error of this project. It only has those details that name the caller's input, and never the cause. */
export function problemOf(error: FreeholdError, options: ProblemOptions = {}): Answer {
  const { entity, attribute, guard, uncertain, pending } = error.details
  const issues = issuesOf(error)
  const members = {
    ...(issues === undefined ? {} : { issues }),
    ...(entity === undefined ? {} : { entity }),
    ...(attribute === undefined ? {} : { attribute }),
    ...(guard === undefined ? {} : { guard }),
    ...(uncertain === true ? { uncertain } : {}),
    ...(pending === undefined ? {} : { pending }),
    ...options.members,
  }
  return problem(error.code, error.message, { cause: causeOf(error), ...options, members })
}
