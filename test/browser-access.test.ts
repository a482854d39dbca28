import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { imports, sources } from './sources.ts'

// A browser loads this much to ask a snapshot of access that a service sent.

const root = dirname(import.meta.dirname)
const designs = [
  { design: 'account-management', beside: 'permission/permission', files: 9 },
  { design: 'platform', beside: 'deciding/menu-flags', files: 6 },
  { design: 'access', beside: 'snapshot/access', files: 4, face: 'access/snapshot' },
]

test.each(designs)(
  'a browser loads less than three kilobytes for $design, all of them ours',
  async ({ design, beside, face = `${design}/access` }) => {
    const entry = join(root, 'node_modules', '.cache', 'freehold-tests', `${randomUUID()}.mjs`)
    mkdirSync(dirname(entry), { recursive: true })
    writeFileSync(entry, `export { readAccess } from '@freehold/designs/${face}'`)
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
    const own = new RegExp(`^packages/designs/src/(${design}/(snapshot/[a-z-]+|${beside})|decision/snapshot/[a-z-]+)\\.ts$`)
    expect(loaded.length).toBeGreaterThan(3)
    expect(loaded.filter((path) => !own.test(path))).toEqual([])
    expect(gzipSync(code).length).toBeLessThan(3072)
  },
)

test.each(designs)('the types of $design need nothing of Node and nothing of a table either', ({ design, files }) => {
  const left: string[] = []
  const seen = new Set<string>()
  const walk = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const specifier of imports(readFileSync(path, 'utf8'))) {
      if (specifier.startsWith('.')) walk(join(dirname(path), specifier))
      else left.push(`${relative(root, path)} imports ${specifier}`)
    }
  }
  walk(join(root, `packages/designs/src/${design}/snapshot/access.ts`))
  expect(seen.size).toBe(files)
  expect(left).toEqual([])
})

test('nothing of ours takes a snapshot back', () => {
  const takers = sources().filter(
    ({ isTest, text }) => !isTest && /\breadAccess\b|(account-management|platform)\/access\b|designs\/access\/snapshot\b/.test(text),
  )
  const home = /^packages\/designs\/src\/[a-z-]+\/snapshot\//
  expect(takers.map(({ path }) => path).filter((path) => !home.test(path))).toEqual([])
})
