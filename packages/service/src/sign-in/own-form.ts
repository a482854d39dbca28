import type { RequestHeaders } from '../http/service-request.ts'

/** The host of an origin such as `https://portal.example`. Undefined for `null`, which a browser sends of a page whose origin it hides. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * True for a form of our own pages (OWASP, Cross-Site Request Forgery Prevention: Fetch Metadata, and the origin where a browser tells none). A browser
 * tells at least one of both with each form. A page of another site cannot set either.
 */
export function isOwnForm(headers: RequestHeaders, publicUrl: string | undefined): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const host = hostOf(headers.get('origin') ?? '')
  return host !== undefined && (host === headers.get('host') || host === (publicUrl && hostOf(publicUrl)))
}
