import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Attribute } from '../design/attribute.ts'
import { count, flag, list, map, number, oneOf, record, text } from '../design/attributes.ts'

function refusal({ schema }: Attribute, input: unknown): unknown {
  const result = schema.safeParse(input)
  return result.success ? 'accepted' : result.error.issues.map(({ path, message }) => [...path, message].join(' '))
}

describe('one of several', () => {
  const status = oneOf('active', 'on-hold', 'a.b')

  test('is exactly one of them', () => {
    expect(status.schema.parse('on-hold')).toBe('on-hold')
    for (const wrong of ['Active', ' active', 'active ', '', 'aXb', 'activeon-hold', 'toString', null, 0])
      expect(refusal(status, wrong)).toEqual(['is not one of active, on-hold, a.b'])
    expect(refusal(status, undefined)).toEqual(['is missing'])
  })

  test('says what its values are, and matches nothing else', () => {
    expect(status.kind.domain?.values).toEqual(['active', 'on-hold', 'a.b'])
    expect(['active', 'on-hold', 'a.b', 'aXb', 'active\n', 'xactive'].map((value) => status.kind.domain?.pattern.test(value))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a flag', () => {
  test.each([true, false])('%s is kept', (value) => {
    expect(flag().schema.parse(value)).toBe(value)
  })
  test.each(['true', 1, 0, null, ''])('%j is refused', (value) => {
    expect(refusal(flag(), value)).toEqual(['is not true or false'])
  })
})

describe('a number', () => {
  test.each([0, -1.5, 1e100, Number.MAX_SAFE_INTEGER])('%d is kept', (value) => {
    expect(number().schema.parse(value)).toBe(value)
  })
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '1', 1n, null, true])('%s is refused', (value) => {
    expect(refusal(number(), value)).toEqual(['is not a finite number'])
  })
  test('stays within its bounds, which belong to it', () => {
    const latitude = number({ min: -90, max: 90 })
    expect([-90, 90].map((value) => latitude.schema.parse(value))).toEqual([-90, 90])
    expect(refusal(latitude, -90.1)).toEqual(['is less than -90'])
    expect(refusal(latitude, 91)).toEqual(['is more than 90'])
  })
  test('that counts is whole, from 0', () => {
    expect([0, 7].map((value) => count().schema.parse(value))).toEqual([0, 7])
    expect(refusal(count(), 1.5)).toEqual(['is not a whole number'])
    expect(refusal(count(), -1)).toEqual(['is less than 0'])
    expect(refusal(count(), 2 ** 53)).toEqual(['is not a whole number'])
    expect(refusal(count(), Number.NaN)).toEqual(['is not a whole number'])
  })
  test('zero has one spelling', () => {
    expect(Object.is(number().schema.parse(-0), 0)).toBe(true)
  })
  test.each([1e126, -1e126, 1e300, 1e-131])('%d is refused: DynamoDB has none such', (value) => {
    expect(refusal(number(), value)).toEqual(["is outside the range of DynamoDB's numbers"])
    expect(refusal(map(), { a: [value] })).toEqual([`holds ${value}, which is outside the range of DynamoDB's numbers`])
  })
})

const nested = (depth: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value }
  return Array.isArray(value) ? { in: value } : value
}

describe('a map', () => {
  test.each([{}, { a: 1, b: [true, null, { c: 'x' }] }, { '': 'unnamed' }, { 'a.b': '#' }, Object.assign(Object.create(null), { a: 1 })])(
    '%j is kept',
    (value) => {
      expect(map().schema.parse(value)).toEqual(value)
    },
  )

  test('keeps a property that looks like a prototype, and changes none', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}}')
    const value = map().schema.parse(hostile)
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect('isAdmin' in {}).toBe(false)
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
  })

  test.each([
    ['a list', [], 'is not a JSON object'],
    ['text', '{}', 'is not a JSON object'],
    ['null', null, 'is not a JSON object'],
    ['nothing', undefined, 'is missing'],
    ['a Date', new Date(0), 'is not a JSON object'],
    ['a Map', new Map(), 'is not a JSON object'],
    ['a Date inside', { at: new Date(0) }, 'holds an object that is not plain data'],
    ['a Set in a list', { of: [new Set()] }, 'holds an object that is not plain data'],
    ['NaN', { a: { b: Number.NaN } }, 'holds a number that is not finite'],
    ['a function', { a: () => 1 }, 'holds a value of type function, which is not JSON'],
    ['a bigint', { a: [1n] }, 'holds a value of type bigint, which is not JSON'],
    ['half of a surrogate pair', { a: ['\ud800'] }, 'holds half of a surrogate pair, which is not text'],
    ['half of a surrogate pair as a name', { '\udc00': 1 }, 'holds half of a surrogate pair, which is not text'],
    ['undefined', { a: undefined }, 'holds a value of type undefined, which is not JSON'],
    ['a list with a hole', { a: Object.assign([1], { 2: 3 }) }, 'holds a value of type undefined, which is not JSON'],
    ['a symbol', { a: Symbol('s') }, 'holds a value of type symbol, which is not JSON'],
    ['more levels than DynamoDB has', nested(34), 'nests lists and maps more than 32 deep'],
    ['enough levels to exhaust the stack', nested(200_000), 'nests lists and maps more than 32 deep'],
  ])('%s is refused', (_what, value, message) => {
    expect(refusal(map(), value)).toEqual([message])
  })

  test('is as DynamoDB returns it: zero has no sign, and objects have the usual prototype', () => {
    const value = map().schema.parse({ a: [-0, { b: -0 }], c: Object.assign(Object.create(null), { d: 'x' }) })
    expect(isDeepStrictEqual(value, { a: [0, { b: 0 }], c: { d: 'x' } })).toBe(true)
  })

  test('that contains itself is refused', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(refusal(map(), circle)).toEqual(['nests lists and maps more than 32 deep'])
  })

  test('of 32 levels is kept', () => {
    expect(refusal(map(), nested(32))).toBe('accepted')
  })
})

describe('a list', () => {
  test('normalises its members, and names one that does not fit', () => {
    expect(list(text()).schema.parse([' a ', 'e\u0301'])).toEqual(['a', '\u00e9'])
    expect(refusal(list(text()), ['a', 7])).toEqual(['1 is not text'])
    expect(list(text()).schema.parse([])).toEqual([])
  })
  test.each(['a', { 0: 'a', length: 1 }, null, new Set(['a'])])('%j is none', (value) => {
    expect(refusal(list(text()), value)).toEqual(['is not a list'])
  })
  test('may be counted first: a member too many is not looked at', () => {
    expect(list(text(), { max: 2 }).schema.parse([' a ', 'b'])).toEqual(['a', 'b'])
    expect(refusal(list(text(), { max: 2 }), ['a', 'b', 7])).toEqual(['has more than 2 members'])
    expect(refusal(list(text(), { max: 2 }), { length: 3 })).toEqual(['is not a list'])
    expect(refusal(list(text(), { max: 2 }), undefined)).toEqual(['is missing'])
  })
  test('of many is refused for the first that do not fit: the others are not looked at', () => {
    const many = [{ one: 'a', other: 'b' }, ...Array(100_000).fill({ one: 'a' })]
    const refusals = refusal(list(record({ one: text(), other: text() })), many)
    expect(refusals).toEqual(Array.from({ length: 10 }, (_, index) => `${index + 1} other is missing`))
    expect(refusal(list(text()), Array(1000).fill('a'))).toBe('accepted')
    expect(list(text()).schema.parse(Array(101).fill(' a '))).toEqual(Array(101).fill('a'))
  })
  test('of a few is refused for all that do not fit', () => {
    expect(refusal(list(text()), Array(100).fill(7))).toHaveLength(100)
  })
  test('holds a stored list, and nothing else', () => {
    expect(list(text()).kind.holds([7])).toBe(true)
    expect(list(text()).kind.holds({})).toBe(false)
  })
})

describe('a record', () => {
  const permission = record({ module: text(), action: oneOf('read', 'write') })

  test('normalises its parts', () => {
    expect(permission.schema.parse({ module: ' doors ', action: 'read' })).toEqual({ module: 'doors', action: 'read' })
  })
  test.each([
    [{ module: 'm', action: 'read', resource: 'r' }, [`has no part 'resource'`]],
    [{ module: 'm', action: 'read', a: 1, b: 2 }, [`has no part 'a' and 'b'`]],
    [{ module: 'm' }, ['action is missing']],
    [{ module: 7, action: 'erase' }, ['module is not text', 'action is not one of read, write']],
    ['m:read', ['is not an object of parts']],
    [null, ['is not an object of parts']],
    [undefined, ['is missing']],
    [JSON.parse('{"module": "m", "action": "read", "__proto__": {}}'), [`has no part '__proto__'`]],
  ])('%j is refused', (value, messages) => {
    expect(refusal(permission, value)).toEqual(messages)
  })
})
