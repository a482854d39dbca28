import { expect, test } from 'vitest'
import { warningsOf } from './loopback.ts'

test.each(['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1', 'localhost'])('%s is loopback: nothing to warn of', (host) => {
  expect(warningsOf(host, 0)).toEqual([])
})

test.each(['0.0.0.0', '::', '10.0.0.7', '127.evil.example', '', '::ffff:10.0.0.1'])('%j is beyond loopback', (host) => {
  expect(warningsOf(host, 0)).toEqual([expect.stringContaining('it has no TLS')])
  expect(warningsOf(host, 1)).toEqual([])
})
