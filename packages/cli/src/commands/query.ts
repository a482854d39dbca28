import { type CompiledPattern, FreeholdError, type Page, type Reading } from '@freehold/table'
import { readJsonObject } from '../input/json-object.ts'
import { moduleNamed, patternNamed } from '../naming/named.ts'
import { withDesign } from '../opening/with-design.ts'
import { printItem } from '../output/print-item.ts'
import { printPage, printPages } from '../output/print-page.ts'
import { type Exit, exit, type Shell } from '../shell.ts'
import { notFound } from './get.ts'
import { type PlanOptions, printPlan } from './query-plan.ts'

export interface QueryOptions extends PlanOptions {
  readonly plan?: boolean
  readonly all?: boolean
}

type Item = Readonly<Record<string, unknown>>
type Read = (reading: Reading) => Promise<Page<Item>>

/** The pages of a pattern after the cursor, one after another. */
async function* pagesOf(read: Read, reading: Reading): AsyncGenerator<Page<Item>, void, void> {
  let cursor = reading.cursor
  do {
    const page: Page<Item> = await read({ ...reading, cursor })
    yield page
    cursor = page.cursor
  } while (cursor !== undefined)
}

function checkGet({ name }: CompiledPattern, { limit, cursor, all }: QueryOptions): void {
  const given = [limit !== undefined && '--limit', cursor !== undefined && '--cursor', all === true && '--all'].filter(
    (flag) => flag !== false,
  )
  if (given.length > 0)
    throw new FreeholdError('InvalidInput', `${name} reads one item: leave ${given.join(' and ')} out.`, { pattern: name })
}

/** Runs an access pattern, and prints an item, a page or all pages. With `--plan`, prints the request instead. */
export async function query(shell: Shell, [design, patternName, json = '{}']: readonly string[], options: QueryOptions): Promise<Exit> {
  const { plan = false, all = false, limit, cursor } = options
  const module = moduleNamed(shell, design)
  const pattern = patternNamed(module.design, patternName)
  if (pattern.operation === 'get') checkGet(pattern, options)
  const parameters = await readJsonObject(shell, json, `The parameters of ${pattern.name}`)
  if (plan) return printPlan(shell, module, pattern, parameters, options)
  return withDesign(shell, { module, name: 'freehold query', hasCursors: true, isReading: true }, options, async (reached) => {
    const read: Read = (reading) => reached.page(pattern.name, parameters, reading)
    if (pattern.operation === 'get') {
      const item = await reached.find(pattern.name, parameters)
      if (item === undefined) throw notFound(pattern.entities[0] ?? pattern, parameters)
      await printItem(shell, item, options)
    } else if (all) await printPages(shell, pagesOf(read, { limit: limit ?? 1000, cursor }), options)
    else {
      const page = await read({ limit, cursor })
      if (page.cursor !== undefined) reached.keepCursor()
      await printPage(shell, page, options)
    }
    return exit.yes
  })
}
