import { type SweepReport, sweepAll } from '@freehold/designs'
import type { Page } from '@freehold/table'
import { readJsonObject } from '../input/json-object.ts'
import { flowNamed, moduleNamed } from '../naming/named.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { withDesign } from '../opening/with-design.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

const command = 'freehold sweep'

async function printReport(shell: Shell, { counts }: SweepReport): Promise<void> {
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), count])
  await shell.out(renderTable(['what', 'number'], rows, shell.columns))
}

/** Sweeps a whole table. Exits with 1 if items do not match their entity and were left alone. */
export async function sweep(shell: Shell, [design, json]: readonly string[], options: TableOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const { flow } = flowNamed(shell, module, 'sweep')
  const input = await readJsonObject(shell, json ?? '{}', `The input of ${flow.name}`)
  return withDesign(shell, { module, name: command, hasCursors: true }, options, async (reached) => {
    const run = await reached.acting({ command })
    // By its declaration a sweep gives pages of counts.
    const report = await sweepAll(async (asked) => (await run(flow.name, asked)) as Page<unknown>, input)
    if (options.json === true) await printJson(shell, report)
    else await printReport(shell, report)
    for (const { reason } of report.malformed) shell.err(`${safeText(reason)}\n`)
    return report.malformed.length === 0 ? exit.yes : exit.no
  })
}
