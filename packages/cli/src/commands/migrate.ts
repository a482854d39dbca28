import type { ConnectedTable } from '@freehold/table'
import { indexChanges, migrateJob, migrationInput, surveyMigration, tableOn } from '@freehold/table/runtime'
import { designNamed } from '../naming/design-named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { formerWords, passWords, planLines } from '../output/migration.ts'
import { progressOf } from '../output/progress.ts'
import { lackingWords, problemLines } from '../output/survey.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface MigrateOptions extends TableOptions {
  readonly dryRun?: boolean
  readonly final?: boolean
}

/** Continues the same migration if an earlier process left it behind, else starts one. */
async function run({ jobs, design }: ConnectedTable, input: ReturnType<typeof migrationInput>): Promise<void> {
  const isSame = (other: unknown) => JSON.stringify(other) === JSON.stringify(input)
  const left = (await jobs.list()).filter((job) => job.entity === migrateJob && isSame(job.input))
  if (left.length > 0) {
    const { held, failed } = await jobs.resume()
    const open = new Set([...held, ...failed.map(({ job }) => job)].map(({ id }) => id))
    if (left.every(({ id }) => !open.has(id))) return
  }
  await jobs.start(migrateJob, { subject: design.name, input })
}

/** Makes a table what its design has become, and looks through it. Exits with 1 if something is left that the design needs. */
export async function migrate(shell: Shell, [design]: readonly string[], options: MigrateOptions): Promise<Exit> {
  const module = designNamed(shell, design)
  const { name } = module.design
  const how = { isFinal: options.final === true }
  return withTable(shell, { module, name: 'freehold migrate', leaves: 'table' }, options, async ({ runtime }) => {
    const progress = progressOf(shell)
    const show = (what: string, done: number, of: number) => progress.show(`${what} ${passWords(done, of, shell.isInteractive)}`)
    try {
      if (options.dryRun !== true) {
        const { itemCount } = await indexChanges(runtime)
        const onProgress = ({ done }: { readonly done: number }) => show('Migrating', done, itemCount)
        // The command waits as long as it takes.
        await run(tableOn({ ...runtime, wait_ms: Number.POSITIVE_INFINITY, onProgress }), migrationInput(runtime, how))
      }
      const migration = await surveyMigration(runtime, how, (done, of) => show('Looking', done, of))
      progress.end()
      const { missing, indexes, problems, problemsCount } = migration
      const isDone = Object.keys(missing).length === 0 && indexes.added.length === 0 && problemsCount === 0
      const former = formerWords(migration)
      if (options.json === true) await printJson(shell, migration)
      else if (options.dryRun === true) for (const line of planLines(migration, how.isFinal)) await shell.out(`${line}\n`)
      else {
        await shell.out(
          isDone ? `The table ${runtime.table} has everything that the design ${name} describes.\n` : `${lackingWords(missing)}\n`,
        )
        if (former !== undefined)
          await shell.out(
            `A former version of the design needs what else is there: ${former}. Once no program of it runs, \`freehold migrate ${name} --final\` removes that.\n`,
          )
      }
      if (options.json !== true) for (const line of problemLines(problems, problemsCount)) shell.err(line)
      return isDone && (!how.isFinal || former === undefined) ? exit.yes : exit.no
    } finally {
      progress.end()
    }
  })
}
