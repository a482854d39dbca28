import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { type Engine, openEngine } from '@freehold/engine'
import { connect } from '@freehold/table'
import { ensureTable, type Sender } from '@freehold/table/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSamples } from '../../packages/cli/src/sample/load-samples.ts'
import { temporaryFolder } from '../folders/temporary-folder.ts'
import { commandsOf, run, type Shown } from './console.ts'
import { type Exchange, exchangeOf, sent, shownAnswer } from './exchange.ts'
import { masked, shows } from './masked.ts'
import { blocksOf, docs } from './pages.ts'
import { designsIn, type ServedPage, serveDesigns } from './serving.ts'

// Commands that the pages show are run, page by page and in their order, each page on data of its own, but for the guides: these may be
// followed one after another, on the same, beside the samples of `npm start`. `$ cat FILE` makes the file.
// Requests that stand beside them are sent to a service over the same data, in the same order.
// Commands that run until they are told to end stand in blocks of the language `sh`, which are not run.

const pages = docs()
  .map((page) => ({ path: page.path, blocks: blocksOf(page).filter(({ language }) => language === 'console' || language === 'http') }))
  .filter(({ blocks }) => blocks.some(({ language }) => language === 'console'))
const isGuide = ({ path }: { path: string }) => path.startsWith('docs/guides/')
const shown = [
  ...pages.filter((page) => !isGuide(page)),
  { path: 'docs/guides', blocks: pages.filter(isGuide).flatMap(({ blocks }) => blocks) },
]

/** What `npm start` has loaded before anybody follows a guide. */
async function loadAllSamples(sender: Sender): Promise<void> {
  const tables = [...designModules.values()].map((module) => ({ module, table: connect(module.design, { sender }) }))
  for (const { table } of tables) await ensureTable(table.runtime)
  await loadSamples(new Map(tables.map((each) => [each.module.design.name, each])), { sender })
}

describe.each(shown)('the commands of $path', ({ path, blocks }) => {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  let engine: Engine
  let service: ServedPage | undefined
  beforeAll(async () => {
    engine = await openEngine({ path: data })
    if (path === 'docs/guides') await loadAllSamples(engine.sender)
  })
  afterAll(() => engine.close())

  const steps = blocks.flatMap((block): { step: string; shown: Exchange | Shown }[] =>
    block.language === 'http'
      ? [exchangeOf(block)].map((shown) => ({ step: shown.start, shown }))
      : commandsOf(block.text).map((shown) => ({ step: shown.command, shown })),
  )
  test.each(steps)('$step', async ({ shown }) => {
    if ('request' in shown) {
      service ??= await serveDesigns(engine.sender, designsIn(blocks))
      return expect(await sent(shown, service.app, service.key)).toEqual(shownAnswer(shown))
    }
    const { command, output } = shown
    const [, file] = /^cat (\S+)$/.exec(command) ?? []
    if (file !== undefined) return writeFileSync(join(folder, file), output)
    const printed = await run(command, { folder, data })
    if (!shows(output, printed)) expect(masked(printed)).toBe(masked(output))
  })
})
