import { type PrintOptions, printJson, type Shell } from '../shell.ts'
import { renderItem } from './table.ts'

/** Prints one item: one line for each attribute for a person, one line of JSON for a program. */
export function printItem(shell: Shell, item: Readonly<Record<string, unknown>>, { json = false }: PrintOptions): Promise<void> {
  return json ? printJson(shell, item) : shell.out(renderItem(item, shell.columns))
}
