import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** True for an address that only programs on this machine reach. A name other than localhost may be anything's. */
export function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

/** What to warn of where a server listens for other machines; nothing on loopback. */
export function warningsOf(host: string, trustedProxies: number): readonly string[] {
  if (isLoopback(host) || trustedProxies > 0) return []
  return [
    `Warning: other machines reach this server at ${host}, and it has no TLS: anybody on the way can read API keys. Put a proxy with TLS in front, and give --trusted-proxies.`,
  ]
}
