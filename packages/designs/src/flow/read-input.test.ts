import { count, email, text, uuid } from '@freehold/table'
import { expect, test } from 'vitest'
import { readInput } from './read-input.ts'

const attributes = { id: uuid(), email: email().optional(), zone: text().made('UTC'), limit: count().optional() }
const id = 'C1C1C1C1-0000-4000-8000-000000000001'

test('an input is normalised, and what is left out is left out', () => {
  expect(readInput('invite', attributes, { id, email: ' Ada@Example.org ' })).toEqual({ id: id.toLowerCase(), email: 'ada@example.org' })
})

test('null takes an optional value away, and nothing else', () => {
  expect(readInput('invite', attributes, { id, email: null })).toEqual({ id: id.toLowerCase(), email: null })
  expect(() => readInput('invite', attributes, { id, zone: null })).toThrow('zone is not text')
  expect(() => readInput('invite', attributes, { id: null })).toThrow('id is not text')
})

test('everything that does not fit is named at once', () => {
  expect(() => readInput('invite', attributes, { email: 'nobody', limit: -1, colour: 'red' })).toThrow(
    expect.objectContaining({
      code: 'InvalidInput',
      details: {
        flow: 'invite',
        issues: [
          { path: ['colour'], message: 'is not an input of invite, which has id, email, zone, limit' },
          { path: ['id'], message: 'is missing' },
          { path: ['email'], message: expect.any(String) },
          { path: ['limit'], message: 'is less than 0' },
        ],
      },
    }),
  )
})

test.each([undefined, null, 'id', [id], 7])('%j is no input', (input) => {
  expect(() => readInput('invite', attributes, input)).toThrow('the input is not an object')
})

test('names of the prototype are no inputs', () => {
  expect(() => readInput('invite', attributes, { id, constructor: 1 })).toThrow('constructor is not an input')
  expect(() => readInput('invite', { toString: text() }, {})).toThrow('toString is missing')
})
