const isLoopback = (hostname: string) => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

/** An address from which keys come unchanged: https, or http from this machine. It has no password, which a log would show. */
export function isKeyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return username === '' && password === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)))
}
