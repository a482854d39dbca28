import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareKeys } from '../../key/range.ts'
import { emailKind } from '../../kind/email.ts'
import { opaqueKind, ulidKind, uuidKind } from '../../kind/identifier.ts'
import { phoneKind } from '../../kind/text.ts'
import { dayKind, instantKind } from '../../kind/time.ts'
import { automaton, sharedText } from './automaton.ts'
import { complement, everyCharacter, intersection, union } from './characters.ts'
import { anything, type Expression, literal, madeOf, repeat, sequence, shortest } from './expression.ts'
import { from, upTo } from './order.ts'
import { matchedBy } from './regular-expression.ts'

const accepts = (expression: Expression, text: string) => sharedText(automaton(expression), automaton(literal(text))) !== undefined
const meet = (...patterns: RegExp[]) => sharedText(...patterns.map((pattern) => automaton(matchedBy(pattern))))

/** Read for exactly what they match. */
const exact = [
  /^a*b+c?$/,
  /^(?:ab|a)(b|c){2,3}$/,
  /^[^a]{2}$/u,
  /a[^b]c/u,
  /^a|b$/,
  /^\d+\.\d{2}$/,
  /^\w\W\s\S$/su,
  /^[\w.-]+?$/,
  /^\x61\u0062\u{63}$/u,
  /^\u0061$/,
  /^(a(b(c)?)?)?$/,
  /^(?:a{3,}|b{0,7})$/,
  /^\p{Lu}[^\p{L}]$/u,
  /^[\]\\^-]$/,
  /^[a-c\d-]*$/,
  /^$/,
  /^(?:^a+$|b$|^c|d)$/,
  /^(?:a)|(?:b)$/,
  ...[dayKind, instantKind, opaqueKind, ulidKind, uuidKind, emailKind, phoneKind].flatMap(({ domain }) => domain?.pattern ?? []),
]

/** Read for more than they match, which proves less and never too much. */
const widened = [
  /^[^a-y]{0,2}$/,
  /^.$/,
  /^..$/,
  /^[^#]+$/,
  /^[\s\S]*$/,
  /^b{0,70}$/,
  /^(?=a)b$/,
  /^(a)\1$/,
  /^A$/i,
  /^a$/m,
  /^[😀b]{2}$/u,
  /^(?<x>a)$/,
]

// Texts that nearly match, so that both answers come up. Keys hold no control characters: no expression needs to accept those.
const letters = fc.constantFrom(...Array.from('aabbccABz019.-_#@ ÄÉ😀\u2028'))
const texts = fc.oneof(fc.string({ unit: letters, maxLength: 6 }), fc.constantFrom('2026-01-31', 'a@b.c', '+4930', 'abc', ''))
const isKeyText = (text: string) => !/[\p{Cc}\p{Cs}\u{10FFFF}]/u.test(text)

describe('a regular expression, read as an expression', () => {
  test.each([...exact, ...widened])('%s gives up no text that it matches', (pattern) => {
    const expression = matchedBy(pattern)
    const matching = /\(\?|\\1/.test(pattern.source)
      ? texts
      : fc.stringMatching(new RegExp(pattern.source, pattern.flags.replace(/[im]/g, '')))
    fc.assert(
      fc.property(fc.oneof(texts, matching), (text) => {
        expect(!(isKeyText(text) && pattern.test(text)) || accepts(expression, text)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test.each(exact)('%s adds no text that it does not match', (pattern) => {
    const expression = matchedBy(pattern)
    fc.assert(
      fc.property(texts, (text) => {
        expect(pattern.test(text) || !accepts(expression, text)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('keeps what a widened one excludes where that can be told', () => {
    expect(accepts(matchedBy(/^[^#]+$/), 'a#b')).toBe(false)
    expect(accepts(matchedBy(/^.$/), 'ab')).toBe(false)
  })
})

describe('a text that several expressions share', () => {
  test('is found where there is one, the shortest first', () => {
    expect(meet(/^a+b*$/, /^[a-z]{3}$/)).toBe('aaa')
    expect(meet(/^x?y$/, /^y$/)).toBe('y')
    expect(meet(/^a*$/, /^b*$/)).toBe('')
    expect(meet(/^a.*$/u, /^.*b$/u, /^.{4}$/u)).toMatch(/^a..b$/)
  })

  test('is excluded by length, by characters and by place', () => {
    expect(meet(/^[0-9A-F]{26}$/, /^[0-9A-F]{36}$/)).toBeUndefined()
    expect(meet(/^[a-z]+$/, /^[A-Z]+$/)).toBeUndefined()
    expect(meet(/^(?:ab)+$/, /^(?:ba)+$/)).toBeUndefined()
    expect(meet(/^[0-9]{4}-[0-9]{2}$/, /^[0-9]{7}$/)).toBeUndefined()
  })

  test('is one that every pattern matches', () => {
    const pairs = exact.flatMap((a, index) => exact.slice(index).map((b) => ({ a, b, text: meet(a, b) })))
    const wrong = pairs.filter(({ a, b, text }) => text !== undefined && !(a.test(text) && b.test(text)))
    expect(wrong).toEqual([])
    expect(pairs.some(({ text }) => text === undefined)).toBe(true)
  })
})

test('sets of characters obey the laws of sets', () => {
  const set = fc
    .array(fc.tuple(fc.nat(40), fc.nat(5)))
    .map((ranges) => union(...ranges.map(([first, length]) => [[first, first + length]] as const)))
  fc.assert(
    fc.property(set, set, (a, b) => {
      expect(complement(complement(a))).toEqual(a)
      expect(intersection(a, complement(a))).toEqual([])
      expect(union(a, complement(a))).toEqual(everyCharacter)
      expect(complement(union(a, b))).toEqual(intersection(complement(a), complement(b)))
    }),
  )
})

test('order follows the bytes of UTF-8', () => {
  const text = fc.string({ unit: fc.constantFrom('A', 'B', 'é', '\uffee', '😀', '#'), maxLength: 4 })
  fc.assert(
    fc.property(text, text, (bound, key) => {
      expect(accepts(from(bound), key)).toBe(compareKeys(bound, key) <= 0)
      expect(accepts(upTo(bound), key)).toBe(compareKeys(key, `${bound}\u{10FFFF}`) <= 0)
    }),
    { numRuns: 500 },
  )
})

test('the shortest text of an expression is counted in bytes', () => {
  expect(shortest(sequence(literal('é#'), repeat(literal('ab'), 3, 9), anything))).toBe(9)
  expect(shortest(matchedBy(/^(?:abc|€)[a-z]{2,}x?$/u))).toBe(5)
  expect(accepts(madeOf([[0x61, 0x62]], matchedBy(/^[a-c]+$/)), 'abc')).toBe(false)
})
