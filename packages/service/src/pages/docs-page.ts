import { icon, type Page, page } from './page.ts'

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Freehold: the API</title>
${icon}</head>
<body><div id="app"></div><script src="/docs/viewer.js"></script><script src="/docs/start.js"></script></body>
</html>
`

/** Nothing is asked of anybody else: neither fonts nor a proxy, and no use is counted. */
const start = (designs: readonly string[]) => `Scalar.createApiReference('#app', {
  sources: ${JSON.stringify(designs.map((title) => ({ title, url: `/openapi.json?design=${encodeURIComponent(title)}` })))},
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  documentDownloadType: 'json',
})
`

/**
 * The pages of `/docs`: the document of the API for people.
 * @param designs the names of the served designs: one document each, since the viewer takes seconds for all of them at once
 * @param viewer the text of Scalar's standalone script
 */
export function docsPages(designs: readonly string[], viewer: () => Promise<string>): readonly Page[] {
  return [
    page('/docs', 'text/html', 'The document of the API, for people.', () => html),
    page('/docs/start.js', 'text/javascript', 'The script of that page.', () => start(designs), true),
    page('/docs/viewer.js', 'text/javascript', 'The viewer of that page.', viewer, true),
  ]
}
