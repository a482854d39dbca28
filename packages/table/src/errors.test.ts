import { expect, test } from 'vitest'
import { type Issue, invalidInput } from './errors.ts'

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
