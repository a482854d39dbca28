import { offers } from '@freehold/designs'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** Lists the designs. */
export async function designs(shell: Shell, _operands: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const all = [...offers.values()].map(({ design, summary, decider }) => ({
    name: design.name,
    table: design.table,
    indexes: design.form.indexes,
    entities: [...design.form.entities.keys()],
    patterns: [...design.form.patterns.keys()],
    answersQuestions: decider !== undefined,
    summary,
  }))
  if (json) await printJson(shell, all)
  else {
    const rows = all.map((each) => [
      each.name,
      each.table,
      each.entities.length,
      each.patterns.length,
      each.indexes.join(', ') || 'none',
      each.summary,
    ])
    await shell.out(renderTable(['design', 'table', 'entities', 'access patterns', 'indexes', 'for'], rows, shell.columns))
  }
  return exit.yes
}
