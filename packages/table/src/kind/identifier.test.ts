import { describe, expect, test } from 'vitest'
import { opaqueId, ulid, uuid } from '../design/attributes.ts'
import { attributeSchema } from '../publish/json-schema.ts'

const issues = (result: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => message)

test.each([
  ['ulid', ulid(), '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'],
  ['uuid', uuid(), '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
  ['opaque id', opaqueId(), 'acc-001'],
])('the pattern that is told of %s matches the texts that are taken, and no others', (_, attribute, sample) => {
  const { pattern } = attributeSchema(attribute, { side: 'given' })
  // ECMA-262 with the flag `u`, as JSON Schema 2020-12 has it.
  const told = new RegExp(String(pattern), 'u')
  const edges = [
    '',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u200b',
    'x',
    '-',
    '.',
    '_',
    '#',
    '\u212a',
    '\u017f',
    'I',
    'u',
    '8',
    '0',
  ]
  const texts = edges.flatMap((edge) => [edge, edge + sample, sample + edge, sample.slice(0, -1) + edge, edge + sample.slice(1)])
  const spellings = texts.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()])
  expect(spellings.filter((text) => told.test(text) !== attribute.schema.safeParse(text).success)).toEqual([])
  expect(new Set(spellings.map((text) => told.test(text)))).toEqual(new Set([true, false]))
})

describe('a ULID', () => {
  test.each([
    ['01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'],
    [' 01j8z0e2z8d2a3j7a7y2h9gq9c ', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'],
    ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['00000000000000000000000000', '00000000000000000000000000'],
  ])('%j is stored as %j', (input, value) => {
    expect(ulid().schema.parse(input)).toBe(value)
  })

  test.each([
    '',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9', // 25 characters
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9CC',
    '81J8Z0E2Z8D2A3J7A7Y2H9GQ9C', // beyond 128 bits
    'Z1J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9I',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9L',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9O',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9U',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9i',
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9\u212a', // the Kelvin sign is no K
    '01J8Z0E2Z8D2A3J7A7Y2H9GQ9\u017f',
    '01J8Z0E2-Z8D2A3J7A7Y2H9GQ9',
  ])('%j is refused', (input) => {
    expect(issues(ulid().schema.safeParse(input))).toEqual(['is not a ULID'])
  })
})

describe('a UUID', () => {
  test.each([
    ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['018f4e9e-7c5b-7cc8-9f0c-3a1f7b6a0d11', '018f4e9e-7c5b-7cc8-9f0c-3a1f7b6a0d11'], // version 7
    ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['  11111111-1111-1111-1111-111111111111', '11111111-1111-1111-1111-111111111111'],
  ])('of any version: %j is stored as %j', (input, value) => {
    expect(uuid().schema.parse(input)).toBe(value)
  })

  test.each([
    '',
    '3f2504e04f8941d39a0c0305e82c3301',
    '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}',
    'urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    '3f2504e0-4f89-41d3-9a0c-0305e82c330',
    '3f2504e0-4f89-41d3-9a0c-0305e82c33011',
    '3f2504e0-4f89-41d3-9a0c-0305e82c330g',
    '3f2504e0_4f89_41d3_9a0c_0305e82c3301',
  ])('%j is refused', (input) => {
    expect(issues(uuid().schema.safeParse(input))).toEqual(['is not a UUID'])
  })
})

describe('an opaque id', () => {
  test.each(['acc-001', 'p-abc123', 'A.b_C-9', '0', '-', '.'])('%j is kept, case and all', (input) => {
    expect(opaqueId().schema.parse(` ${input} `)).toBe(input)
  })

  test.each(['', 'a b', 'a#b', 'a/b', 'é', 'a\u0000', '１'])('%j is refused', (input) => {
    expect(issues(opaqueId().schema.safeParse(input))).toEqual(["is not an identifier of letters, digits, '.', '_' and '-'"])
  })

  test('that only looks like ASCII is refused', () => {
    expect(issues(opaqueId().schema.safeParse('acc-\u212a'))).toEqual(["is not an identifier of letters, digits, '.', '_' and '-'"])
  })
})

test('ids are made by what is injected', () => {
  const making = { now: new Date(0), ulid: () => 'the ulid', uuid: () => 'the uuid' }
  expect(ulid().made().make?.(making)).toBe('the ulid')
  expect(uuid().made().make?.(making)).toBe('the uuid')
  expect(opaqueId().made().make?.(making)).toBe('the uuid')
})

test('a UUID may give way to a word, with a name', () => {
  const { schema } = uuid({ or: 'operator' })
  for (const value of ['operator', 'operator key 7', `operator ${'a'.repeat(100)}`, '3f2504e0-4f89-41d3-9a0c-0305e82c3301'])
    expect(schema.parse(value)).toBe(value)
  expect(schema.parse(' 3F2504E0-4F89-41D3-9A0C-0305E82C3301')).toBe('3f2504e0-4f89-41d3-9a0c-0305e82c3301')
  for (const value of ['operators', 'operator ', 'operator a\n', `operator ${'a'.repeat(101)}`, 'user', ''])
    expect(issues(schema.safeParse(value))).toEqual(['is not a UUID'])
})
