import type { Page } from '@freehold/table'
import { type Exit, exit, jsonLine, type Shell } from '../shell.ts'
import { counted } from './counted.ts'
import { progressOf } from './progress.ts'
import { safeText } from './safe-text.ts'

/**
 * Prints the items of a page as lines of JSON, and those of later pages if `more` reads them. An empty list is reported on stderr. So are
 * items that do not match their entity, and the exit code is then 1.
 */
export async function printLines(shell: Shell, first: Page<unknown>, more?: (cursor: string) => Promise<Page<unknown>>): Promise<Exit> {
  const progress = progressOf(shell)
  let count = 0
  let malformed = 0
  let page = first
  for (;;) {
    await shell.out(page.items.map(jsonLine).join(''))
    count += page.items.length
    progress.show(counted(count, 'item'))
    for (const { reason } of page.malformed ?? []) {
      malformed++
      progress.end()
      shell.err(`${safeText(reason)}\n`)
    }
    const next = page.cursor === undefined ? undefined : await more?.(page.cursor)
    if (next === undefined) break
    page = next
  }
  progress.end()
  if (count === 0 && page.cursor === undefined) shell.err('There are none.\n')
  if (page.cursor !== undefined) shell.err(`There may be more: continue with "cursor":${JSON.stringify(page.cursor)}\n`)
  return malformed === 0 ? exit.yes : exit.no
}
