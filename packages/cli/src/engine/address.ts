import { randomInt } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

/** Where the engine listens. */
export interface Address {
  readonly host: string
  readonly port: number
}

export const usualHost = '127.0.0.1'

/**
 * The address of an engine whose port nobody chose. On Linux all of 127.0.0.0/8 is this machine's own, so a random one is taken: a web page tries the ports
 * of 127.0.0.1, and cannot try 16 million addresses. Other systems have 127.0.0.1 alone.
 */
export function engineHost(platform: string = process.platform): string {
  // Not 127.0.x.x, where resolvers of names and other services listen.
  return platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : usualHost
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** True for an address that only programs on this machine reach. A name other than localhost may be anything's. */
export function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4')
}
