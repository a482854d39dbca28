import { FreeholdError } from '../errors.ts'
import { isItem, isRecord } from './answer.ts'
import { notSentCode } from './attempt.ts'
import type { Item } from './attribute-value.ts'

/** The reason why an action cancelled its transaction. `None` for an action that did not. */
export interface Reason {
  readonly code: string
  /** What DynamoDB says of a `ValidationError`. */
  readonly message?: string
  /** The item that failed the condition, if the action asked for it. */
  readonly item?: Item
}

/**
 * The failure of one request, as far as it decides the next step. `cause` is the original error, which never reaches a client.
 * - `condition`, `cancelled`: answers, which the caller interprets; nothing was applied
 * - `conflict`, `throttled`, `unreached`, `clock`: nothing was applied, and the same request may succeed later
 * - `lost`: the request may have been applied or not
 * - the rest: nothing was applied, and the same request will fail again
 */
export type Failure =
  | { readonly kind: 'condition'; readonly item?: Item; readonly cause: unknown }
  | { readonly kind: 'cancelled'; readonly reasons: readonly Reason[]; readonly cause: unknown }
  | { readonly kind: Exclude<FailureKind, 'condition' | 'cancelled'>; readonly cause: unknown }

export type FailureKind =
  | 'condition'
  | 'cancelled'
  | 'conflict'
  | 'throttled'
  | 'unreached'
  | 'clock'
  | 'lost'
  | 'idempotency'
  | 'missing-table'
  | 'table-in-use'
  | 'invalid'
  | 'refused'

/**
 * DynamoDB's error codes, from its API reference ("Common Errors", and each operation's errors), and the throttling codes of AWS's SDKs.
 */
const kinds: Readonly<Record<string, FailureKind>> = {
  ConditionalCheckFailedException: 'condition',
  TransactionCanceledException: 'cancelled',
  TransactionConflictException: 'conflict',
  // An earlier attempt with the same token has not ended yet.
  TransactionInProgressException: 'conflict',
  ReplicatedWriteConflictException: 'conflict',
  ProvisionedThroughputExceededException: 'throttled',
  ThrottlingException: 'throttled',
  Throttling: 'throttled',
  ThrottledException: 'throttled',
  RequestLimitExceeded: 'throttled',
  RequestThrottled: 'throttled',
  RequestThrottledException: 'throttled',
  TooManyRequestsException: 'throttled',
  SlowDown: 'throttled',
  // Too many tables are being created or changed at once.
  LimitExceededException: 'throttled',
  IdempotentParameterMismatchException: 'idempotency',
  ResourceNotFoundException: 'missing-table',
  TableNotFoundException: 'missing-table',
  ResourceInUseException: 'table-in-use',
  ValidationException: 'invalid',
  SerializationException: 'invalid',
  ItemCollectionSizeLimitExceededException: 'invalid',
  UnknownOperationException: 'invalid',
  AccessDeniedException: 'refused',
  UnrecognizedClientException: 'refused',
  InvalidClientTokenId: 'refused',
  InvalidSignatureException: 'refused',
  IncompleteSignatureException: 'refused',
  IncompleteSignature: 'refused',
  MissingAuthenticationTokenException: 'refused',
  MissingAuthenticationToken: 'refused',
  ExpiredTokenException: 'refused',
  RequestExpired: 'refused',
  RequestInTheFuture: 'refused',
  RequestTimeTooSkewed: 'refused',
  SignatureDoesNotMatch: 'refused',
  // Our own: see signing-clock.ts.
  ClockCorrected: 'clock',
  OptInRequired: 'refused',
  NotAuthorized: 'refused',
  CredentialsProviderError: 'refused',
  TokenProviderError: 'refused',
}

/** Codes of Node, undici and this project for a connection that was never made, so that nothing was sent, or applied. */
const unreachedCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  // The embedded engine's, which has written nothing then.
  'StorageFull',
  notSentCode,
])

/** The properties of an error that are read. Errors of the AWS SDK, the embedded engine, Node and undici have them. */
interface Raw {
  readonly name?: unknown
  readonly code?: unknown
  readonly Item?: unknown
  readonly CancellationReasons?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** The failure that a rejected `send` means. An unknown error counts as `lost`, since the request may have been applied. */
export function failureOf(cause: unknown): Failure {
  if (typeof cause !== 'object' || cause === null) return { kind: 'lost', cause }
  // Every property is checked before it is used.
  const raw = cause as Raw
  const kind = kindOf(raw)
  if (kind === 'condition') {
    const { Item: item } = raw
    // A malformed item would otherwise count as no item.
    return item === undefined ? { kind, cause } : isItem(item) ? { kind, cause, item } : { kind: 'lost', cause }
  }
  if (kind === 'cancelled') {
    const reasons = reasonsOf(raw.CancellationReasons)
    return reasons === undefined ? { kind: 'lost', cause } : { kind, cause, reasons }
  }
  return { kind, cause }
}

/** The reason of each action of a cancelled transaction. Undefined if they are not in DynamoDB's form. */
function reasonsOf(given: unknown): readonly Reason[] | undefined {
  if (given === undefined) return []
  if (!Array.isArray(given)) return undefined
  const reasons = given.map((each: unknown) => (isRecord(each) ? reasonOf(each) : undefined))
  return reasons.every((reason) => reason !== undefined) ? reasons : undefined
}

function reasonOf({ Code: code = 'None', Message: message, Item: item }: Readonly<Record<string, unknown>>): Reason | undefined {
  if (typeof code !== 'string') return undefined
  const told = code === 'ValidationError' && typeof message === 'string' ? { code, message } : { code }
  if (item === undefined) return told
  return isItem(item) ? { ...told, item } : undefined
}

function kindOf(raw: Raw): FailureKind {
  const named = typeof raw.name === 'string' && Object.hasOwn(kinds, raw.name) ? kinds[raw.name] : undefined
  if (named !== undefined) return named
  if (unreachedCodes.has(raw.code)) return 'unreached'
  const status = raw.$metadata?.httpStatusCode
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'refused'
  return status !== undefined && status >= 400 && status < 500 ? 'invalid' : 'lost'
}

/** Codes of temporary cancellation reasons: others wrote the same items, or wrote too much. */
const passingReasons: ReadonlySet<string> = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/** True for a transaction that was cancelled only for temporary reasons. If a condition failed, too, that is an answer instead. */
export function passes(reasons: readonly Reason[]): boolean {
  const given = reasons.filter(({ code }) => code !== 'None')
  return given.length > 0 && given.every(({ code }) => passingReasons.has(code))
}

/** The sentence for a write that may have been applied although it failed (spec rule 13). */
export const uncertainSentence = 'An answer was lost, so this write may have been applied: read before you try again.'

/**
 * The error for a failure that its caller does not interpret. `details.failure` is its kind. The message names nothing internal; the
 * `cause` has everything.
 * @param uncertain true if the request may have been applied
 * @param table its name, for the error of one that is missing
 */
export function errorOf(failure: Failure, uncertain = failure.kind === 'lost', table?: string): FreeholdError {
  const { kind, cause } = failure
  const details = { failure: kind, uncertain }
  const told = uncertain ? ` ${uncertainSentence}` : ''
  switch (kind) {
    case 'conflict':
    case 'throttled':
    case 'cancelled':
      return new FreeholdError('Busy', uncertain ? `The table is busy.${told}` : 'The table is busy. Try again.', details, { cause })
    case 'condition':
      return new FreeholdError('VersionConflict', 'The item is not as expected. Read it again.', details, { cause })
    case 'invalid':
      // All input is checked before it is sent, so no caller has caused it.
      return new FreeholdError('Unavailable', `DynamoDB refused the request. The log has its own sentence.${told}`, details, { cause })
    case 'missing-table':
      return new FreeholdError(
        'Unavailable',
        `The table${table === undefined ? '' : ` ${table}`} does not exist. A program creates it by \`ensureTable\` of @freehold/table/runtime.`,
        details,
        { cause },
      )
    case 'table-in-use':
      return new FreeholdError('Unavailable', 'The table is being created, changed or deleted. Try again.', details, { cause })
    case 'idempotency':
      return new FreeholdError('Unavailable', 'A transaction token was used for another request.', details, { cause })
    case 'refused':
      return new FreeholdError('Unavailable', 'DynamoDB refused our credentials. Check them and their permissions.', details, { cause })
    case 'clock':
      return new FreeholdError('Unavailable', `The clocks of this machine and of DynamoDB differ.${told}`, details, { cause })
    case 'unreached':
      return new FreeholdError('Unavailable', `DynamoDB cannot be reached.${told}`, details, { cause })
    case 'lost':
      return new FreeholdError('Unavailable', `DynamoDB did not answer.${told}`, details, { cause })
  }
}
