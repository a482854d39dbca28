import type { Answer } from '../http/route.ts'
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

/** An icon within the page: a browser would ask for one, and be refused. */
export const icon = '<link rel="icon" href="data:,">'

/** The answer that is a page. */
export async function answerPage({ type, text }: Page): Promise<Answer> {
  return { status: 200, text: await text(), headers: { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy } }
}

/** A page at a path. @param isPart a page loads it, and nobody calls it */
export function page(path: string, type: string, summary: string, text: Page['text'], isPart = false): Page {
  const id = `page.${path === '/' ? 'home' : path.slice(1).replace(/\W+/g, '.')}`
  return {
    ...{ method: 'GET', path, takesBody: false, type, text },
    describe: () => ({
      ...{ id, tag: 'service', summary, errors: [], isOpen: true },
      answers: [{ status: 200, summary, type, schema: { type: 'string' } }],
      ...(isPart ? { isHidden: true } : {}),
    }),
  }
}
