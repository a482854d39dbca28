import { isLoopback } from '../opening/loopback.ts'

/** What to warn of where a server listens for other machines; nothing on loopback. */
export function warningsOf(host: string, trustedProxies: number): readonly string[] {
  if (isLoopback(host) || trustedProxies > 0) return []
  return [
    `Warning: other machines reach this server at ${host}, and it has no TLS: anybody on the way can read API keys. Put a proxy with TLS in front, and give --trusted-proxies.`,
  ]
}
