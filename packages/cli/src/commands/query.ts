import { type CompiledPattern, FreeholdError, type Page, type QueryOf, type Reading } from '@freehold/table'
import { type JsonObject, readJsonObject } from '../input/json-object.ts'
import { offerNamed, patternNamed } from '../naming/named.ts'
import { type Opened, type TableOptions, withTable } from '../opening/open-table.ts'
import { repositoryOf } from '../opening/repository-of.ts'
import { printItem } from '../output/print-item.ts'
import { printPage, printPages } from '../output/print-page.ts'
import { type Exit, exit, type Shell } from '../shell.ts'
import { notFound } from './get.ts'
import { printPlan } from './query-plan.ts'

export interface QueryOptions extends TableOptions {
  readonly plan?: boolean
  readonly all?: boolean
  readonly limit?: number
  readonly cursor?: string
}

type Item = Readonly<Record<string, unknown>>

/** The pages of a pattern from the cursor on, one after another. */
async function* pagesOf(read: QueryOf<JsonObject, Item>, parameters: JsonObject, reading: Reading): AsyncGenerator<Page<Item>, void, void> {
  let cursor = reading.cursor
  do {
    const page: Page<Item> = await read(parameters, { ...reading, cursor })
    yield page
    cursor = page.cursor
  } while (cursor !== undefined)
}

function queryOf({ table }: Opened, { name }: CompiledPattern): QueryOf<JsonObject, Item> {
  // A connected table has a function under the name of each pattern; its types cannot say so for a name that is not known before.
  return (table as unknown as Readonly<Record<string, unknown>>)[name] as QueryOf<JsonObject, Item>
}

function checkGet({ name }: CompiledPattern, { limit, cursor, all }: QueryOptions): void {
  const given = [limit !== undefined && '--limit', cursor !== undefined && '--cursor', all === true && '--all'].filter(
    (flag) => flag !== false,
  )
  if (given.length > 0)
    throw new FreeholdError('InvalidInput', `${name} reads one item: leave ${given.join(' and ')} out.`, { pattern: name })
}

/** Runs an access pattern: prints an item, a page or all pages; with `--plan` the request only. */
export async function query(shell: Shell, [design, patternName, json = '{}']: readonly string[], options: QueryOptions): Promise<Exit> {
  const { plan = false, all = false, limit, cursor } = options
  const offer = offerNamed(design)
  const pattern = patternNamed(offer.design, patternName)
  if (pattern.operation === 'get') checkGet(pattern, options)
  const parameters = await readJsonObject(shell, json, `The parameters of ${pattern.name}`)
  if (plan) return printPlan(shell, offer, pattern, parameters, options)
  return withTable(shell, { offer, name: 'freehold query', hasCursors: true }, options, async (opened) => {
    const [entity] = pattern.entities
    if (pattern.operation === 'get' && entity !== undefined) {
      const item = await repositoryOf(opened, entity).get(parameters)
      if (item === undefined) throw notFound(entity, parameters)
      await printItem(shell, item, options)
      return exit.yes
    }
    const read = queryOf(opened, pattern)
    if (all) await printPages(shell, pagesOf(read, parameters, { limit: limit ?? 1000, cursor }), options)
    else await printPage(shell, await read(parameters, { limit, cursor }), options)
    return exit.yes
  })
}
