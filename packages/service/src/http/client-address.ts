import { isIP } from 'node:net'
import type { Connection } from './connection.ts'
import type { RequestHeaders } from './service-request.ts'

/** An address without its port and without the IPv6 form of IPv4. Undefined if it is not an address. */
function plainAddress(text: string): string | undefined {
  // Most are: Node gives that of a connection without a port.
  if (isIP(text) === 4) return text
  const trimmed = text.trim()
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(trimmed) ?? []
  const address = (inBrackets ?? beforePort ?? trimmed).replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(address) === 0 ? undefined : address
}

/**
 * The address of the client. `X-Forwarded-For` begins with anything that its sender wrote, and each proxy adds an entry. So only the entry
 * of the outermost of `trustedProxies` proxies is trusted; without proxies only the connection is. A request with fewer entries has not
 * passed all proxies.
 */
export function clientAddress(headers: RequestHeaders, { address = '' }: Connection, trustedProxies: number): string | undefined {
  const forwarded = trustedProxies === 0 ? undefined : headers.get('x-forwarded-for')?.split(',').at(-trustedProxies)
  return plainAddress(forwarded ?? address)
}

/**
 * The address of the person for whom an application calls. The application is trusted as one more proxy: its own entry stands before those that the
 * proxies add. Without an entry it is that of the application.
 */
export const personAddress = (headers: RequestHeaders, own: string | undefined, trustedProxies: number): string | undefined =>
  clientAddress(headers, own === undefined ? {} : { address: own }, trustedProxies + 1)
