import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  json,
  letrec,
  nat,
  oneof,
  property,
  record,
  string,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAnswer } from './answer-json.ts'
import { fromItem, type Item } from './attribute-value.ts'

/** Members in their order, also one named `__proto__`. The prototypes of objects do not count. */
function members(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(members)
  return typeof value === 'object' && value !== null ? Object.entries(value).map(([name, each]) => [name, members(each)]) : value
}

/** As `JSON.parse` has it. */
function parsed(text: string): unknown {
  try {
    return members(JSON.parse(text))
  } catch {
    return undefined
  }
}

const text = oneof(
  string({ unit: 'binary' }),
  string({ minLength: 9, maxLength: 16 }),
  constantFrom('S', 'N', '__proto__', '\\', '"', 'a\nb', '7'),
)
const { item } = letrec((tie) => ({
  item: dictionary(text, tie('value'), { noNullPrototype: true }),
  value: oneof(
    record({ S: text }),
    record({ N: oneof(integer(), double()).map(String) }),
    record({ BOOL: boolean() }),
    record({ NULL: constant(true) }),
    record({ SS: array(text, { minLength: 1 }) }),
    record({ M: tie('item') }),
    record({ L: array(tie('value'), { maxLength: 3 }) }),
  ),
}))
const answer = record({ ConsumedCapacity: record({ CapacityUnits: double() }), Count: nat(), Items: array(item, { maxLength: 4 }) })

describe('an answer', () => {
  test('is read as JSON.parse reads it', () => {
    const property_ = property(
      oneof(
        answer.map((each) => JSON.stringify(each)),
        json(),
      ),
      (given) => {
        expect(members(parseAnswer(given))).toEqual(parsed(given))
      },
    )
    assert(property_, { numRuns: 2_000 })
  })

  test('that is damaged is read as JSON.parse reads it, or not at all', () => {
    const damage = constantFrom(
      '',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      ' ',
      '\n',
      '\u0001',
      '0',
      '-',
      '.',
      'e',
      't',
      'null',
      '"a":1,',
      '\\u00',
    )
    const damaged = record({ answer, at: double({ min: 0, max: 1, noNaN: true }), length: nat(3), damage })
    const property_ = property(damaged, ({ answer: each, at, length, damage: other }) => {
      const whole = JSON.stringify(each)
      const from = Math.floor(at * whole.length)
      const given = whole.slice(0, from) + other + whole.slice(from + length)
      expect(members(parseAnswer(given))).toEqual(parsed(given))
    })
    assert(property_, { numRuns: 3_000 })
  })

  test.each([
    '',
    ' ',
    '{} ',
    ' {}',
    '{"a": 1}',
    '{"a":1,"a":2}',
    '{"a":1,}',
    '[1,]',
    '01',
    '1.',
    '-0',
    '1e400',
    'nul',
    '"\\ud800"',
    '"a\tb"',
    '{a:1}',
    '\ufeff{}',
  ])('%j is what JSON.parse makes of it', (given) => {
    expect(members(parseAnswer(given))).toEqual(parsed(given))
  })

  test('of any depth needs no stack', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(Array.isArray(parseAnswer(deep))).toBe(true)
    expect(parseAnswer('['.repeat(200_000))).toBeUndefined()
  })

  test('has no names but its own', () => {
    // Each is an object of attributes.
    const read = parseAnswer('{"__proto__":{"S":"x"},"constructor":{"S":"y"}}') as Item
    expect('toString' in read).toBe(false)
    expect(Object.entries(fromItem(read))).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })
})
