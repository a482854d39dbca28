import { icon, type Page, page } from './page.ts'

/** A question that works on the sample of a design, for people who try it. */
export interface TriedQuestion {
  readonly title: string
  readonly design: string
  readonly asked: string
  readonly body: Readonly<Record<string, unknown>>
}

const style = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
section { border: 1px solid #8885; border-radius: .5rem; margin: 1rem 0; padding: 0 1rem 1rem; }
form, label { align-items: baseline; display: flex; gap: .5rem; }
input { flex: 1; font: inherit; padding: .25rem .5rem; }
dt { margin-top: .75rem; }
dd { font-family: ui-monospace, monospace; font-size: .85rem; margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.asked { opacity: .7; }
.yes { color: light-dark(#080, #7e7); } .no { color: light-dark(#a00, #f88); }
`

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Freehold</title>
${icon}
<link rel="stylesheet" href="/home.css"></head>
<body>
<h1>Freehold answers here</h1>
<p id="health">…</p>
<p><a href="/docs">All routes</a> · <a href="/openapi.json">OpenAPI</a></p>
<form><label for="key">API key</label><input id="key" type="password" autocomplete="off" placeholder="fhk_…"><button>Ask</button></form>
<main></main>
<script type="module" src="/home.js"></script>
</body>
</html>
`

/** The script of the page. It builds elements of text only: an answer is never read as HTML. */
const script = (designs: readonly string[], questions: readonly TriedQuestion[]) => `const designs = ${JSON.stringify(designs)}
const questions = ${JSON.stringify(questions)}
const make = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text, ...more })
const field = document.querySelector('#key')
const lines = new Map()

// The part of the address after # is never sent. It goes from the address, so that no history has the key.
const given = new URLSearchParams(location.hash.slice(1)).get('key')
if (given !== null) history.replaceState(null, '', location.pathname)
field.value = given ?? ''

for (const design of designs) {
  const section = make('section', '')
  const list = make('dl', '')
  section.append(make('h2', design), list)
  const of = questions.filter((each) => each.design === design)
  for (const each of of) {
    const answer = make('dd', '')
    lines.set(each, answer)
    list.append(make('dt', each.title), make('dd', \`POST /v1/\${design}/\${each.asked} \${JSON.stringify(each.body)}\`, { className: 'asked' }), answer)
  }
  if (of.length === 0) list.append(make('dt', 'Its table has no sample: see all routes.'))
  document.querySelector('main').append(section)
}

function told(body) {
  if (typeof body.allowed === 'boolean') {
    const items = (body.allowed ? body.chains?.[0] : body.missing) ?? []
    const words = new Set([body.reason?.message, ...items.map(({ message }) => message)].filter(Boolean))
    const [text, className] = body.allowed ? ['yes', 'yes'] : ['no', 'no']
    return { text: words.size === 0 ? text : \`\${text}: \${[...words].join(' ')}\`, className }
  }
  if (!Array.isArray(body.items)) return { text: body.detail ?? JSON.stringify(body), className: 'no' }
  return { text: body.items.length === 0 ? 'none' : body.items.map(({ grantedBy: _, ...item }) => JSON.stringify(item)).join('\\n'), className: '' }
}

async function ask() {
  for (const [{ design, asked, body }, line] of lines) {
    const answer = await fetch(\`/v1/\${design}/\${asked}\`, {
      method: 'POST',
      headers: { Authorization: \`Bearer \${field.value.trim()}\`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).then((response) => response.json(), () => ({ detail: 'The service does not answer.' }))
    const { text, className } = told(answer)
    Object.assign(line, { textContent: text, className })
  }
}

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})
if (field.value !== '') ask()
else for (const line of lines.values()) line.textContent = 'Give the API key, which the first start printed, or wrote into a file.'

const health = await fetch('/health').then((response) => response.json(), () => ({}))
document.querySelector('#health').textContent =
  \`It serves \${designs.join(', ')}. Its tables \${health.status === 'ok' ? 'can be read and written' : 'do not all answer'}.\`
`

/** The page of `/`: what runs, and questions with their answers as they are now. */
export function homePages(designs: readonly string[], questions: readonly TriedQuestion[]): readonly Page[] {
  return [
    page('/', 'text/html', 'What runs here, with questions to try.', () => html),
    page('/home.css', 'text/css', 'The style of that page.', () => style, true),
    page('/home.js', 'text/javascript', 'The script of that page.', () => script(designs, questions), true),
  ]
}
