import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { code, day, email, instant, oneOf, opaqueId, phone, text, ulid, username, uuid } from '../design/attributes.ts'
import { placeholderProblem } from '../key/format.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        'K',
        'k',
        '\u212a',
        'ı',
        'İ',
        'ſ',
        'ß',
        'ŉ',
        'ΐ',
        'Σ',
        '\u0301',
        '\u0345',
        '\u0307',
        'Å',
        '\u212b',
        'ǆ',
        '\ufeff',
        ' ',
        '#',
        '\u{10FFFF}',
        '\ud800',
      ),
      { maxLength: 6 },
    )
    .map((letters) => letters.join('')),
)
const digits = (count: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count })
const upTo = (max: number) => fc.nat({ max }).map((value) => String(value).padStart(2, '0'))
const hex = (count: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: count, maxLength: count })
const crockford = fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz')

const kinds = [
  { attribute: text(), inputs: anyText },
  { attribute: username(), inputs: anyText },
  { attribute: code(), inputs: anyText },
  {
    attribute: email(),
    inputs: fc.oneof(
      fc.emailAddress(),
      fc.tuple(anyText, anyText).map((parts) => parts.join('@')),
    ),
  },
  {
    attribute: phone(),
    inputs: fc
      .tuple(fc.constantFrom('+', '+ ', ''), digits(2), fc.constantFrom(' ', '-', ' (', ''), digits(7))
      .map((parts) => parts.join('')),
  },
  {
    attribute: instant(),
    inputs: fc
      .tuple(
        fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        fc.constantFrom('Z', '+05:30', '-11:00', ''),
        fc.constantFrom('', '.5', '.123456'),
      )
      .map(([date, offset, fraction]) => date.toISOString().slice(0, 19) + fraction + offset),
  },
  { attribute: day(), inputs: fc.tuple(digits(4), upTo(14), upTo(32)).map((parts) => parts.join('-')) },
  {
    attribute: ulid(),
    inputs: fc
      .tuple(fc.constantFrom(...'0123456789'), fc.string({ unit: crockford, minLength: 25, maxLength: 25 }))
      .map((parts) => parts.join('')),
  },
  { attribute: uuid(), inputs: fc.tuple(hex(8), hex(4), hex(4), hex(4), hex(12)).map((parts) => parts.join('-')) },
  { attribute: opaqueId(), inputs: fc.string({ unit: fc.constantFrom(...'aZ09._-# \u212aé'), maxLength: 8 }) },
  {
    attribute: oneOf('active', 'on-hold', 'naïve', '👍', '^$.*'),
    inputs: fc.constantFrom('active', 'on-hold', 'naïve', '👍', '^$.*', 'other'),
  },
]

describe.each(kinds.map((one) => [one.attribute.kind.name, one] as const))(
  'whatever is stored as %s',
  (_name, { attribute: { kind, schema }, inputs }) => {
    const stored = (input: unknown) => schema.safeParse(input).data

    test('is the same after another reading, and fits its kind', () => {
      let count = 0
      fc.assert(
        fc.property<[string]>(inputs, (input) => {
          const value = stored(input)
          if (value === undefined) return
          count += 1
          expect(stored(value)).toBe(value)
          expect(kind.holds(value)).toBe(true)
          expect(kind.domain?.pattern.test(value)).toBe(true)
          expect(Buffer.byteLength(value)).toBeLessThanOrEqual(kind.domain?.bytesMax ?? Number.POSITIVE_INFINITY)
        }),
        { numRuns: 2_000 },
      )
      expect(count).toBeGreaterThan(50) // or the property says nothing
    })

    test('is one value for every way to write it: in NFD, or between spaces', () => {
      fc.assert(
        fc.property<[string]>(inputs, (input) => {
          const value = stored(input)
          if (value === undefined || kind.stored !== 'string' || kind.domain?.values !== undefined) return
          expect(stored(` ${input}\n`)).toBe(value)
          if (typeof value === 'string') expect(stored(value.normalize('NFD'))).toBe(value)
        }),
      )
    })
  },
)

test('the domain of an address is what UTS 46 makes of it, also where it needs no look at its tables', () => {
  const label = fc.string({ unit: fc.constantFrom(...'aBxN019-'), minLength: 1, maxLength: 6 })
  let count = 0
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const domain = labels.join('.')
      const result = email().schema.safeParse(`a@${domain}`)
      if (!result.success) return
      count += 1
      expect(result.data).toBe(`a@${domainToASCII(domain)}`)
    }),
    { numRuns: 2_000 },
  )
  expect(count).toBeGreaterThan(50) // or the property says nothing
})

test('an e-mail address that is accepted can stand at the end of a key', () => {
  fc.assert(
    fc.property(fc.tuple(anyText, anyText), ([local, domain]) => {
      const result = email().schema.safeParse(`${local}@${domain}`)
      if (result.success) expect(placeholderProblem(result.data, true)).toBeUndefined()
    }),
    { numRuns: 5_000 },
  )
})

test.each(kinds.map(({ attribute: { kind } }) => [kind.name, kind] as const))('%s never holds what is no text', (_name, kind) => {
  for (const other of [undefined, null, 7, true, [], {}, new String('active')]) expect(kind.holds(other)).toBe(false)
})
