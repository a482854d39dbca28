import { FreeholdError, isFreeholdError } from '@freehold/table'
import { errorCodes } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { problem, problemOf } from './problem.ts'

describe('a problem', () => {
  test('is as RFC 9457 has it, and names what does not fit', () => {
    const issues = [{ path: ['user'], message: 'is missing' }]
    expect(problemOf(new FreeholdError('InvalidInput', 'can: user is missing.', { issues, question: 'can' }))).toEqual({
      status: 400,
      code: 'InvalidInput',
      headers: { 'Content-Type': 'application/problem+json' },
      body: {
        type: 'urn:freehold:error:InvalidInput',
        title: 'The input is invalid',
        status: 400,
        detail: 'can: user is missing.',
        code: 'InvalidInput',
        issues,
      },
    })
  })

  test('names the attribute of an error that has no issues', () => {
    const { body } = problemOf(new FreeholdError('InvalidKey', 'It is empty.', { entity: 'Role', attribute: 'roleName' }))
    expect(body).toMatchObject({ entity: 'Role', attribute: 'roleName', issues: [{ path: ['roleName'], message: 'It is empty.' }] })
  })

  test('says nothing of causes, and of details only what names things', () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:8000')
    const error = new FreeholdError('Unavailable', 'DynamoDB cannot be reached.', { failure: 'unreached', key: { PK: 'a' } }, { cause })
    expect(problemOf(error).body).toEqual({
      type: 'urn:freehold:error:Unavailable',
      title: 'The service cannot answer now',
      status: 503,
      detail: 'DynamoDB cannot be reached.',
      code: 'Unavailable',
    })
  })

  test('that passes says when to try again', () => {
    expect(problem('Busy', 'The table is busy.')).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    expect(problem('Unavailable', 'It is gone.').headers).not.toHaveProperty('Retry-After')
  })

  test.each([
    ['InvalidInput', 400],
    ['InvalidKey', 400],
    ['InvalidCursor', 400],
    ['InvalidDesign', 400],
    ['UnknownName', 400],
    ['TooLarge', 400],
    ['NotFound', 404],
    ['AlreadyExists', 409],
    ['VersionConflict', 409],
    ['CheckFailed', 409],
    ['TransactionFailed', 409],
    ['MissingEnd', 409],
    ['BeingDeleted', 409],
    ['InUse', 409],
    ['DerivedItem', 409],
    ['Immutable', 409],
    ['Denied', 403],
    ['Busy', 503],
    ['MalformedItem', 503],
    ['Unavailable', 503],
  ] as const)('of code %s has status %i', (code, status) => {
    expect(problemOf(new FreeholdError(code, 'It is so.'))).toMatchObject({
      status,
      body: { status, code, type: `urn:freehold:error:${code}` },
    })
  })

  test('keeps its status, type and title though a member has their names', () => {
    expect(problem('Denied', 'No.', { members: { status: 200, type: 'a', detail: 'b' } }).body).toMatchObject({
      status: 403,
      detail: 'No.',
    })
  })

  test('has a title and a status for each code there is', () => {
    for (const code of Object.keys(errorCodes)) {
      const error = new FreeholdError(code as keyof typeof errorCodes, 'It is so.') // Object.keys forgets the names
      expect(isFreeholdError(error)).toBe(true)
      expect(problemOf(error).body).toHaveProperty('title', expect.stringMatching(/^[A-Z]/))
    }
  })
})
