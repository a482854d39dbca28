import { describe, expect, test } from 'vitest'
import { clientAddress, personAddress } from './client-address.ts'

const peer = { address: '192.0.2.1' }
const from = (forwarded: string | undefined, trustedProxies: number, connection = peer) =>
  clientAddress(new Headers(forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }), connection, trustedProxies)

describe('without trusted proxies', () => {
  test.each([undefined, '203.0.113.9', '203.0.113.9, 198.51.100.2'])('X-Forwarded-For: %s is not believed', (forwarded) => {
    expect(from(forwarded, 0)).toBe('192.0.2.1')
  })
})

describe('behind trusted proxies', () => {
  test.each([
    ['203.0.113.9', 1, '203.0.113.9'],
    // The client may have written all entries before that of the outermost proxy.
    ['10.0.0.1, 203.0.113.9', 1, '203.0.113.9'],
    ['10.0.0.1,203.0.113.9 , 198.51.100.2', 2, '203.0.113.9'],
    ['203.0.113.9:4711', 1, '203.0.113.9'],
    ['2001:db8::7', 1, '2001:db8::7'],
    ['[2001:db8::7]:4711', 1, '2001:db8::7'],
    ['::ffff:203.0.113.9', 1, '203.0.113.9'],
    ['unknown', 1, undefined],
    ['', 1, undefined],
    ['203.0.113.9, <script>', 1, undefined],
  ])('X-Forwarded-For: %s behind %i is %s', (forwarded, trustedProxies, address) => {
    expect(from(forwarded, trustedProxies)).toBe(address)
  })

  test.each([
    [undefined, 1],
    ['203.0.113.9', 2],
  ])('X-Forwarded-For: %s with fewer entries than the %i proxies did not come through them', (forwarded, trustedProxies) => {
    expect(from(forwarded, trustedProxies)).toBe('192.0.2.1')
  })
})

test.each([
  [undefined, 0, '192.0.2.1'],
  ['203.0.113.9', 0, '203.0.113.9'],
  // The application may pass on what the person wrote before its own entry.
  ['10.0.0.1, 203.0.113.9', 0, '203.0.113.9'],
  ['203.0.113.9, 192.0.2.1', 1, '203.0.113.9'],
  ['192.0.2.1', 1, '192.0.2.1'],
  ['unknown', 0, undefined],
])('an application that sends X-Forwarded-For: %s through %i proxies calls for %s', (forwarded, trustedProxies, address) => {
  const headers = new Headers(forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded })
  expect(personAddress(headers, '192.0.2.1', trustedProxies)).toBe(address)
})

test('an address that Node writes as IPv6 is the IPv4 that it is; where none is known there is none', () => {
  expect(from(undefined, 0, { address: '::ffff:127.0.0.1' })).toBe('127.0.0.1')
  expect(clientAddress(new Headers(), {}, 0)).toBeUndefined()
})
