import { type DesignModule, proveModule } from '@freehold/frame'
import { describeProof } from '@freehold/table/prove'
import { type Survey, surveyTable } from '@freehold/table/runtime'
import { moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { adviceFor, problemLines } from '../output/survey.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** Longer lines are hard to read. */
const columns_max = 100

/** Proves a design, and with `--table` that a table has all that the design adds. Exits with 1 if it is not proven. */
export async function proveDesign(shell: Shell, [design]: readonly string[], options: TableOptions): Promise<Exit> {
  const { json = false, table } = options
  const module = moduleNamed(shell, design)
  const proof = proveModule(module)
  const survey = table === undefined ? undefined : await surveyOf(shell, module, options)
  const advice = survey && adviceFor(module.design.name, survey)
  if (json) await printJson(shell, survey === undefined ? proof : { ...proof, survey })
  else {
    await shell.out(describeProof(proof, Math.min(shell.columns ?? columns_max, columns_max)))
    if (survey !== undefined) await shell.out(`${advice ?? `The table ${table} has everything that the design adds.`}\n`)
    for (const line of problemLines(survey?.problems ?? [], survey?.problemsCount ?? 0)) shell.err(line)
  }
  return proof.isProven && advice === undefined ? exit.yes : exit.no
}

/** What a table lacks that was written by another program, too. */
function surveyOf(shell: Shell, module: DesignModule, options: TableOptions): Promise<Survey> {
  const opening = { module, name: 'freehold prove', isReading: true, leaves: 'jobs' } as const
  return withTable(shell, opening, options, ({ runtime }) => surveyTable(runtime))
}
