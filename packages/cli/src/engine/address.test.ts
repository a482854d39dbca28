import { expect, test } from 'vitest'
import { warningsOf } from '../serving/reachable.ts'
import { engineHost, isLoopback } from './address.ts'

test('an engine listens at a random loopback address on Linux, and at the only one elsewhere', () => {
  const hosts = Array.from({ length: 200 }, () => engineHost('linux'))
  expect(new Set(hosts).size).toBeGreaterThan(190)
  for (const host of hosts) expect([host, isLoopback(host)]).toEqual([host, true])
  expect(engineHost('darwin')).toBe('127.0.0.1')
})

const embedded = { kind: 'embedded', directory: '/data', memory: false } as const
const aws = { kind: 'aws', region: 'eu-west-1' } as const

test.each(['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1', 'localhost'])('%s is loopback: nothing to warn of', (host) => {
  expect(warningsOf(host, embedded, 0)).toEqual([])
})

test.each(['0.0.0.0', '::', '10.0.0.7', '127.evil.example', '', '::ffff:10.0.0.1'])('%j is beyond loopback', (host) => {
  const [engine, tls] = [
    expect.stringContaining('the embedded engine, which has no authentication'),
    expect.stringContaining('it has no TLS'),
  ]
  expect(warningsOf(host, embedded, 0)).toEqual([engine, tls])
  expect(warningsOf(host, aws, 0)).toEqual([tls])
  expect(warningsOf(host, embedded, 1)).toEqual([engine])
  expect(warningsOf(host, aws, 1)).toEqual([])
})
