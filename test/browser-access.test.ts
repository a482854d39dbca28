import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { imports, sources } from './sources.ts'

// A browser loads this much to ask a snapshot of access that a service sent.

const root = dirname(import.meta.dirname)
const face = '@freehold/designs/account-management/access'

test('a browser loads less than three kilobytes, all of them ours', async () => {
  const entry = join(root, 'node_modules', '.cache', 'freehold-tests', `${randomUUID()}.mjs`)
  mkdirSync(dirname(entry), { recursive: true })
  writeFileSync(entry, `export { readAccess } from '${face}'`)
  const build = await rolldown({ input: entry, platform: 'browser', resolve: { conditionNames: ['source', 'import'] }, logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  const [{ code, imports: left, moduleIds }] = output
  expect(left).toEqual([])
  // The first is the line above.
  const loaded = moduleIds.map((id) => relative(root, id)).filter((path) => path !== relative(root, entry))
  const own = /^packages\/designs\/src\/account-management\/(snapshot\/[a-z-]+|deciding\/permission)\.ts$/
  expect(loaded.length).toBeGreaterThan(3)
  expect(loaded.filter((path) => !own.test(path))).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(3072)
})

test('its types need nothing of Node and nothing of a table either', () => {
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
  walk(join(root, 'packages/designs/src/account-management/snapshot/access.ts'))
  expect(seen.size).toBe(7)
  expect(left).toEqual([])
})

test('nothing of ours takes a snapshot back', () => {
  const takers = sources().filter(({ isTest, text }) => !isTest && /\breadAccess\b|account-management\/access\b/.test(text))
  const home = 'packages/designs/src/account-management/snapshot/'
  expect(takers.map(({ path }) => path).filter((path) => !path.startsWith(home))).toEqual([])
})
