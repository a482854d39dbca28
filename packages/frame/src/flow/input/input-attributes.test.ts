import { count, email, list, record, text, uuid } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { readInput } from './input-attributes.ts'

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

describe('a list', () => {
  let looks = 0
  const counted = text()
  const schema = counted.schema.refine(() => ++looks > 0)
  const names = { names: list({ ...counted, schema }, { max: 3 }).optional() }

  test('with more members than it may have is refused before any of them is looked at', () => {
    looks = 0
    expect(readInput('invite', names, { names: ['a', 'b', 'c'] })).toEqual({ names: ['a', 'b', 'c'] })
    expect(looks).toBe(3)
    const refused = { details: { flow: 'invite', issues: [{ path: ['names'], message: 'has more than 3 members' }] } }
    expect(() => readInput('invite', names, { names: ['a', 'b', 'c', 7] })).toThrow(expect.objectContaining(refused))
    expect(looks).toBe(3)
  })

  test('may be left out, and is a list', () => {
    expect(readInput('invite', names, { names: null })).toEqual({ names: null })
    expect(readInput('invite', names, {})).toEqual({})
    expect(() => readInput('invite', names, { names: 'abcd' })).toThrow('names is not a list')
  })

  test('of which nothing fits is refused in a few words, however much there is of it', () => {
    const pairs = { pairs: list(record({ one: text(), other: text() })) }
    const refusal = () => readInput('invite', pairs, { pairs: Array(100_000).fill({}) })
    expect(refusal).toThrow(
      expect.objectContaining({ code: 'InvalidInput', details: { flow: 'invite', issues: expect.objectContaining({ length: 10 }) } }),
    )
    expect(refusal).toThrow(expect.objectContaining({ message: expect.stringMatching(/pairs\.4\.other is missing\.$/) }))
  })
})
