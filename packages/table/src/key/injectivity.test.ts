import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { isFreeholdError } from '../errors.ts'
import { alternativeFor, formatKey, parseKey } from './format.ts'
import { parseTemplate, type Template } from './template.ts'

const placeholders = ['a', 'b', 'c', 'd'] as const
type Values = Readonly<Record<string, string | null>>

/** Few letters, so that values collide with each other, with literals and with the delimiter; and the characters that are refused. */
const nasty = [
  '#',
  '##',
  'A',
  'B',
  'x',
  '|',
  '{a}',
  ' ',
  '\u0000',
  '\u009f',
  '\ud800',
  '\udc00',
  '\u{10FFFF}',
  '\u{10FFFE}',
  'é',
  'e\u0301',
  '👍',
]
const value = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...nasty), { maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.constantFrom('A', 'B', 'SYSTEM') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 500, maxLength: 2_000 }) },
)
const clean = fc.array(fc.constantFrom('A', 'B', 'x', 'é', '|', 'SYSTEM'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
const tuple = (of: fc.Arbitrary<string>): fc.Arbitrary<Values> => {
  const one = fc.oneof({ weight: 4, arbitrary: of }, { weight: 1, arbitrary: fc.constant(null) })
  return fc.record({ a: one, b: one, c: one, d: one })
}

/** The text around a placeholder: of letters that values have, too. */
const around = fc.constantFrom('?', '?', '?', 'A?', 'AA?', '?A', 'x?x')

const alternative = fc
  .tuple(
    fc.shuffledSubarray([...placeholders]),
    fc.array(fc.constantFrom('A', 'B', 'SYSTEM'), { maxLength: 2 }),
    fc.nat(),
    fc.array(around, { minLength: placeholders.length, maxLength: placeholders.length }),
  )
  .map(([names, literals, seed, arounds]) => {
    const segments = [...literals, ...names.map((name, index) => arounds[index]?.replace('?', `{${name}}`) ?? '')]
    // Rotated, so that literals stand first, last and between.
    const start = segments.length === 0 ? 0 : seed % segments.length
    return [...segments.slice(start), ...segments.slice(0, start)].join('#')
  })
  .filter((source) => source !== '')

function compiled(source: string): Template | undefined {
  try {
    return parseTemplate(source)
  } catch (error) {
    if (isFreeholdError(error, 'InvalidDesign')) return undefined
    throw error
  }
}

const isTemplate = (template: Template | undefined): template is Template => template !== undefined
const template = fc
  .array(alternative, { minLength: 1, maxLength: 3 })
  .map((alternatives) => compiled(alternatives.join('|')))
  .filter(isTemplate)

/** The values that a key is made of: those of the alternative that is used. */
function used(of: Template, values: Values): Record<string, string | null | undefined> | undefined {
  const picked = alternativeFor(of, values)
  return picked && Object.fromEntries(picked.placeholders.map((placeholder) => [placeholder, values[placeholder]]))
}

function formatted(of: Template, values: Values): string | undefined {
  try {
    return formatKey(of, values, 'Thing')
  } catch (error) {
    if (isFreeholdError(error, 'InvalidKey')) return undefined
    throw error
  }
}

/** Written apart from the code under test: by code points. */
function isUnfit(text: string, isLast: boolean): boolean {
  const points = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  const isForbidden = (point: number) =>
    point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0xd800 && point < 0xe000) || point === 0x10ffff
  return text === '' || (!isLast && text.includes('#')) || points.some(isForbidden)
}

const runs = { numRuns: deep(1_000) }

describe('for random templates and values', () => {
  test('what is formatted is read back as the same values', () => {
    let read = 0
    fc.assert(
      fc.property(template, fc.oneof(tuple(value), tuple(clean)), (of, values) => {
        const key = formatted(of, values)
        if (key === undefined) return
        read += 1
        expect(parseKey(of, key)).toEqual(used(of, values))
      }),
      runs,
    )
    expect(read).toBeGreaterThan(runs.numRuns / 5) // or the property says nothing
  })

  test('two different tuples never format to one key', () => {
    const seen = new Map<string, Record<string, string | null | undefined> | undefined>()
    fc.assert(
      fc.property(template, fc.array(fc.oneof(tuple(value), tuple(clean)), { minLength: 2, maxLength: 20 }), (of, tuples) => {
        seen.clear()
        for (const values of tuples) {
          const key = formatted(of, values)
          if (key === undefined) continue
          if (seen.has(key)) expect(used(of, values)).toEqual(seen.get(key))
          seen.set(key, used(of, values))
        }
      }),
      { numRuns: deep(400) },
    )
  })

  test('every text that can be read is made by the values read from it', () => {
    fc.assert(
      fc.property(template, value, tuple(clean), (of, text, values) => {
        for (const key of [text, formatted(of, values) ?? '']) {
          const read = parseKey(of, key)
          // A text that was read by one alternative is refused, or made again, by the same values.
          if (read !== undefined) expect([key, undefined]).toContain(formatted(of, read))
        }
      }),
      runs,
    )
  })

  test('a value is refused exactly where it would be ambiguous, and the error names it', () => {
    fc.assert(
      fc.property(alternative, tuple(value), (source, values) => {
        const of = parseTemplate(source)
        const segments = source.split('#')
        const unfit = segments.flatMap((segment, index) => {
          const placeholder = /\{(.)\}/.exec(segment)?.[1]
          const own = placeholder === undefined ? undefined : values[placeholder]
          const isLast = index === segments.length - 1 && segment.endsWith('}')
          return placeholder !== undefined && typeof own === 'string' && isUnfit(own, isLast) ? [placeholder] : []
        })
        if (used(of, values) === undefined) expect(formatKey(of, values, 'Thing')).toBeUndefined()
        else if (unfit.length === 0)
          expect(formatKey(of, values, 'Thing')).toBe(source.replace(/\{(.)\}/g, (_, name: string) => String(values[name])))
        else {
          const [attribute = ''] = unfit
          expect(() => formatKey(of, values, 'Thing')).toThrow(
            expect.objectContaining({ code: 'InvalidKey', details: { entity: 'Thing', attribute, value: values[attribute] } }),
          )
        }
      }),
      runs,
    )
  })
})
