import { parseForm } from '../http/form-body.ts'
import type { Answer, Asked, Method, Route } from '../http/route.ts'
import { isOwnForm } from './own-form.ts'
import { type Html, html, pageAnswer } from './page.ts'

export type Answering = (asked: Asked) => Answer | Promise<Answer>

export const goTo = (to: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 303,
  headers: { Location: to, ...headers },
})

/**
 * True where another site made the browser ask (RFC 9700, section 4.7.1): it signs nobody in as somebody of its own choice. A strict cookie is sent for a
 * neighbour's page, too.
 */
export const isForeign = ({ headers }: Asked) => ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')

const queryWords = { link: 'The text of a link in a mail.', to: '`console`, if that is where the person goes then.' }

/** How pages of a product are shown, and the routes that answer with them: open to anybody, and told to people. */
export function pageRoutes({ product, publicUrl }: { readonly product: string; readonly publicUrl?: string | undefined }) {
  const show = (
    title: string,
    body: Html | readonly Html[],
    { status = 200, said, headers }: { status?: number; said?: string | undefined; headers?: Readonly<Record<string, string>> } = {},
  ) => pageAnswer(status, { product, title, body, said }, headers)
  const route = (
    method: Method,
    path: string,
    summary: string,
    answer: Answering,
    query: readonly (keyof typeof queryWords)[] = [],
  ): Route => {
    const id = `signIn.${method.toLowerCase()}${path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`
    const isForm = method === 'POST'
    return {
      ...{ method, path, kind: 'session', query, takesBody: isForm, parse: parseForm, ...(isForm ? { takesForm: true } : {}) },
      describe: () => ({
        ...{ id, tag: 'service', summary, errors: [], isOpen: true, isHidden: true },
        query: Object.fromEntries(query.map((each) => [each, { schema: { type: 'string' }, description: queryWords[each] }])),
        answers: [{ status: 200, summary: 'A page for a browser.', type: 'text/html', schema: { type: 'string' } }],
      }),
      answer: (asked) => {
        if (!isForm || isOwnForm(asked.headers, publicUrl)) return answer(asked)
        return { ...show('Sign in', html``, { status: 403, said: 'This form is not of this page. Open the page anew.' }), code: 'Denied' }
      },
      // A person reads it.
      bound: (answered) => {
        if (answered.text !== undefined || answered.code === undefined) return answered
        const said =
          answered.status < 500 ? 'The page was not asked for in its own way. Open it anew.' : 'This cannot be done now. Try again later.'
        const { 'Retry-After': wait_s } = answered.headers ?? {}
        return {
          ...show('Sign in', html``, { status: answered.status, said, headers: wait_s === undefined ? {} : { 'Retry-After': wait_s } }),
          code: answered.code,
          ...(answered.cause && { cause: answered.cause }),
        }
      },
    }
  }
  return { show, route }
}
