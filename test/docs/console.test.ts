import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEngine } from '../../packages/cli/src/engine/binary.ts'
import { type OpenEngine, openEngine } from '../../packages/cli/src/engine/open.ts'
import { commandsOf, run } from './console.ts'
import { masked, shows } from './masked.ts'
import { blocksOf, docs } from './pages.ts'

// Commands that the pages show are run, page by page and in their order, each page on data of its own. `$ cat FILE` makes the file.
// What runs until it is told to end stands in blocks of the language `sh`, which are not run.

const shown = docs()
  .map((page) => ({ path: page.path, blocks: blocksOf(page).filter(({ language }) => language === 'console') }))
  .filter(({ blocks }) => blocks.length > 0)

describe.each(shown)('the commands of $path', ({ blocks }) => {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-docs-'))
  const data = join(folder, 'data')
  let engine: OpenEngine
  beforeAll(async () => {
    // One engine for all of them; each command attaches to it.
    engine = await openEngine({ binary: findEngine({}), directory: data, role: 'owner', name: 'a test' })
  })
  afterAll(() => engine.stop())

  const commands = blocks.flatMap(({ text }) => commandsOf(text))
  test.each(commands)('$command', async ({ command, output }) => {
    const [, file] = /^cat (\S+)$/.exec(command) ?? []
    if (file !== undefined) return writeFileSync(join(folder, file), output)
    const printed = await run(command, { folder, data })
    if (!shows(output, printed)) expect(masked(printed)).toBe(masked(output))
  })
})
