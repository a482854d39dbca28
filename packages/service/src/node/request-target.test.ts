import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodedPath } from '../http/service-request.ts'
import { isHost, readTarget } from './request-target.ts'

const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'v1',
      'rebac',
      'can',
      '/',
      '/',
      '/',
      '.',
      '..',
      '-',
      '_',
      '~',
      'Ä',
      '%2e',
      '%2E%2e',
      '%63an',
      '%2F',
      '%25',
      '%ff',
      '%',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '?',
      '&',
      '=',
      'a',
      'a=1',
      '+',
      '%20',
      "'",
      '"',
      '<',
      '{',
      '|',
      '^',
      '`',
      ':',
      '@',
      ',',
      ';',
      '!',
      '$',
      '(',
      '*',
      '[',
      '#',
    ),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 3 }) },
)
const target = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`)

describe('a request target', () => {
  test('has the path and the query of the URL of a Request', () => {
    let read = 0
    fc.assert(
      fc.property(target, (text) => {
        const { pathname, search } = new URL(`http://a${text}`)
        const found = readTarget(text)
        // A Request no longer tells whether there was a backslash.
        if (found === undefined) expect(text).toMatch(/^[^?]*\\/)
        else {
          read++
          expect(found).toEqual({ path: decodedPath(pathname), search })
        }
      }),
      { numRuns: 5_000 },
    )
    expect(read).toBeGreaterThan(2_500)
  })

  test.each([
    ['/v1/rebac/can', '/v1/rebac/can', ''],
    ['/v1?limit=5', '/v1', '?limit=5'],
    ['/v1?', '/v1', ''],
    ['/v1/%63an', '/v1/can', ''],
    ['/v1/a%2Fb', '/v1/a%2Fb', ''],
    ['/v1/%ff', '/v1/%ff', ''],
    ['/v1/x/../can', '/v1/can', ''],
    ['/v1/x/%2e%2e/can', '/v1/can', ''],
    ['//other/v1', '//other/v1', ''],
    ['/v1#part', '/v1', ''],
    ['http://other.example/v1?a=1', '/v1', '?a=1'],
    ['https://other.example', '/', ''],
  ])('%s is the path %s and the query %j', (text, path, search) => {
    expect(readTarget(text)).toEqual({ path, search })
  })

  test.each(['*', '', 'v1', 'ftp://a/', 'http://', 'http://a b/', '/v1\\can', 'http://a\\b/'])('%j is not valid', (text) => {
    expect(readTarget(text)).toBeUndefined()
  })
})

test.each([
  ['a.example', true],
  ['127.0.0.1:3000', true],
  ['A.Example:65535', true],
  ['[::1]:3000', true],
  ['a b', false],
  ['a/b', false],
  ['a@b', false],
  ['a:b', false],
  ['a:65536', false],
  ['ä.example', false],
])('the host %j is valid: %s', (host, expected) => {
  expect(isHost(host)).toBe(expected)
})
