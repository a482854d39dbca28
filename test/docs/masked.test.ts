import { describe, expect, test } from 'vitest'
import { masked, shows } from './masked.ts'

test('values that change from run to run are masked', () => {
  expect(masked('User 01M7XXP9EE6J41ASF7M1B8CK4G at 2026-11-21T02:08:20.237Z')).toBe('User ULID at INSTANT')
  expect(masked('urn:uuid:94ac81e3-166e-4c5d-a53c-ad6b073a56f1')).toBe('urn:uuid:UUID')
  expect(masked('{"cursor":"PUKMdbveX6Oy2uHWCyKk4Vyq_ZDvu-VMmlSJpHK5Rm07_p0BQedyHYx3JEH7CgzX"}')).toBe('{"cursor":"CURSOR"}')
})

describe('a page shows', () => {
  test.each([
    ['a\nb', 'a\nb', true],
    ['a  \nb', '\na\nb\n\n', true],
    ['a\nb', 'a\nc', false],
    ['a', 'a\nb', false],
    ['a\n…', 'a\nb\nc', true],
    ['a\n…\nd', 'a\nb\nc\nd', true],
    ['a\n…\nd', 'a\nd', true],
    ['a\n…\nc', 'a\nb\nc\nd', false],
    ['…\nd', 'a\nd', true],
    ['a\n…\nc\n…\ne', 'a\nb\nc\nd\ne', true],
    ['a\n…\nx\n…\ne', 'a\nb\nc\nd\ne', false],
  ])('%j of %j: %s', (shown, text, expected) => {
    expect(shows(shown, text)).toBe(expected)
  })
})
