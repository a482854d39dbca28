import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { bundles } from './bundle.js'
import { imports, sources } from './sources.ts'

// A browser loads this much to ask a snapshot of access that a service sent.

const root = dirname(import.meta.dirname)
const readers = [
  { face: 'designs/account-management/access', own: 'designs/src/account-management/(snapshot/[a-z-]+|permission/permission)', files: 12 },
  { face: 'designs/platform/access', own: 'designs/src/platform/snapshot/[a-z-]+', files: 9 },
  { face: 'frame/snapshot', own: 'frame/src/snapshot', files: 5 },
]
const frame = 'frame/src/(snapshot|(access|decision)/snapshot/[a-z-]+)'

test.each(readers)('a browser loads less than three kilobytes of $face, all of them ours', async ({ face, own }) => {
  const entry = join(bundles, `${randomUUID()}.mjs`)
  mkdirSync(dirname(entry), { recursive: true })
  writeFileSync(entry, `export { readAccess } from '@freehold/${face}'`)
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['source', 'import'] },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  const [{ code, imports: left, moduleIds }] = output
  expect(left).toEqual([])
  // The first is the line above.
  const loaded = moduleIds.map((id) => relative(root, id)).filter((path) => path !== relative(root, entry))
  const files = new RegExp(`^packages/(${own}|${frame})\\.ts$`)
  expect(loaded.length).toBeGreaterThan(3)
  expect(loaded.filter((path) => !files.test(path))).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(3072)
})

/** The file in which a face of a package begins. */
function sourceOf(face: string): string {
  const [name = '', ...path] = face.split('/')
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  return join(root, 'packages', name, exports[`./${path.join('/')}`].source)
}

test.each(readers)('the types of $face need nothing of Node and nothing of a table either', ({ face, files }) => {
  const left: string[] = []
  const seen = new Set<string>()
  const walk = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const specifier of imports(readFileSync(path, 'utf8'))) {
      if (specifier.startsWith('.')) walk(join(dirname(path), specifier))
      else if (specifier === '@freehold/frame/snapshot') walk(sourceOf('frame/snapshot'))
      else left.push(`${relative(root, path)} imports ${specifier}`)
    }
  }
  walk(sourceOf(face))
  expect(seen.size).toBe(files)
  expect(left).toEqual([])
})

test('nothing of ours takes a snapshot back', () => {
  const takers = sources().filter(
    ({ isTest, text }) => !isTest && /\breadAccess\b|(account-management|platform)\/access\b|frame\/snapshot\b/.test(text),
  )
  const home = /^packages\/(designs|frame)\/src\/([a-z-]+\/snapshot\/|snapshot\.ts)/
  expect(takers.map(({ path }) => path).filter((path) => !home.test(path))).toEqual([])
})
