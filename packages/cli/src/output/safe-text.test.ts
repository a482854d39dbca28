import { describe, expect, test } from 'vitest'
import { safeText, shownValue, widthOf, wrapText } from './safe-text.ts'

describe('text for a terminal', () => {
  test.each([
    ['\u001b[31mred', '\\u001b[31mred'],
    ['two\nlines\tand a tab', 'two\\nlines\\tand a tab'],
    ['\u0007\u009b', '\\u0007\\u009b'],
    ['a\u202eb', 'a\\u202eb'],
    ['a\u2028b', 'a\\u2028b'],
    ['\ud800', '\\ud800'],
    ['to\u{10ffff}', 'to\\u{10FFFF}'],
    ['Ada é 東京 😀', 'Ada é 東京 😀'],
  ])('%j stands as %j', (text, expected) => {
    expect(safeText(text)).toBe(expected)
  })

  test('shows text as it is, nothing for what is absent, and the rest as JSON', () => {
    expect(['a', undefined, null, 0, false, { a: ['\u001b'] }].map(shownValue)).toEqual(['a', '', '', '0', 'false', '{"a":["\\u001b"]}'])
  })

  test('has the width that it takes there', () => {
    expect(['abc', 'é', 'e\u0301', '東京', '😀', ''].map(widthOf)).toEqual([3, 1, 1, 4, 2, 0])
  })

  test('is broken between words, and within one only where it is longer than a line', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrapText('01ARZ3NDEKTSV4RRFFQ69G5FAV is it', 10)).toEqual(['01ARZ3NDEK', 'TSV4RRFFQ6', '9G5FAV is', 'it'])
    expect(wrapText('東京東京', 3)).toEqual(['東', '京', '東', '京'])
    expect(wrapText('', 5)).toEqual([''])
  })
})
