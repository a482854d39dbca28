import { describe, expect, test } from 'vitest'
import { checkKeySize, keyBytesMax } from './size.ts'

const check = (key: string, part: 'partition' | 'sort') => () => checkKeySize(key, part, 'User', part === 'sort' ? 'SK' : 'GSI1PK')

describe('a key', () => {
  test.each([
    ['partition', 2048, 'GSI1PK of User has 2049 bytes; a partition key has at most 2048.', 'GSI1PK'],
    ['sort', 1024, 'SK of User has 1025 bytes; a sort key has at most 1024.', 'SK'],
  ] as const)('for the %s has at most %d bytes', (part, max, message, attribute) => {
    expect(keyBytesMax[part]).toBe(max)
    expect(check('x'.repeat(max), part)).not.toThrow()
    expect(check('x'.repeat(max + 1), part)).toThrow(
      expect.objectContaining({ code: 'InvalidKey', message, details: { entity: 'User', attribute, bytes: max + 1 } }),
    )
  })

  test.each([
    ['two bytes', 'é', 512],
    ['three bytes', '€', 341],
    ['four bytes', '👍', 256],
  ])('is counted in bytes, where a letter takes %s', (_size, letter, most) => {
    expect(check(letter.repeat(most), 'sort')).not.toThrow()
    expect(check(letter.repeat(most + 1), 'sort')).toThrow(expect.objectContaining({ code: 'InvalidKey' }))
  })

  test('of a mebibyte is refused as any other', () => {
    expect(check('é'.repeat(1 << 20), 'partition')).toThrow(/has 2097152 bytes/)
  })
})
