import { ensureTable, surveyTable } from '@freehold/table/runtime'
import { designNamed } from '../naming/design-named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { adviceFor } from '../output/survey.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** Items that are looked at: one page of a scan. A deployer who may not scan is told nothing. */
const itemsLooked = 1000

export interface SetupOptions extends TableOptions {
  readonly ttl?: boolean
}

/** Creates a design's table, even at AWS, since the user asks for it by name. */
export async function setup(shell: Shell, [design]: readonly string[], options: SetupOptions): Promise<Exit> {
  const opening = { module: designNamed(shell, design), name: 'freehold setup', leaves: 'table' } as const
  return withTable(shell, opening, options, async ({ runtime }) => {
    const isNew = await ensureTable(runtime, { ttl: options.ttl })
    if (options.json === true) await printJson(shell, { table: runtime.table, isNew })
    else await shell.out(isNew ? `Created the table ${runtime.table}.\n` : `The table ${runtime.table} already exists.\n`)
    // A look that costs little. `prove --table` and `adopt` look at everything.
    const survey = isNew ? undefined : await surveyTable(runtime, { itemsEnough: itemsLooked }).catch(() => undefined)
    const advice = survey && adviceFor(opening.module.design.name, survey)
    if (advice !== undefined) shell.err(`${advice}\n`)
    return exit.yes
  })
}
