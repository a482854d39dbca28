import { problem } from './problem.ts'
import type { Answer } from './route.ts'
import type { RequestHeaders } from './service-request.ts'

/** Only a script of the same origin can add it: for another one the browser asks first, and nobody here says yes. */
export const consoleHeader = 'X-Freehold-Console'

/** Beyond loopback the prefix holds a browser to `Secure`, this host and the whole path, so that no neighbour plants a session. */
const names = { loopback: 'freehold_console', beyond: '__Host-freehold_console' } as const

/** True for a browser on this machine, where there is no TLS. Behind a proxy it is never so, whatever the proxy calls this host. */
function isOnLoopback(headers: RequestHeaders, trustedProxies: number): boolean {
  return trustedProxies === 0 && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.get('host') ?? '')
}

const cookieOf = (headers: RequestHeaders, trustedProxies: number) => {
  const isHere = isOnLoopback(headers, trustedProxies)
  return { name: isHere ? names.loopback : names.beyond, attributes: `Path=/; HttpOnly; SameSite=Strict${isHere ? '' : '; Secure'}` }
}

/** The session that a browser sends. Undefined if it sends none, or two: one of them is not ours. */
export function sessionText(headers: RequestHeaders, trustedProxies: number): string | undefined {
  const cookies = headers.get('cookie')
  if (cookies === null) return undefined
  const { name } = cookieOf(headers, trustedProxies)
  const sent = cookies.split(/[;,]/).map((each) => each.trim().split('='))
  const [own, ...others] = sent.filter(([each]) => each === name)
  return others.length > 0 ? undefined : own?.[1]
}

/** The header that gives a browser its session, or takes it. The browser forgets it with its window: the service knows when it ends. */
export function sessionCookie(headers: RequestHeaders, trustedProxies: number, text: string | undefined): Readonly<Record<string, string>> {
  const { name, attributes } = cookieOf(headers, trustedProxies)
  return { 'Set-Cookie': text === undefined ? `${name}=; ${attributes}; Max-Age=0` : `${name}=${text}; ${attributes}` }
}

const refusal = problem('Denied', `This request did not come from the console: it has no ${consoleHeader}, or is of another origin.`)

/** Refuses a request that another site made a browser send. A browser that tells of no site sends the header with each write. */
export function notFromConsole(headers: RequestHeaders, method: string): { readonly refusal: Answer } | undefined {
  const site = headers.get('sec-fetch-site')
  const isForeign = site !== null && site !== 'same-origin' && site !== 'none'
  const isRead = method === 'GET' || method === 'HEAD'
  return isForeign || (!isRead && headers.get(consoleHeader.toLowerCase()) === null) ? { refusal } : undefined
}
