import type { DesignModule } from '@freehold/frame'
import { type SweepReport, sweepAll } from '@freehold/frame/sweep'
import { FreeholdError, type Page } from '@freehold/table'
import { readJsonObject } from '../input/json-object.ts'
import { flowNamed, moduleNamed, type NamedFlow } from '../naming/named.ts'
import { offered } from '../naming/offered.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { withDesign } from '../opening/with-design.ts'
import { listed } from '../output/listed.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

const command = 'freehold sweep'
const flowName = 'sweep'

async function printReport(shell: Shell, { counts }: SweepReport): Promise<void> {
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), count])
  await shell.out(renderTable(['what', 'number'], rows, shell.columns))
}

/** The sweep of a design. Throws `UnknownName` for a design without one, and names those that have one. */
function sweepOf(shell: Shell, module: DesignModule): NamedFlow {
  const hasSweep = ({ design, flows }: DesignModule) => flows?.describe(design).some(({ name }) => name === flowName) === true
  if (hasSweep(module)) return flowNamed(shell, module, flowName)
  const { name } = module.design
  const others = [...offered(shell).values()].filter(hasSweep).map(({ design }) => design.name)
  const message = `There is no flow of ${name} named '${flowName}'. These designs have one: ${listed(others) || 'none'}.`
  throw new FreeholdError('UnknownName', message, { name: flowName, design: name })
}

/** Sweeps a whole table. Exits with 1 if items do not match their entity and were left alone. */
export async function sweep(shell: Shell, [design, json]: readonly string[], options: TableOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const { flow } = sweepOf(shell, module)
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
