import { isIP } from 'node:net'

/** The connection that a request came by, as far as whoever calls `fetch` tells. */
export interface Connection {
  /** The address of its other end: an IP address. */
  readonly address?: string | undefined
}

/** An address without its port and without what IPv6 makes of IPv4; undefined for what is none. */
function plainAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(trimmed) ?? []
  const address = (inBrackets ?? beforePort ?? trimmed).replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(address) === 0 ? undefined : address
}

/**
 * The address of the client. `X-Forwarded-For` says whatever its sender wrote, followed by what each proxy on the way added: only the entry that
 * the outermost of `trustedProxies` proxies added is believed, and with none of them the connection alone. A header with fewer entries did
 * not come through them all.
 */
export function clientAddress(headers: Headers, { address = '' }: Connection, trustedProxies: number): string | undefined {
  const forwarded = trustedProxies === 0 ? undefined : headers.get('x-forwarded-for')?.split(',').at(-trustedProxies)
  return plainAddress(forwarded ?? address)
}
