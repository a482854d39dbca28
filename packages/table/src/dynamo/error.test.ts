import { expect, test } from 'vitest'
import { errorOf, type Failure, type FailureKind, failureOf, passes } from './error.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error('internal words'), { name, ...more })

test.each<[string, unknown, FailureKind]>([
  ['a failed condition', named('ConditionalCheckFailedException'), 'condition'],
  ['a cancelled transaction', named('TransactionCanceledException'), 'cancelled'],
  ['another transaction on the item', named('TransactionConflictException'), 'conflict'],
  ['the same token at work', named('TransactionInProgressException'), 'conflict'],
  ['a hot partition', named('ProvisionedThroughputExceededException'), 'throttled'],
  ['a throttled control plane', named('ThrottlingException'), 'throttled'],
  ['an account at its limit', named('RequestLimitExceeded'), 'throttled'],
  ['a token with another request', named('IdempotentParameterMismatchException'), 'idempotency'],
  ['no table', named('ResourceNotFoundException'), 'missing-table'],
  ['a table being made', named('ResourceInUseException'), 'table-in-use'],
  ['a malformed request', named('ValidationException'), 'invalid'],
  ['an operation that an engine lacks', named('UnknownOperationException'), 'invalid'],
  ['no rights', named('AccessDeniedException'), 'refused'],
  ['no credentials', named('CredentialsProviderError'), 'refused'],
  ["a server's error", named('InternalServerError', { $metadata: { httpStatusCode: 500 } }), 'lost'],
  ['an unknown code of the client', named('SomethingNew', { $metadata: { httpStatusCode: 400 } }), 'invalid'],
  ['an unknown throttling', named('SomethingNew', { $metadata: { httpStatusCode: 429 } }), 'throttled'],
  ['a name that every object has', named('constructor', { $metadata: { httpStatusCode: 500 } }), 'lost'],
  ['a clock that was wrong', named('ClockCorrected'), 'clock'],
  ['a refused connection', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'unreached'],
  ['an unknown host', Object.assign(new Error(), { code: 'ENOTFOUND' }), 'unreached'],
  ['a broken connection', Object.assign(new Error(), { code: 'ECONNRESET' }), 'lost'],
  ['a time-out', named('HeadersTimeoutError', { code: 'UND_ERR_HEADERS_TIMEOUT' }), 'lost'],
  ['anything else', 'text', 'lost'],
  ['nothing', undefined, 'lost'],
])('%s is understood', (_, cause, kind) => {
  const failure = failureOf(cause)
  expect(failure.kind).toBe(kind)
  expect(failure.cause).toBe(cause)
})

test.each<[readonly string[], boolean]>([
  [['TransactionConflict', 'None'], true],
  [['ThrottlingError', 'ProvisionedThroughputExceeded'], true],
  [['TransactionConflict', 'ConditionalCheckFailed'], false],
  [['ConditionalCheckFailed'], false],
  [['ValidationError', 'None'], false],
  [['None'], false],
  [[], false],
])('a transaction cancelled for %j passes by itself: %s', (codes, expected) => {
  expect(passes(codes.map((code) => ({ code })))).toBe(expected)
})

const kinds: readonly FailureKind[] = [
  'condition',
  'cancelled',
  'conflict',
  'throttled',
  'unreached',
  'clock',
  'lost',
  'idempotency',
  'missing-table',
  'table-in-use',
  'invalid',
  'refused',
]

test.each(kinds)('an error for %s shows nothing internal, and keeps its cause', (kind) => {
  const cause = named('secret name', { message: 'secret words' })
  const failure: Failure = kind === 'cancelled' ? { kind, reasons: [], cause } : { kind, cause }
  const error = errorOf(failure)
  expect(error.cause).toBe(cause)
  // Input is checked before it is sent: nothing that DynamoDB refuses is the caller's error.
  expect(error.category).not.toBe('invalid')
  expect(JSON.stringify({ message: error.message, details: error.details })).not.toContain('secret')
  expect(error.details).toEqual({ failure: kind, uncertain: kind === 'lost' })
})
