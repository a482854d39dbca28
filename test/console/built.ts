import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const room = join(import.meta.dirname, '../../packages/console')
const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(join(room, folder), { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(room, folder, name)).mtimeMs),
  )

/** Builds the console if a source is newer than what `npm ci` has built. */
export async function builtConsole(): Promise<void> {
  const built = statSync(join(room, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Math.max(newest('src'), statSync(join(room, 'index.html')).mtimeMs) <= built) return
  const { NODE_ENV = 'test' } = process.env
  try {
    // Under the name of the tests the libraries would be those of development, which are larger by a third.
    process.env.NODE_ENV = 'production'
    await build({ configFile: join(room, 'vite.config.ts') })
  } finally {
    process.env.NODE_ENV = NODE_ENV
  }
}

const textOf = (name: string): string => readFileSync(join(room, 'dist', name), 'utf8')

/** The scripts that a page loads with these, by their names in `dist/assets`. */
function loadedWith(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    for (const [, next = ''] of textOf(`assets/${name}`).matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)) visit(next)
  }
  for (const name of names) visit(name)
  return found
}

const size = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + gzipSync(textOf(`assets/${name}`)).byteLength, 0)

/** The bytes of JavaScript, gzipped: of the first load, and of each script that is loaded later with all that it needs beyond that. */
export function loads(): { readonly first: number; readonly later: ReadonlyMap<string, number> } {
  const first = loadedWith([...textOf('index.html').matchAll(/assets\/([\w-]+\.js)/g)].map(([, name = '']) => name))
  const others = readdirSync(join(room, 'dist/assets')).filter((name) => name.endsWith('.js') && !first.has(name))
  return {
    first: size(first),
    later: new Map(others.map((name) => [name, size([...loadedWith([name])].filter((each) => !first.has(each)))])),
  }
}
