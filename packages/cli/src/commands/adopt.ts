import { adoptJob, surveyTable } from '@freehold/table/runtime'
import { moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { lackingWords, problemLines } from '../output/survey.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/**
 * Writes what the items of another program lack: guards, lookup items, sides of edges, additional attributes. Exits with 1 if something remains that
 * a person must decide.
 */
export async function adopt(shell: Shell, [design]: readonly string[], options: TableOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  return withTable(shell, { module, name: 'freehold adopt' }, options, async ({ table, runtime }) => {
    const before = await surveyTable(runtime)
    if (Object.keys(before.missing).length > 0 || before.problemsCount > 0)
      await table.jobs.start(adoptJob, { subject: module.design.name, input: null })
    const { items, missing, problems, problemsCount } = await surveyTable(runtime)
    const isDone = Object.keys(missing).length === 0 && problemsCount === 0
    if (options.json === true) await printJson(shell, { items, missing, problems, problemsCount })
    else {
      await shell.out(
        isDone ? `The table ${runtime.table} has everything that the design ${module.design.name} adds.\n` : `${lackingWords(missing)}\n`,
      )
      for (const line of problemLines(problems, problemsCount)) shell.err(line)
    }
    return isDone ? exit.yes : exit.no
  })
}
