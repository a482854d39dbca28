import { isIPv6 } from 'node:net'

/** An address of IPv6 is one of the many that each line has: the first half of it counts. */
export function sourceOf(address = ''): string {
  // An address of IPv4 may be written as one of IPv6.
  if (!isIPv6(address) || address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const between = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<string>(between).fill('0'), ...(tail ?? [])].slice(0, 4).join(':')
}
