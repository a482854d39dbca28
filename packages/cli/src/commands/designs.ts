import { offered } from '../naming/offered.ts'
import { catalogueOf } from '../opening/catalogue.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** A listed design. A service does not tell where and how it keeps its data. */
interface Listed {
  readonly name: string
  readonly table?: string
  readonly indexes?: unknown
  readonly entities: readonly string[]
  readonly patterns: readonly string[]
  readonly features?: readonly string[]
  readonly answersQuestions: boolean
  readonly flows: readonly string[]
  readonly summary: string
}

const namesOf = (parts: readonly { readonly name: string }[]) => parts.map(({ name }) => name)

const known = (shell: Shell): Listed[] =>
  [...offered(shell).values()].map(({ design, summary, decider, flows }) => ({
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

/** Lists the designs: those that this command knows, or those that a service serves. */
export async function designs(shell: Shell, _operands: readonly string[], options: PrintOptions): Promise<Exit> {
  const { json = false } = options
  const served = await catalogueOf(shell)
  const all =
    served?.map(
      ({ name, summary, questions, entities, patterns, flows }): Listed => ({
        ...{ name, entities: namesOf(entities), patterns: namesOf(patterns) },
        ...{ answersQuestions: Object.keys(questions).length > 0, flows: namesOf(flows), summary },
      }),
    ) ?? known(shell)
  if (json) await printJson(shell, all)
  else {
    const rows = all.map(({ name, table, answersQuestions, summary }) => [
      ...[name, ...(table === undefined ? [] : [table])],
      ...[answersQuestions ? 'yes' : 'no', summary],
    ])
    await shell.out(renderTable(['design', ...(served === undefined ? ['table'] : []), 'questions', 'for'], rows, shell.columns))
  }
  return exit.yes
}
