import { isLoopback } from '../engine/address.ts'
import type { Endpoint } from '../engine/endpoint.ts'

/** What to warn of where a server listens for other machines; nothing on loopback. */
export function warningsOf(host: string, { kind }: Endpoint, trustedProxies: number): readonly string[] {
  if (isLoopback(host)) return []
  const engine =
    kind === 'embedded'
      ? [
          `Warning: other machines reach this server at ${host}, and its data is in the embedded engine, which has no authentication: every program on this machine owns the data. Use DynamoDB for what others rely on.`,
        ]
      : []
  const tls =
    trustedProxies === 0
      ? [
          `Warning: other machines reach this server at ${host}, and it has no TLS: anybody on the way can read API keys. Put a proxy with TLS in front, and give --trusted-proxies.`,
        ]
      : []
  return [...engine, ...tls]
}
