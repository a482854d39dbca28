import type { Context } from 'hono'
import type { Env } from '../http/respond.ts'
import type { DescribedRoute } from '../openapi/document.ts'

/** A page for a browser, or a part of one. It needs no key, since a browser has none, and shows no data. */
export interface Page extends DescribedRoute {
  readonly type: string
  text(): string | Promise<string>
}

/** Everything that a page loads comes from this service. The viewer writes styles into its elements. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export async function respondPage(c: Context<Env>, { type, text }: Page): Promise<Response> {
  return new Response(await text(), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': c.get('request'),
    },
  })
}

/** A page at a path. @param isPart a page loads it, and nobody calls it */
export function page(path: string, type: string, summary: string, text: Page['text'], isPart = false): Page {
  const id = `page${path === '/' ? '.home' : path.replace(/\W+/g, '.')}`
  return {
    ...{ method: 'GET', path, takesBody: false, type, text },
    describe: () => ({
      ...{ id, tag: 'service', summary, errors: [], isOpen: true },
      answers: [{ status: 200, summary, type, schema: { type: 'string' } }],
      ...(isPart ? { isHidden: true } : {}),
    }),
  }
}
