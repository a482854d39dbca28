import { FreeholdError } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { causeOf } from './cause.ts'

/** An error as the AWS SDK, the embedded engine or Node gives it. */
function raised(name: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { name }, more)
}

function unavailable(cause: unknown, failure = 'lost'): FreeholdError {
  return new FreeholdError('Unavailable', 'DynamoDB did not answer.', { failure }, { cause })
}

describe('the cause of a 503', () => {
  test.each([
    [
      'of the engine',
      unavailable(raised('InternalServerError', 'database or disk is full')),
      { name: 'InternalServerError', failure: 'lost', message: 'database or disk is full' },
    ],
    [
      'of the system',
      unavailable(raised('Error', 'connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }), 'unreached'),
      { name: 'ECONNREFUSED', failure: 'unreached', message: 'connect ECONNREFUSED 127.0.0.1:1' },
    ],
    [
      'of a policy',
      unavailable(raised('AccessDeniedException', 'ada is not authorized to perform: dynamodb:PutItem'), 'refused'),
      { name: 'AccessDeniedException', failure: 'refused', message: 'ada is not authorized to perform: dynamodb:PutItem' },
    ],
    ['that is not an error', unavailable('gone'), { name: 'Unavailable', failure: 'lost', message: 'DynamoDB did not answer.' }],
    ['that nobody gave', new FreeholdError('Busy', 'The table is busy.'), { name: 'Busy', message: 'The table is busy.' }],
    [
      'of another error of ours',
      new FreeholdError('Unavailable', 'It could not be decided.', {}, { cause: unavailable(raised('TimeoutError', 'timed out')) }),
      { name: 'TimeoutError', failure: 'lost', message: 'timed out' },
    ],
  ])('tells the name, the kind and the sentence %s', (_, error, cause) => {
    expect(causeOf(error)).toEqual(cause)
  })

  test('tells one short line, as further ones quote the request', () => {
    expect(causeOf(unavailable(raised('Odd', `${'x'.repeat(300)}\nhunter2`))).message).toBe('x'.repeat(200))
    expect(causeOf(unavailable(raised('Odd', 'first\nhunter2'))).message).toBe('first')
  })

  test.each(['InvalidSignatureException', 'IncompleteSignature', 'UnrecognizedClientTokenException', 'CredentialsProviderError'])(
    'tells no sentence of %s, which quotes credentials',
    (name) => {
      expect(causeOf(unavailable(raised(name, 'Credential=hunter2'), 'refused'))).toEqual({ name, failure: 'refused' })
    },
  )

  test('tells of a malformed item its entity, and not which one it is', () => {
    const error = new FreeholdError('MalformedItem', "The User of 'ada@example.org' is malformed.", { entity: 'User' })
    expect(causeOf(error)).toEqual({ name: 'MalformedItem', entity: 'User' })
  })
})
