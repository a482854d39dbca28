import { importPeople, type RebacTable } from '@freehold/designs/rebac'
import { importItems, readCsv, readJsonLines } from '@freehold/frame/exchange'
import { commandsOf } from './console.ts'
import { blocksOf, pageAt } from './pages.ts'

/** A file that the reference of the command shows with `cat`. */
async function* shown(name: string): AsyncGenerator<string, void, void> {
  const commands = blocksOf(pageAt('docs/reference/command.md')).flatMap(({ text }) => commandsOf(text))
  const file = commands.find(({ command }) => command === `cat ${name}`)
  if (file === undefined) throw new Error(`command.md shows no ${name}`)
  yield file.output
}

/** Fills a table with the people of the examples, and what their roles may open. */
export async function loadExamples(table: RebacTable): Promise<void> {
  await importPeople(table, readCsv(shown('people.csv')))
  await importItems(table.runtime, readJsonLines(shown('items.jsonl')))
}
