import { describe, expect, test } from 'vitest'
import { day, instant } from '../design/attributes.ts'
import { Mismatch } from './kind.ts'

const instantRefused = "is not an instant such as '2026-01-31T09:30:00.000Z' (ISO 8601 with an offset)"
const dayRefused = "is not a day such as '2026-01-31'"
const issues = (result: { success: boolean; error?: { issues: readonly { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => message)

describe('an instant', () => {
  test.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    [' 2026-01-31T09:30:00.000Z ', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.5Z', '2026-01-31T09:30:00.500Z'],
    ['2026-01-31T09:30:00+05:30', '2026-01-31T04:00:00.000Z'],
    ['2026-01-31T00:30:00+01:00', '2026-01-30T23:30:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-01-31T09:30:00-00:00', '2026-01-31T09:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T23:59:59.999999999Z', '2026-01-31T23:59:59.999Z'], // finer parts are cut off, never rounded into the next day
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%j is stored as %j', (input, value) => {
    expect(instant().schema.parse(input)).toBe(value)
  })

  test.each([
    '',
    'yesterday',
    '2026-01-31',
    '2026-01-31T09:30:00', // no offset
    '2026-01-31T09:30Z',
    '2026-01-31 09:30:00Z',
    '2026-01-31T09:30:00+0530',
    '2026-01-31T09:30:00+05',
    '2026-01-31T09:30:00+24:00',
    '2026-01-31T09:30:00,5Z',
    '2026-01-31t09:30:00z',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2016-12-31T23:59:60Z', // a leap second has no place in ECMAScript time
    '0000-01-01T00:00:00+01:00', // before the year 0
    '9999-12-31T23:59:59-01:00', // after the year 9999
    '+012026-01-31T09:30:00Z',
    '-000001-01-31T09:30:00Z',
    '1769851800000',
    '２０２６-01-31T09:30:00Z',
  ])('%j is refused', (input) => {
    expect(issues(instant().schema.safeParse(input))).toEqual([instantRefused])
  })

  test('is text: a Date or a number is refused, since only its text says what is stored', () => {
    expect(issues(instant().schema.safeParse(new Date(0)))).toEqual(['is not text'])
    expect(issues(instant().schema.safeParse(0))).toEqual(['is not text'])
  })

  test('may be bounded by an instant or by a day, and by nothing else', () => {
    const { bound } = instant().kind
    expect(bound?.('2026-01-31')).toBe('2026-01-31')
    expect(bound?.(' 2026-01-31 ')).toBe('2026-01-31')
    expect(bound?.('2026-01-31T10:00:00+01:00')).toBe('2026-01-31T09:00:00.000Z')
    for (const wrong of ['2026-02-30', '2026', '2026-01-31T09:30', '', new Date(0), 0, undefined])
      expect(() => bound?.(wrong)).toThrow(Mismatch)
    const message = `${instantRefused} or a day such as '2026-01-31'`
    expect(() => bound?.('2026-13-01')).toThrow(expect.objectContaining({ message }))
  })
})

describe('a day', () => {
  test.each([
    ['2026-01-31', '2026-01-31'],
    [' 2024-02-29\n', '2024-02-29'],
    ['0000-01-01', '0000-01-01'],
    ['9999-12-31', '9999-12-31'],
  ])('%j is stored as %j', (input, value) => {
    expect(day().schema.parse(input)).toBe(value)
  })

  test.each([
    '',
    '2026-1-31',
    '2026-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '20260131',
    '2026/01/31',
    '31-01-2026',
    '2026-01-31T00:00:00Z',
    '+02026-01-31',
    '２０２６-01-31',
  ])('%j is refused', (input) => {
    expect(issues(day().schema.safeParse(input))).toEqual([dayRefused])
  })
})

test('what is made is an instant and a day in UTC', () => {
  const making = { now: new Date('2026-01-31T23:30:00-05:00'), ulid: () => '', uuid: () => '' }
  expect(instant().made().make?.(making)).toBe('2026-02-01T04:30:00.000Z')
  expect(day().made().make?.(making)).toBe('2026-02-01')
})
