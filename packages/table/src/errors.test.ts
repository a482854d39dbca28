import { expect, test } from 'vitest'
import { FreeholdError, type Issue, invalidInput } from './errors.ts'

test.each<[string, readonly Issue[], string]>([
  ['an attribute', [{ path: ['email'], message: 'is missing' }], 'User: email is missing.'],
  ['an element of a list', [{ path: ['roles', 0], message: 'is not text' }], 'User: roles.0 is not text.'],
  ['the whole input', [{ path: [], message: 'is not an object of attributes' }], 'User: is not an object of attributes.'],
  [
    'several at once',
    [
      { path: ['email'], message: 'is missing' },
      { path: ['name'], message: 'is not text' },
    ],
    'User: email is missing; name is not text.',
  ],
])('input that does not fit is refused with a sentence for %s', (_what, issues, message) => {
  const error = invalidInput('User', issues, { entity: 'User' })
  expect(error).toMatchObject({ code: 'InvalidInput', message, details: { entity: 'User', issues } })
})

const about = (path: string, message = 'is missing'): Issue => ({ path: [path], message })

test('of many things that do not fit ten are named, and how many there are besides', () => {
  const issues = Array.from({ length: 12 }, (_, index) => about(`a${index}`))
  const error = invalidInput('User', issues)
  expect(error.details.issues).toEqual(issues.slice(0, 10))
  expect(error.message).toMatch(/^User: a0 is missing; .*; a9 is missing; and 2 more\.$/)
  expect(invalidInput('User', issues.slice(0, 10)).message).toMatch(/; a9 is missing\.$/)
})

test('what is told of a name or a value that somebody sent is no longer than a person reads', () => {
  const [issue] = invalidInput('User', [about('x'.repeat(1000), `is ${'😀'.repeat(1000)}`)]).details.issues ?? []
  expect(issue).toEqual(about(`${'x'.repeat(300)}…`, `is ${'😀'.repeat(148)}…`))
})

test('every error is bounded', () => {
  const issues = Array.from({ length: 11 }, () => about('x'))
  const error = new FreeholdError('InvalidInput', 'x'.repeat(100_000), { entity: 'User', issues })
  expect(error.message).toBe(`${'x'.repeat(10_000)}…`)
  expect(error.details).toEqual({ entity: 'User', issues: issues.slice(0, 10) })
})
