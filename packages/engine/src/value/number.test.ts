import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalNumber, compareNumbers, numberBytes, orderedNumber, sum } from './number.ts'

describe('a number', () => {
  test.each([
    ['0', '0'],
    ['-0.0', '0'],
    ['+007', '7'],
    ['1E2', '100'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-12.3400', '-12.34'],
    ['1e-130', `0.${'0'.repeat(129)}1`],
    ['9.9999999999999999999999999999999999999E+125', `${'9'.repeat(38)}${'0'.repeat(88)}`],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ])('%s is kept as %s', (given, kept) => {
    expect(canonicalNumber(given)).toBe(kept)
  })

  test.each([
    ['', 'The parameter cannot be converted to a numeric value'],
    ['NaN', 'The parameter cannot be converted to a numeric value: NaN'],
    ['1 2', 'The parameter cannot be converted to a numeric value: 1 2'],
    ['.', 'The parameter cannot be converted to a numeric value: .'],
    ['1234567890123456789012345678901234567.89', 'Attempting to store more than 38 significant digits in a Number'],
    ['1e126', 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
    ['-1e-131', 'Number underflow. Attempting to store a number with magnitude smaller than supported range'],
  ])('%j is refused', (given, message) => {
    expect(() => canonicalNumber(given)).toThrow(message)
  })

  test.each([
    ['0', 1],
    ['7', 2],
    ['-7', 3],
    ['1.5', 3],
    ['100', 2],
    ['12345678901234567890123456789012345678', 20],
  ])('%s takes %d bytes', (given, bytes) => {
    expect(numberBytes(given)).toBe(bytes)
  })

  const parts = fc.record({
    digits: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    exponent: fc.integer({ min: -60, max: 60 }),
  })
  const scaled = ({ digits, exponent }: { digits: bigint; exponent: number }): bigint => digits * 10n ** BigInt(exponent + 60)
  const textOf = ({ digits, exponent }: { digits: bigint; exponent: number }): string => canonicalNumber(`${digits}e${exponent}`)
  const near = fc.oneof(
    parts,
    parts.map(({ digits, exponent }) => ({ digits: digits % 1000n, exponent: exponent % 4 })),
  )

  test('has bytes in the order of the numbers', () => {
    fc.assert(
      fc.property(near, near, (a, b) => {
        const [left, right] = [textOf(a), textOf(b)]
        const order = scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0
        expect(Math.sign(compareNumbers(left, right))).toBe(order)
        const [first, second] = [orderedNumber(left), orderedNumber(right)]
        expect(first < second ? -1 : first > second ? 1 : 0).toBe(order)
      }),
    )
  })

  test('adds up exactly, or is refused', () => {
    fc.assert(
      fc.property(near, near, fc.constantFrom<1 | -1>(1, -1), (a, b, sign) => {
        const total = scaled(a) + BigInt(sign) * scaled(b)
        if (total.toString().replace(/^-|0+$/g, '').length > 38)
          expect(() => sum(textOf(a), textOf(b), sign)).toThrow('38 significant digits')
        else expect(sum(textOf(a), textOf(b), sign)).toBe(canonicalNumber(`${total}e-60`))
      }),
    )
  })
})
