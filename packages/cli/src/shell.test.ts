import { expect, test } from 'vitest'
import { jsonLine } from './shell.ts'

test('a line of JSON holds nothing that a terminal obeys or that breaks a line, and means the same', () => {
  const value = { 'a\u009b': '\u001b\u007f\u0085\u2028\u2029 é 東京 \u{10ffff}' }
  const line = jsonLine(value)
  expect(JSON.parse(line)).toEqual(value)
  expect(line).toBe('{"a\\u009b":"\\u001b\\u007f\\u0085\\u2028\\u2029 é 東京 \\udbff\\udfff"}\n')
})
