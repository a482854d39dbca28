/**
 * What a caller can do about an error: correct the input, look elsewhere, read again and decide, ask for permission, try again, wait for a
 * job, or wait for an operator.
 */
export type Category = 'invalid' | 'missing' | 'conflict' | 'denied' | 'retryable' | 'pending' | 'unavailable'

/**
 * Every error of every package, by its stable code. `details` is the typed payload that goes with it.
 * docs/reference/errors.md lists the same codes; a test compares the two.
 */
export const errorCodes = {
  /** The input does not fit: `issues` names each attribute and why. */
  InvalidInput: 'invalid',
  /** A value would make a key ambiguous or too long (spec rules 1 and 2). */
  InvalidKey: 'invalid',
  /** A cursor that this table did not issue for this pattern, these parameters and this tenant. */
  InvalidCursor: 'invalid',
  /** A design that contradicts itself; thrown when it is defined. */
  InvalidDesign: 'invalid',
  /** A name of a design, entity or pattern that is not there. */
  UnknownName: 'invalid',
  /** An idempotency key under which the same caller has made another request. */
  KeyReused: 'invalid',
  /** More than 100 actions or 4 MB in one transaction, or an item over 400 KB (DynamoDB limits). */
  TooLarge: 'invalid',
  /** No item under this key. */
  NotFound: 'missing',
  /** An item under this key, or a guard of another owner. */
  AlreadyExists: 'conflict',
  /** Another writer has changed the item since the named version. */
  VersionConflict: 'conflict',
  /** An item does not satisfy the condition of a write. */
  CheckFailed: 'conflict',
  /** One or more steps of a transaction failed: `failures` by the step's name. */
  TransactionFailed: 'conflict',
  /** An end of an edge, or a referred item, is absent, being deleted or another tenant's. */
  MissingEnd: 'conflict',
  /** The item is being deleted; its key stays taken until that is done. */
  BeingDeleted: 'conflict',
  /** Other items still refer to the item, and the design refuses its removal then. */
  InUse: 'conflict',
  /** A guard or lookup item is only written with its owner. */
  DerivedItem: 'conflict',
  /** An append-only item never changes. */
  Immutable: 'conflict',
  /** A stored item does not fit its entity's schema. */
  MalformedItem: 'unavailable',
  /** Not allowed, or not signed in. */
  Denied: 'denied',
  /** Throttled, or in conflict with other writers, until the deadline passed. Nothing was applied twice. */
  Busy: 'retryable',
  /** The operation has begun, and the durable jobs in `pending` finish it. */
  Pending: 'pending',
  /** The table may lack what its design adds to the document: `command` completes it. */
  NotAdopted: 'unavailable',
  /** DynamoDB, or the embedded engine, cannot be reached or refuses requests. */
  Unavailable: 'unavailable',
} as const satisfies Record<string, Category>

export type ErrorCode = keyof typeof errorCodes

export interface Issue {
  /** Path of attribute names, empty for the whole input. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

export interface ErrorDetails {
  readonly entity?: string
  readonly attribute?: string
  readonly issues?: readonly Issue[]
  /** The guard or end that failed, by entity name. */
  readonly guard?: string
  readonly failures?: Readonly<Record<string, FreeholdError>>
  readonly [other: string]: unknown
}

/** Bounds on an error: its caller may have sent a mebibyte of wrong values, which would otherwise be answered with sixteen mebibytes. */
const issuesMax = 10
/** In UTF-16 units: the longest part of an issue, and the longest message. */
const partMax = 300
const sentenceMax = 10_000

function cut(text: string, max: number): string {
  // Half of a surrogate pair is not valid text.
  return text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text
}

function shortIssue({ path, message }: Issue): Issue {
  return { path: path.map((part) => (typeof part === 'string' ? cut(part, partMax) : part)), message: cut(message, partMax) }
}

const firstIssues = (issues: readonly Issue[]): readonly Issue[] => issues.slice(0, issuesMax).map(shortIssue)

/** The one error class. `code` is stable, `category` says what to do, and the message is a sentence for a person. */
export class FreeholdError extends Error {
  readonly code: ErrorCode
  readonly category: Category
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(cut(message, sentenceMax), options)
    this.name = code
    this.code = code
    this.category = errorCodes[code]
    this.details = details.issues === undefined ? details : { ...details, issues: firstIssues(details.issues) }
  }
}

/**
 * The error for invalid input. Its message names the subject, for example an entity, and then each path with its problem, ten at most.
 * `details` are added to the issues.
 */
export function invalidInput(subject: string, issues: readonly Issue[], details: ErrorDetails = {}): FreeholdError {
  const problems = firstIssues(issues).map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(' '))
  if (issues.length > issuesMax) problems.push(`and ${issues.length - issuesMax} more`)
  return new FreeholdError('InvalidInput', `${subject}: ${problems.join('; ')}.`, { ...details, issues })
}

/** True for an error of this project, and of this code if one is given. */
export function isFreeholdError(error: unknown, code?: ErrorCode): error is FreeholdError {
  return error instanceof FreeholdError && (code === undefined || error.code === code)
}
