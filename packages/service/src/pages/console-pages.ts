import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Route } from '../http/route.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** What the build writes in place of a nonce. */
const mark = 'NONCE-OF-ANSWER'

/** Scripts and styles are ours, or carry the nonce of the answer: the components write small style sheets at run time. */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The folder of the built console. Undefined where there is none, as in a bundle or before a build. */
function builtFolder(): string | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve('@freehold/console/package.json')), 'dist')
    readdirSync(join(folder, 'assets'))
    return folder
  } catch {
    return undefined
  }
}

const asPage = { method: 'GET', kind: 'catalogue', query: [], takesBody: false } as const
const describedAs = (id: string, summary: string, type: string, isHidden: boolean): Route['describe'] => {
  return () => ({
    ...{ id: `page.console${id}`, tag: 'service', summary, errors: [], isOpen: true },
    answers: [{ status: 200, summary, type: type.split(';')[0] ?? type, schema: { type: 'string' } }],
    ...(isHidden ? { isHidden: true } : {}),
  })
}

/** A file whose name changes with its content. A browser keeps it for good. */
function assetRoute(folder: string, name: string): Route {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const bytes = () => readFile(join(folder, 'assets', name))
  let packed: Promise<Buffer> | undefined
  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' }
  return {
    ...{ ...asPage, path: `/console/assets/${name}` },
    describe: describedAs(`.${name.replaceAll(/\W+/g, '.')}`, 'A part of the console.', type, true),
    answer: async ({ headers: asked }) => {
      if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(asked.get('accept-encoding') ?? ''))
        return { status: 200, bytes: await bytes(), headers }
      packed ??= bytes().then((whole) => promisify(gzip)(whole))
      return { status: 200, bytes: await packed, headers: { ...headers, 'Content-Encoding': 'gzip' } }
    },
  }
}

/** Leads to the console. Its address is relative, so that it holds behind a prefix, too. */
function leading(path: string, to: string, id: string): Route {
  return {
    ...{ ...asPage, path },
    describe: () => ({
      ...{ id: `page.${id}`, tag: 'service', summary: 'Leads to the console.', errors: [], isOpen: true, isHidden: true },
      answers: [{ status: 308, summary: 'There it is.', headers: ['Location'] }],
    }),
    answer: () => ({ status: 308, headers: { Location: to } }),
  }
}

export interface ConsolePages {
  readonly pages: readonly Route[]
  /** What the pages load. Their names are those of one build, so that the document of the API has none of them. */
  readonly assets: readonly Route[]
}

/** The console as its build left it. Nothing where it is not built. */
export function consolePages(): ConsolePages {
  const folder = builtFolder()
  if (folder === undefined) return { pages: [], assets: [] }
  const page: Route = {
    ...{ ...asPage, path: '/console/' },
    describe: describedAs('', 'The console: who may do what, where and why.', 'text/html', false),
    answer: async () => {
      const nonce = randomBytes(16).toString('base64')
      const html = await readFile(join(folder, 'index.html'), 'utf8')
      const headers = {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policyWith(nonce),
      }
      return { status: 200, text: html.replaceAll(mark, nonce), headers }
    },
  }
  const assets = readdirSync(join(folder, 'assets')).filter((name) => extname(name) !== '.map')
  return {
    pages: [leading('/', 'console/', 'home'), leading('/console', 'console/', 'consoleHome'), page],
    assets: assets.map((name) => assetRoute(folder, name)),
  }
}
