import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = dirname(import.meta.dirname)

/** The packages, each of which may import only those before it. */
export const packages = [
  { folder: 'client', name: '@freehold/client' },
  { folder: 'engine', name: '@freehold/engine' },
  { folder: 'table', name: '@freehold/table' },
  { folder: 'frame', name: '@freehold/frame' },
  { folder: 'designs', name: '@freehold/designs' },
  { folder: 'authorizer', name: '@freehold/authorizer' },
  { folder: 'service', name: '@freehold/service' },
  { folder: 'cli', name: 'freehold' },
] as const

export interface Source {
  /** Path from the root, with `/` between names. */
  readonly path: string
  /** Folder of its package under `packages/`. */
  readonly package: string
  readonly isTest: boolean
  readonly text: string
}

/** The paths of the TypeScript files under a folder, from the root. */
export function pathsUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, ...name.split(sep)))
}

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Every TypeScript file under packages/<folder>/src, tests included. */
export function sources(): Source[] {
  return packages.flatMap(({ folder }) =>
    pathsUnder(posix.join('packages', folder, 'src')).map((path) => {
      return { path, package: folder, isTest: /\.test(-d)?\.ts$/.test(path), text: textOf(path) }
    }),
  )
}

export interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** Every node of a TypeScript file, parents before children. */
export function nodes(text: string): Node[] {
  const found: Node[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const entry of value) visit(entry)
    else if (isObject(value)) {
      if (isNode(value)) found.push(value)
      for (const child of Object.values(value)) visit(child)
    }
  }
  visit(parseAst(text, { lang: 'ts' }))
  return found
}

/** The imports of a file, of values and of types: static, dynamic, re-exported, and in `import('…')` types. */
export function imports(text: string): string[] {
  const importing = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TSImportType'])
  return nodes(text).flatMap((node) => {
    if (!importing.has(node.type) || !isObject(node.source)) return []
    const specifier = node.source.value
    return typeof specifier === 'string' ? [specifier] : []
  })
}

/** The names that a file imports by static imports, each after its specifier and a space. */
export function importedNames(text: string): string[] {
  return nodes(text).flatMap((node) => {
    const { source } = node
    if (node.type !== 'ImportDeclaration' || !isObject(source) || !Array.isArray(node.specifiers)) return []
    return node.specifiers.flatMap((each: unknown) =>
      isObject(each) && isObject(each.imported) ? [`${source.value} ${each.imported.name}`] : [],
    )
  })
}

/** The specifiers by which other packages may import this one: its name, and its declared subpaths. */
export function faces(of: (typeof packages)[number]): Set<string> {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'packages', of.folder, 'package.json'), 'utf8'))
  const declared = isObject(manifest) && isObject(manifest.exports) ? Object.keys(manifest.exports) : []
  return new Set(declared.map((subpath) => posix.join(of.name, subpath)))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isNode(value: Record<string, unknown>): value is Node {
  return typeof value.type === 'string'
}
