import { createHash } from 'node:crypto'
import { escaped } from '@freehold/frame/mail'
import { fieldChars_max } from '../http/form-body.ts'
import type { Answer } from '../http/route.ts'
import { icon } from '../pages/page.ts'

/** A form with an address of its own is beside what its page is for, such as the one that signs out. */
const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; padding: 2rem 1rem; max-width: 24rem; overflow-wrap: anywhere }
.product { margin: 0; font-weight: 600 }
h1 { margin: 0 0 1.5rem; line-height: 1.25 }
h2 { margin: 0; font-size: 1rem }
h2 + p { margin-top: .75rem }
small { display: block }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
fieldset { margin: 0; padding: 0; border: 0 }
legend { padding: 0; font-weight: 600 }
.choice { display: flex; gap: .5rem; align-items: baseline; margin: .75rem 0; font-weight: 400 }
input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid #767676; border-radius: .25rem }
button { margin-top: 1.5rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 1px solid #1a4fa0; border-radius: .25rem; background: #1a4fa0; color: #fff }
a { color: inherit }
:focus-visible { outline: 3px solid #e08700; outline-offset: 2px }
.said { padding: .75rem; border-left: 4px solid currentColor }
input[type=radio] { width: auto; flex: none }
form[action] button { border-color: currentColor; background: none; color: inherit }
.hint { margin: .25rem 0 0 }
`

/** No script runs, nothing is loaded, and forms go to this service alone. The one style is known by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** HTML that is safe as it stands. */
export interface Html {
  readonly html: string
}

/** HTML whose values are escaped, unless they are HTML themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[] | undefined)[]): Html {
  const shown = values.map((value = '') => {
    if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
    return 'html' in value ? value.html : value.map((each) => each.html).join('')
  })
  return { html: parts.map((part, index) => part + (shown[index] ?? '')).join('') }
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'email' | 'password' | 'text'
  /** The value of `autocomplete`. */
  readonly fills: string
  readonly hint?: string
  readonly value?: string
}

const fieldHtml = ({ name, label, type = 'password', fills, hint, value }: Field, isFirst: boolean): Html => html`
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${fills}" required maxlength="${fieldChars_max}"${value === undefined ? undefined : html` value="${value}"`}${
  hint === undefined ? undefined : html` aria-describedby="${name}-hint"`
}${isFirst ? html` autofocus` : undefined} spellcheck="false" autocapitalize="none">${
  hint === undefined
    ? undefined
    : html`
<p class="hint" id="${name}-hint">${hint}</p>`
}`

/** A form to the page that shows it, or to another. */
export const form = (
  fields: readonly Field[],
  button: string,
  { to = '', hidden = {} as Readonly<Record<string, string>>, isFirst = true, choices = html`` } = {},
): Html => html`
<form method="post"${to === '' ? undefined : html` action="${to}"`}>${Object.entries(hidden).map(
  ([name, value]) => html`
<input type="hidden" name="${name}" value="${value}">`,
)}${choices}${fields.map((field, index) => fieldHtml(field, isFirst && index === 0))}
<button>${button}</button>
</form>`

export interface PageParts {
  readonly product: string
  readonly title: string
  /** Tells of the last step: a screen reader reads it at once. */
  readonly said?: string | undefined
  readonly body: Html | readonly Html[]
}

/** The answer that is a page for a person. */
export function pageAnswer(
  status: number,
  { product, title, said, body }: PageParts,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { html: text } = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · ${product}</title>
${{ html: icon }}<style>${{ html: style }}</style></head>
<body><main>
<p class="product">${product}</p>
<h1>${title}</h1>${
    said === undefined
      ? undefined
      : html`
<p class="said" role="alert">${said}</p>`
  }
${body}
</main></body>
</html>
`
  // The address may hold a link, which no other site learns; the browser tells this one where its own forms come from.
  const own = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' }
  return { status, text, headers: { ...own, ...headers } }
}
