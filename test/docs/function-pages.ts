import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { importedNames, type Node, nodes, pathsUnder, textOf } from '../sources.ts'
import { root } from './pages.ts'

// A page that lists each function of a package: the first sentence of its docstring, and a call of it, taken from code that is compiled and tested.

/** Where examples are looked for: what is written for readers first. */
const places = ['docs/concepts', 'test/library', 'test/work', 'test/shops', 'packages/cli/starter']
const exampleMax = 200

interface Span extends Node {
  readonly start: number
  readonly end: number
}
const isSpan = (value: unknown): value is Span => typeof value === 'object' && value !== null && 'start' in value && 'type' in value

/** The name with which a chain of calls begins: `ulid` of `ulid().made()`. */
function beginOf(node: unknown): string | undefined {
  if (!isSpan(node)) return undefined
  if (node.type === 'Identifier') return String(node.name)
  return beginOf(/^(Call|New)Expression$/.test(node.type) ? node.callee : node.type === 'MemberExpression' ? node.object : undefined)
}

/** The examples in a file of what it imports from a face, each on one line. */
function examplesIn(text: string, face: string): Map<string, string> {
  if (!text.includes(`'${face}'`)) return new Map()
  const imported = new Set(importedNames(text).flatMap((each) => (each.startsWith(`${face} `) ? [each.slice(face.length + 1)] : [])))
  const found = new Map<string, string>()
  if (imported.size === 0) return found
  for (const node of nodes(text)) {
    const isLine = node.type === 'VariableDeclaration' && Array.isArray(node.declarations) && node.declarations.length === 1
    const value: unknown = isLine ? Object(node.declarations)[0].init : node
    const called = isSpan(value) && value.type === 'AwaitExpression' ? value.argument : value
    const name = isSpan(called) && /^(Call|New)Expression$/.test(called.type) ? beginOf(called) : undefined
    if (name === undefined || !imported.has(name) || found.has(name) || !isSpan(node)) continue
    const code = text
      .slice(node.start, node.end)
      .replace(/,?\s*\n\s*(?=[)\].])/g, '')
      .replace(/,?\s*\n\s*(?=\})/g, ' ')
      .replace(/(?<=[([])\s*\n\s*/g, '')
      .replace(/\s*\n\s*/g, ' ')
    if (code.length <= exampleMax && !code.includes('//')) found.set(name, code)
  }
  return found
}

/** The declaration of an exported name, through the files that export it again. */
function declarationOf(path: string, name: string): { readonly path: string; readonly doc: string } | undefined {
  const text = textOf(path)
  for (const node of nodes(text)) {
    if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
      const { source } = Object(node)
      if (typeof source?.value === 'string' && source.value.startsWith('.')) {
        const names: readonly { readonly local: { readonly name: string }; readonly exported: { readonly name: string } }[] | undefined =
          Object(node).specifiers
        const original = names === undefined ? name : names.find(({ exported }) => exported.name === name)?.local.name
        const there = original === undefined ? undefined : declarationOf(posix.join(posix.dirname(path), source.value), original)
        if (there !== undefined) return there
      }
    }
  }
  const [, doc = ''] =
    new RegExp(`(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?export (?:async )?(?:function\\*?|const|class) ${name}\\b`).exec(text) ?? []
  const isHere = new RegExp(`^export (?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm').test(text)
  return isHere ? { path, doc } : undefined
}

/** The first sentence of a docstring, on one line. */
function sentenceOf(doc: string): string {
  const [words = ''] = doc
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .split(/\n\s*\n|(?:^|\s)@\w/)
  const line = words.replace(/\s+/g, ' ').trim()
  return /^.*?\.(?= [A-Z`]|$)/.exec(line)?.[0] ?? line
}

export interface ListedFunction {
  readonly name: string
  /** Path from the root. */
  readonly path: string
  readonly sentence: string
  readonly example: string | undefined
}

/** The functions of a face of a package. */
export async function functionsOf(folder: string, name: string, face: string): Promise<readonly ListedFunction[]> {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  const path = posix.join('packages', folder, manifest.exports[face].source)
  const specifier = posix.join(name, face)
  const values: Readonly<Record<string, unknown>> = await import(join(root, path))
  const examples = new Map<string, string>()
  for (const text of textsOfPlaces()) for (const [key, code] of examplesIn(text, specifier)) if (!examples.has(key)) examples.set(key, code)
  return Object.keys(values).flatMap((key) => {
    const there = declarationOf(path, key)
    if (there === undefined) throw new Error(`${specifier} exports ${key}, of which no declaration is found`)
    return [{ name: key, path: there.path, sentence: sentenceOf(there.doc), example: examples.get(key) }]
  })
}

let kept: readonly string[] | undefined
function textsOfPlaces(): readonly string[] {
  kept ??= [...new Set(places.flatMap((place) => pathsUnder(place).filter((path) => !/\.test\.ts$/.test(path))))].map(textOf)
  return kept
}

const shown = (code: string) => code.replaceAll('|', '\\|')

/** The table of a face's functions. */
export async function functionTable(folder: string, name: string, face: string): Promise<string> {
  const rows = (await functionsOf(folder, name, face)).map(({ name: each, path, sentence, example }) => {
    const linked = `[\`${each}\`](${posix.join('../..', path)})`
    return `| ${linked} | ${shown(sentence)} | ${example === undefined ? '' : `\`${shown(example)}\``} |`
  })
  return ['| function | | example |', '| --- | --- | --- |', ...rows].join('\n')
}
