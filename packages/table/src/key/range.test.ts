import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareKeys, prefixRange } from './range.ts'

/** Text that can stand in a key: anything but unpaired surrogates and the last code point. */
const letter = fc.oneof(
  fc.constantFrom('a', 'A', 'b', '#', '~', '\u007e', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10FFFE}'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
)
const text = fc.array(letter, { maxLength: 5 }).map((letters) => letters.join(''))
const bytes = (key: string) => Buffer.from(key)

describe('keys', () => {
  test('are ordered by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(Buffer.compare(bytes(a), bytes(b))))
      }),
      { numRuns: 5_000 },
    )
  })

  test('are not ordered as JavaScript orders text', () => {
    expect('\uffff' < '\u{10000}').toBe(false)
    expect(compareKeys('\uffff', '\u{10000}')).toBe(-1)
    expect(compareKeys('\u{10000}', '\uffff')).toBe(1)
    expect(['B', 'a', '\u{10000}', '\uffff', 'A', ''].sort(compareKeys)).toEqual(['', 'A', 'B', 'a', '\uffff', '\u{10000}'])
    expect(compareKeys('same', 'same')).toBe(0)
  })
})

describe('the range of a prefix', () => {
  test('holds exactly the keys that begin with it, in the order of their bytes', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (prefix, other, isExtended) => {
        const key = isExtended ? prefix + other : other
        const { from, to } = prefixRange(prefix)
        const isWithin = Buffer.compare(bytes(from), bytes(key)) <= 0 && Buffer.compare(bytes(key), bytes(to)) <= 0
        expect(isWithin).toBe(key.startsWith(prefix))
      }),
      { numRuns: 10_000 },
    )
  })

  test.each([
    ['ROLE#', 'ROLE#\u{10FFFE}\u{10FFFE}', true],
    ['ROLE#', 'ROLE#', true],
    ['ROLE#', 'role#x', false],
    ['ROLE#', 'ROLE$', false],
    ['ROLE#p1#', 'ROLE#p10#x', false],
    ['é', 'e\u0301', false],
  ])('of %j and %j: %s', (prefix, key, isWithin) => {
    const { from, to } = prefixRange(prefix)
    expect(compareKeys(from, key) <= 0 && compareKeys(key, to) <= 0).toBe(isWithin)
  })
})
