import type { Malformed, Page } from '@freehold/table'
import { jsonLine, type PrintOptions, printJson, type Shell } from '../shell.ts'
import { counted } from './counted.ts'
import { safeText } from './safe-text.ts'
import { renderItems } from './table.ts'

type Item = Readonly<Record<string, unknown>>

/** Reports items that do not match their entity. They are not shown like the others (spec rule 16). */
function reportMalformed(shell: Shell, malformed: readonly Malformed[]): void {
  for (const { reason } of malformed) shell.err(`${safeText(reason)}\n`)
}

/**
 * Prints a page of a list: a table, or `{items, cursor?, malformed?}`. The next cursor, and the sentence `none` for an empty list, go to
 * stderr.
 */
export async function printPage(shell: Shell, page: Page<Item>, { json = false }: PrintOptions, none = 'There are none.'): Promise<void> {
  const { items, cursor, malformed = [] } = page
  if (json)
    return printJson(shell, { items, ...(cursor === undefined ? {} : { cursor }), ...(malformed.length === 0 ? {} : { malformed }) })
  await shell.out(items.length === 0 ? '' : renderItems(items, shell.columns))
  if (items.length === 0 && cursor === undefined) shell.err(`${none}\n`)
  reportMalformed(shell, malformed)
  if (cursor !== undefined) shell.err(`There may be more: continue with --cursor ${cursor}\n`)
}

/** Prints every page as it arrives, in bounded memory: as one JSON object, or as a table for each page. */
export async function printPages(shell: Shell, pages: AsyncIterable<Page<Item>>, { json = false }: PrintOptions): Promise<void> {
  const malformed: Malformed[] = []
  let count = 0
  if (json) await shell.out('{"items":[')
  for await (const page of pages) {
    malformed.push(...(page.malformed ?? []))
    if (page.items.length === 0) continue
    const between = count === 0 ? '' : json ? ',' : '\n'
    count += page.items.length
    await shell.out(
      between + (json ? page.items.map((item) => jsonLine(item).trimEnd()).join(',') : renderItems(page.items, shell.columns)),
    )
  }
  if (json) return shell.out(`]${malformed.length === 0 ? '' : `,"malformed":${jsonLine(malformed).trimEnd()}`}}\n`)
  reportMalformed(shell, malformed)
  shell.err(`${counted(count, 'item')}\n`)
}
