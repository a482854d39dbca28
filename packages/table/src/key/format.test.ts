import { describe, expect, test } from 'vitest'
import { alternativeFor, formatKey, parseKey, placeholderProblem } from './format.ts'
import { parseTemplate } from './template.ts'

const refused = (attribute: string, value: unknown, message: string) =>
  expect.objectContaining({ code: 'InvalidKey', category: 'invalid', message, details: { entity: 'Thing', attribute, value } })

describe('a key is refused, naming entity, attribute and value, where the value', () => {
  const middle = parseTemplate('A#{first}#{last}')
  const problem = 'holds a control character, an unpaired surrogate or U+10FFFF'

  test.each([
    ['is empty', '', 'is empty: ""'],
    ['holds the delimiter', 'x#y', `holds '#', which separates the segments of a key: "x#y"`],
    ['is the delimiter', '#', `holds '#', which separates the segments of a key: "#"`],
    ['holds a control character', 'x\u0000', `${problem}: "x\\u0000"`],
    ['holds a line break', 'x\ny', `${problem}: "x\\ny"`],
    ['holds a C1 control character', 'x\u0085', `${problem}: "x\u0085"`],
    ['holds the first half of a pair', 'x\ud83d', `${problem}: "x\\ud83d"`],
    ['holds the second half of a pair', '\ude00x', `${problem}: "\\ude00x"`],
    ['holds the last code point', 'x\u{10FFFF}', `${problem}: "x\u{10FFFF}"`],
    ['is no text', 7, 'is not text: number'],
    ['is an object', {}, 'is not text: object'],
    ['is true', true, 'is not text: boolean'],
  ])('%s', (_why, value, message) => {
    expect(() => formatKey(middle, { first: value, last: 'z' }, 'Thing')).toThrow(refused('first', value, `Thing.first ${message}.`))
  })

  test('is long: the message shows its beginning', () => {
    const value = `${'x'.repeat(5_000)}#`
    expect(() => formatKey(middle, { first: value, last: 'z' }, 'Thing')).toThrow(
      refused('first', value, `Thing.first holds '#', which separates the segments of a key: "${'x'.repeat(200)}"….`),
    )
  })

  test('but the placeholder that ends a template may hold the delimiter', () => {
    expect(formatKey(middle, { first: 'x', last: '#a##b#' }, 'Thing')).toBe('A#x##a##b#')
    expect(parseKey(middle, 'A#x##a##b#')).toEqual({ first: 'x', last: '#a##b#' })
    expect(placeholderProblem('a#b', true)).toBeUndefined()
  })

  test.each(['a|b', '{first}', ' a ', 'Å', '👍', '\u{10FFFE}', '__proto__', 'é'.repeat(3_000)])('nor is %j refused', (value) => {
    const key = formatKey(middle, { first: value, last: value }, 'Thing')
    expect(key).toBe(`A#${value}#${value}`)
    expect(parseKey(middle, key ?? '')).toEqual({ first: value, last: value })
  })
})

describe('a sparse key', () => {
  const template = parseTemplate('CLIENT#{client_id}#{id}')

  test.each([{}, { id: 'x' }, { client_id: undefined, id: 'x' }, { client_id: null, id: 'x' }, { client_id: 'c', id: null }])(
    'is absent, never empty or null text, for %j',
    (values) => {
      expect(formatKey(template, values, 'Thing')).toBeUndefined()
    },
  )

  test('of literals alone is always there', () => {
    expect(formatKey(parseTemplate('METADATA'), {}, 'Thing')).toBe('METADATA')
  })
})

describe('of several alternatives', () => {
  const partition = parseTemplate('CLIENT#{client_id}|SYSTEM')
  const name = parseTemplate('ROLE_NAME#{client_id}#{name}|ROLE_NAME#SYSTEM#{name}')
  const end = parseTemplate('{endDate}#{id}|9999-12-31#{id}')

  test('the first whose placeholders are all present is used', () => {
    expect(formatKey(partition, { client_id: 'c' }, 'Thing')).toBe('CLIENT#c')
    expect(formatKey(partition, { client_id: null }, 'Thing')).toBe('SYSTEM')
    expect(formatKey(name, { name: 'n' }, 'Thing')).toBe('ROLE_NAME#SYSTEM#n')
    expect(formatKey(name, { client_id: 'c' }, 'Thing')).toBeUndefined()
    expect(alternativeFor(end, { id: 'x' })?.placeholders).toEqual(['id'])
  })

  test('a key is read back as the alternative that made it', () => {
    expect(parseKey(partition, 'SYSTEM')).toEqual({})
    expect(parseKey(name, 'ROLE_NAME#SYSTEM#n')).toEqual({ name: 'n' })
    expect(parseKey(name, 'ROLE_NAME#c#n')).toEqual({ client_id: 'c', name: 'n' })
    expect(parseKey(end, '9999-12-31#x')).toEqual({ id: 'x' })
    expect(parseKey(end, '2026-01-31#x')).toEqual({ endDate: '2026-01-31', id: 'x' })
  })

  test('a value that would be read as an absent one is refused', () => {
    expect(() => formatKey(name, { client_id: 'SYSTEM', name: 'n' }, 'Thing')).toThrow(
      refused(
        'client_id',
        'SYSTEM',
        `Thing.client_id is the text that '${name.source}' has in place of an absent value, so give another one or none: "SYSTEM".`,
      ),
    )
    expect(() => formatKey(end, { endDate: '9999-12-31', id: 'x' }, 'Thing')).toThrow(
      refused(
        'endDate',
        '9999-12-31',
        `Thing.endDate is the text that '${end.source}' has in place of an absent value, so give another one or none: "9999-12-31".`,
      ),
    )
  })

  test('a last value that holds the delimiter is not taken for two', () => {
    const template = parseTemplate('A#{x}#{y}|A#{z}')
    expect(formatKey(template, { z: 'one' }, 'Thing')).toBe('A#one')
    expect(() => formatKey(template, { z: 'one#two' }, 'Thing')).toThrow(expect.objectContaining({ code: 'InvalidKey' }))
    expect(parseKey(template, 'A#one#two')).toEqual({ x: 'one', y: 'two' })
  })
})

describe('a key that the template cannot have made', () => {
  test.each([
    ['A#{x}', 'B#1'],
    ['A#{x}', 'a#1'],
    ['A#{x}', 'A'],
    ['A#{x}', 'A#'],
    ['A#{x}#{y}', 'A##1'],
    ['A#{x}#B', 'A#1#C'],
    ['A#{x}#B', 'A#1#B#2'],
    ['META', 'METADATA'],
    ['META', ''],
    ['A#{x}', 'A#\u0007'],
    ['A#{x}', 'A#\udfff'],
    ['A#{x}|SYSTEM', 'SYSTEM#1'],
  ])('of %s: %j is read as nothing', (source, key) => {
    expect(parseKey(parseTemplate(source), key)).toBeUndefined()
  })
})
