import { decodedPath } from '../http/service-request.ts'

/** A path and a query that a URL leaves as they are, as those of nearly all requests. */
const plainTarget = /^\/[\w~./-]*(?:\?[\w~./%=&+:@,-]*)?$/

/** The name or the address of a host, as nearly all are. */
const plainHost = /^[\w.-]+(?::\d{1,4}|:[1-5]\d{4})?$/

/** True for a Host header (RFC 9110, section 7.2) that a URL takes as it is. */
export function isHost(host: string): boolean {
  if (plainHost.test(host)) return true
  return URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host.toLowerCase()
}

/**
 * The path and the query of a request target (RFC 9112, section 3.2), as the URL of a Request has them.
 * @param target in origin-form or absolute-form
 * @returns undefined if it is not valid in a URL
 */
export function readTarget(target: string): { readonly path: string; readonly search: string } | undefined {
  if (plainTarget.test(target) && !target.includes('/.')) {
    const at = target.indexOf('?')
    // A query of its `?` alone is empty.
    if (at < 0 || at === target.length - 1) return { path: at < 0 ? target : target.slice(0, at), search: '' }
    return { path: target.slice(0, at), search: target.slice(at) }
  }
  const text = target.startsWith('/') ? `http://host${target}` : target
  // A URL takes a backslash for a slash, and a proxy in front may not.
  if (!/^https?:\/\//.test(text) || /^[^?]*\\/.test(text) || !URL.canParse(text)) return undefined
  const { pathname, search } = new URL(text)
  return { path: decodedPath(pathname), search }
}
