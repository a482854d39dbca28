import { ensureTable } from '@freehold/table/runtime'
import { designNamed } from '../naming/design-named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** Creates a design's table, even at AWS, since the user asks for it by name. */
export async function setup(shell: Shell, [design]: readonly string[], options: TableOptions): Promise<Exit> {
  const opening = { module: designNamed(shell, design), name: 'freehold setup', leaves: 'table' } as const
  return withTable(shell, opening, options, async ({ runtime }) => {
    const isNew = await ensureTable(runtime)
    if (options.json === true) await printJson(shell, { table: runtime.table, isNew })
    else await shell.out(isNew ? `Created the table ${runtime.table}.\n` : `The table ${runtime.table} already exists.\n`)
    return exit.yes
  })
}
