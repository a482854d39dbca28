import { problem } from './problem.ts'
import type { Answer } from './route.ts'
import type { RequestHeaders } from './service-request.ts'

/** Only a script of the same origin can add it: for another one the browser asks first, and nobody here says yes. */
export const consoleHeader = 'X-Freehold-Console'

/** The prefix holds a browser to `Secure`, this host and the whole path, so that no neighbour plants a session. */
const prefix = '__Host-'

/** Which cookie: that of the console, that of people who sign in with a password, or that of a sign-in at an issuer. */
export type CookieName = 'console' | 'account' | 'sign_in'

/** An issuer sends the browser back from its own site, where a strict cookie stays behind. */
const sameSite: Readonly<Record<CookieName, string>> = { console: 'Strict', account: 'Strict', sign_in: 'Lax' }

/** A host on this machine, where there is no TLS, and its port. */
export const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d+))?$/i

/** Behind a proxy a host is never on loopback, whatever the proxy calls it. A browser has one cookie of a name for all ports, so that each port has its own. */
const cookieOf = (headers: RequestHeaders, trustedProxies: number, of: CookieName) => {
  const found = trustedProxies === 0 ? loopbackHost.exec(headers.get('host') ?? '') : null
  const name = found === null ? `${prefix}freehold_${of}` : `freehold_${of}_${found[1] ?? '80'}`
  return { name, attributes: `Path=/; HttpOnly; SameSite=${sameSite[of]}${found === null ? '; Secure' : ''}` }
}

/** The session that a browser sends. Undefined if it sends none, or two: one of them is not ours. */
export function sessionText(headers: RequestHeaders, trustedProxies: number, of: CookieName = 'console'): string | undefined {
  const cookies = headers.get('cookie')
  if (cookies === null) return undefined
  const { name } = cookieOf(headers, trustedProxies, of)
  const sent = cookies.split(/[;,]/).map((each) => each.trim().split('='))
  const [own, ...others] = sent.filter(([each]) => each === name)
  return others.length > 0 ? undefined : own?.[1]
}

/**
 * The header that gives a browser its session, or takes it. The browser forgets it with its window, unless it keeps it for `kept_s`: the service knows
 * when it ends.
 */
export function sessionCookie(
  headers: RequestHeaders,
  trustedProxies: number,
  text: string | undefined,
  { of = 'console', kept_s }: { readonly of?: CookieName; readonly kept_s?: number } = {},
): Readonly<Record<string, string>> {
  const { name, attributes } = cookieOf(headers, trustedProxies, of)
  const age = text === undefined ? '; Max-Age=0' : kept_s === undefined ? '' : `; Max-Age=${kept_s}`
  return { 'Set-Cookie': `${name}=${text ?? ''}; ${attributes}${age}` }
}

const refusal = problem('Denied', `This request did not come from the console: it has no ${consoleHeader}, or is of another origin.`)

/** Refuses a request that another site made a browser send. A browser that tells of no site sends the header with each write. */
export function notFromConsole(headers: RequestHeaders, method: string): { readonly refusal: Answer } | undefined {
  const site = headers.get('sec-fetch-site')
  const isForeign = site !== null && site !== 'same-origin' && site !== 'none'
  const isRead = method === 'GET' || method === 'HEAD'
  return isForeign || (!isRead && headers.get(consoleHeader.toLowerCase()) === null) ? { refusal } : undefined
}
