import { offered } from '../naming/offered.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** Lists the designs. */
export async function designs(shell: Shell, _operands: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const all = [...offered(shell).values()].map(({ design, summary, decider, flows }) => ({
    name: design.name,
    table: design.table,
    indexes: design.form.indexes,
    entities: [...design.form.entities.keys()],
    patterns: [...design.form.patterns.keys()],
    features: Object.keys(design.features),
    answersQuestions: decider !== undefined,
    flows: flows?.describe(design).map(({ name }) => name) ?? [],
    summary,
  }))
  if (json) await printJson(shell, all)
  else {
    const rows = all.map(({ name, table, answersQuestions, summary }) => [name, table, answersQuestions ? 'yes' : 'no', summary])
    await shell.out(renderTable(['design', 'table', 'questions', 'for'], rows, shell.columns))
  }
  return exit.yes
}
