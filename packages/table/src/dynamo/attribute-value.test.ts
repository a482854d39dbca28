import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectGarbage } from '../../../../test/collect-garbage.ts'
import { isFreeholdError } from '../errors.ts'
import { depthMax, fromItem, type Item, toItem } from './attribute-value.ts'

const text = fc.string({ unit: 'binary' })
const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e125, max: 1e125 })).filter(holds)
/** DynamoDB holds no magnitude below 1E-130 but zero, and JSON knows no -0. */
function holds(value: number): boolean {
  return !Object.is(value, -0) && (value === 0 || Math.abs(value) >= 1e-130)
}

const { item } = fc.letrec((tie) => ({
  item: fc.dictionary(fc.oneof(text, fc.constant('__proto__'), fc.constant('constructor')), tie('value'), { noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('item'),
    tie('rare'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  rare: fc.oneof(
    fc.uint8Array(),
    fc.array(text, { minLength: 1 }).map((members) => new Set(members)),
    fc.array(number, { minLength: 1 }).map((members) => new Set(members)),
  ),
}))

/** As it travels: what `toItem` makes is sent as JSON, and what `fromItem` reads was JSON. */
function travelled(plain: object): Record<string, unknown> {
  return fromItem(JSON.parse(JSON.stringify(toItem(plain))))
}

describe('an item', () => {
  test('comes back from DynamoDB as it was sent', () => {
    // `letrec` types what it ties as unknown; an item is an object.
    fc.assert(
      fc.property(item as fc.Arbitrary<object>, (plain) => {
        expect(isDeepStrictEqual(travelled(plain), plain)).toBe(true)
      }),
    )
  })

  test('has the form that DynamoDB documents', () => {
    const plain = {
      text: 'a',
      whole: 7,
      part: -1.5,
      yes: true,
      none: null,
      list: ['x', 1],
      map: { deep: { er: '' } },
      tags: new Set(['t']),
      sizes: new Set([1]),
    }
    expect(toItem(plain)).toEqual({
      text: { S: 'a' },
      whole: { N: '7' },
      part: { N: '-1.5' },
      yes: { BOOL: true },
      none: { NULL: true },
      list: { L: [{ S: 'x' }, { N: '1' }] },
      map: { M: { deep: { M: { er: { S: '' } } } } },
      tags: { SS: ['t'] },
      sizes: { NS: ['1'] },
    })
    expect(JSON.stringify(toItem({ bytes: Uint8Array.of(1, 2, 250) }))).toBe('{"bytes":{"B":"AQL6"}}')
  })

  test('carries bytes as bytes, too, for the commands of the AWS SDK', () => {
    const { bytes } = toItem({ bytes: Uint8Array.of(1, 2) })
    expect(bytes !== undefined && 'B' in bytes && bytes.B instanceof Uint8Array && [...bytes.B]).toEqual([1, 2])
    expect(fromItem({ bytes: { B: Uint8Array.of(1, 2) } } as unknown as Item)).toEqual({ bytes: Uint8Array.of(1, 2) })
  })

  test('leaves out properties that are undefined, at any depth', () => {
    expect(toItem({ a: undefined, b: { c: undefined } })).toEqual({ b: { M: {} } })
  })

  test('with an attribute named __proto__ changes no prototype', () => {
    const read = fromItem(JSON.parse('{"__proto__":{"M":{"isAdmin":{"BOOL":true}}}}'))
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(read.isAdmin).toBeUndefined()
    expect(Object.keys(read)).toEqual(['__proto__'])
    expect(Object.keys(toItem(read))).toEqual(['__proto__'])
  })

  test('has its attributes in the order of their names, whatever order they came in', () => {
    expect(Object.keys(fromItem({ b: { S: '' }, a: { S: '' }, c: { S: '' } }))).toEqual(['a', 'b', 'c'])
  })

  test('has them in this order after any other of its Type, of as many names or of others', () => {
    const names = fc.uniqueArray(fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'c', 'd'))
    fc.assert(
      fc.property(fc.array(fc.record({ type: fc.constantFrom('One', 'Other'), names })), (items) => {
        for (const { type, names: given } of items) {
          const raw = Object.fromEntries([...given, 'Type'].map((name) => [name, { S: type }]))
          expect(Object.entries(fromItem(raw))).toEqual([...given, 'Type'].sort().map((name) => [name, type]))
        }
      }),
    )
  })

  // Tenants write maps as they like, and other programs write items.
  test.each<[string, (item: Item) => Item]>([
    ['of an item', (item) => item],
    ['of a map', (item) => ({ Type: { S: 'Setting' }, value: { M: item } })],
  ])('keeps nothing of the names %s that has many, of many Types', (type, within) => {
    const read = (index: number) => {
      const names = Array.from({ length: 5_000 }, (_, at) => `n${at}`)
      fromItem(within(Object.fromEntries([['Type', { S: `${type} ${index}` }], ...names.map((name) => [name, { NULL: true }])])))
    }
    read(0)
    collectGarbage()
    const before_bytes = process.memoryUsage().heapUsed
    for (let index = 1; index <= 60; index++) read(index)
    collectGarbage()
    // The lists of their names would be 2.4 MB.
    expect(process.memoryUsage().heapUsed - before_bytes).toBeLessThan(1_000_000)
  })
})

describe('what cannot be stored is refused with its attribute', () => {
  const tooDeep = (): unknown => {
    let deep: unknown = 'end'
    for (let depth = 0; depth <= depthMax; depth += 1) deep = [deep]
    return deep
  }
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const cases: readonly [string, unknown][] = [
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a number over 9.99E+125', 1e126],
    ['a number under 1E-130', 1e-131],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a date', new Date(0)],
    ['a map object', new Map()],
    ['an undefined element', [undefined]],
    ['an empty set', new Set()],
    ['a mixed set', new Set(['a', 1])],
    ['an unpaired surrogate', 'a\ud800'],
    ['an unpaired surrogate in a name', { 'a\ud800': 1 }],
    ['nesting beyond the limit', tooDeep()],
    ['a circle', circular],
  ]

  test.each(cases)('%s', (_, value) => {
    expect(() => toItem({ outer: value })).toThrowError(
      expect.objectContaining({ code: 'InvalidInput', details: expect.objectContaining({ attribute: 'outer' }) }),
    )
  })

  test('but the deepest allowed nesting is not', () => {
    let deep: unknown = 'end'
    for (let depth = 0; depth < depthMax; depth += 1) deep = [deep]
    expect(travelled({ deep })).toEqual({ deep })
  })
})

describe('a stored number', () => {
  test.each([
    ['0', 0],
    ['-0', -0],
    ['007', 7],
    ['1.50', 1.5],
    ['1E+2', 100],
    ['1e-7', 1e-7],
    ['0.0000001', 1e-7],
    ['123456789012345680000', 123456789012345680000],
    ['9007199254740992', 2 ** 53],
  ])('%s is read as %d', (stored, value) => {
    expect(fromItem({ n: { N: stored } }).n).toBe(value)
  })

  test.each([
    '9007199254740993',
    '0.12345678901234567890',
    '1E-400',
    '12345678901234567890123456789012345678',
    '',
    'abc',
    '0x10',
    'Infinity',
    '1_000',
  ])('%s, which JavaScript would change, is refused', (stored) => {
    expect(() => fromItem({ outer: { L: [{ N: stored }] } })).toThrowError(
      expect.objectContaining({ code: 'MalformedItem', details: { attribute: 'outer' } }),
    )
  })

  test('is read exactly or refused, never rounded', () => {
    const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(20))
    fc.assert(
      fc.property(decimal, ([digits, scale]) => {
        const stored = `${digits}e-${scale}`
        try {
          const read = fromItem({ n: { N: stored } }).n
          // Exact: scaled up by powers of ten as text, it is the integer that it was made of.
          expect(exactDigits(String(read), scale)).toBe(digits)
        } catch (error) {
          expect(isFreeholdError(error, 'MalformedItem')).toBe(true)
        }
      }),
    )
  })
})

/** The decimal text times ten to the power of `scale`, which is a whole number here. */
function exactDigits(printed: string, scale: number): bigint {
  const [mantissa = '', exponent = '0'] = printed.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length + scale
  const digits = BigInt(whole + fraction)
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
}

test.each([{ BS: ['AQ=='] }, {}, { S: 1 }, { X: 'y' }, null, 'text'])('a stored value of another type (%j) is malformed', (value) => {
  expect(() => fromItem({ outer: value } as unknown as Item)).toThrowError(expect.objectContaining({ code: 'MalformedItem' }))
})
