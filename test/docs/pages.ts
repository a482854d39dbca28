import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

export interface Page {
  /** Path from the root, with `/` between names. */
  readonly path: string
  readonly text: string
}

export interface Block {
  readonly language: string
  readonly text: string
  /** The line on which its text begins, for a failure's name. */
  readonly line: number
}

function read(path: string): Page {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

const first = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] as const

/** The READMEs of the packages. `npm run test:packages` runs their code. */
export const readmes: readonly Page[] = readdirSync(join(root, 'packages')).map((name) => read(`packages/${name}/README.md`))

/** Every page of docs/. */
export function docs(): Page[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => read(posix.join('docs', ...name.split(sep))))
}

/** Every page that a reader of the project may come to. */
export function pages(): Page[] {
  return [...first.map(read), ...readmes, ...docs()]
}

/** The page at this path from the root. */
export function pageAt(path: string): Page {
  return read(path)
}

/** Its blocks of code. */
export function blocksOf({ text }: Page): Block[] {
  const found: Block[] = []
  let open: { language: string; lines: string[]; line: number } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*)$/.exec(line)
    if (fence === null) open?.lines.push(line)
    else if (open === undefined) open = { language: fence[1] ?? '', lines: [], line: index + 2 }
    else {
      found.push({ language: open.language, text: open.lines.join('\n'), line: open.line })
      open = undefined
    }
  }
  return found
}

/** The text of the section with this heading, without the heading, up to the next of its level or above. */
export function sectionOf({ text, path }: Page, heading: string): string {
  const [, level = ''] = /^(#+) /.exec(heading) ?? []
  const lines = text.split('\n')
  const start = lines.indexOf(heading)
  if (start < 0) throw new Error(`${path} has no heading '${heading}'`)
  const end = lines.findIndex((line, index) => index > start && /^#+ /.test(line) && (/^#+/.exec(line)?.[0].length ?? 0) <= level.length)
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n')
}
