import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// The hooks by which Node loads a design that a program has written in TypeScript. `node --import freehold/typescript` registers them for a program's tests,
// and the command registers them before it loads a file. Before Node 22.15 hooks run in a thread of their own, which loads this module again.

interface Context {
  readonly parentURL?: string | undefined
  readonly format?: string | null | undefined
}
type Next = (subject: string, context: Context) => unknown

const ours = /^(?:freehold|@freehold\/[a-z]+)(?:\/|$)/
const typescript = /\.[cm]?ts$/

/** True where Node strips types by itself: 22.18 and later. */
const stripsTypes = 'typescript' in process.features && process.features.typescript !== false

/**
 * Resolves the packages of this project as the command has them, also from a folder in which none is installed. One process has one copy of them: an
 * error or a design of another copy would be a stranger to it.
 */
export function resolve(specifier: string, context: Context, next: Next): unknown {
  return next(specifier, ours.test(specifier) ? { ...context, parentURL: import.meta.url } : context)
}

function stripped(path: string): string {
  // The stripper that Node has built in, as a package: what loads here loads there. Required, since hooks in the main thread wait for nothing.
  const { transformSync } = createRequire(import.meta.url)('@swc/wasm-typescript')
  try {
    return transformSync(readFileSync(path, 'utf8'), { mode: 'strip-only', filename: path }).code
  } catch (error) {
    const { message, startLine } = Object(error)
    throw error instanceof Error ? error : new SyntaxError(`${path}:${startLine}: ${message}`)
  }
}

/** TypeScript outside of packages is a module, whatever `package.json` is above it, or none. */
export function load(url: string, context: Context, next: Next): unknown {
  const [file = ''] = url.split(/[?#]/)
  if (!file.startsWith('file:') || !typescript.test(file) || file.endsWith('.cts') || file.includes('/node_modules/'))
    return next(url, context)
  if (stripsTypes) return next(url, { ...context, format: 'module-typescript' })
  return { format: 'module', shortCircuit: true, source: stripped(fileURLToPath(file)) }
}

if (isMainThread) {
  // The types are those of the oldest Node that is supported, which has hooks in a thread alone.
  const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: typeof resolve; load: typeof load }) => void }
  if (registerHooks === undefined) nodeModule.register(import.meta.url)
  else registerHooks({ resolve, load })
}
