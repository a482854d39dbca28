import { exportItems } from '@freehold/frame/exchange'
import { moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { counted } from '../output/counted.ts'
import { progressOf } from '../output/progress.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, jsonLine, type Shell } from '../shell.ts'

export interface ExportCommandOptions extends TableOptions {
  readonly secrets?: boolean
}

/** Lines are collected up to this many characters before they are written. */
const chunk_characters = 64 * 1024

/**
 * Prints every item as a line of JSON, in an order that `import` accepts. Exits with 1 if an item does not match its entity and was left
 * out. Each such item is reported.
 */
export async function exportAll(shell: Shell, [design]: readonly string[], options: ExportCommandOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  return withTable(shell, { module, name: 'freehold export', isReading: true }, options, async ({ runtime }) => {
    const progress = progressOf(shell)
    let lines = ''
    let count = 0
    let malformed = 0
    const items = exportItems(runtime, {
      withSecrets: options.secrets === true,
      onMalformed: ({ reason }) => {
        malformed++
        progress.end()
        shell.err(`${safeText(reason)}\n`)
      },
    })
    for await (const item of items) {
      lines += jsonLine(item)
      count++
      if (lines.length < chunk_characters) continue
      await shell.out(lines)
      lines = ''
      progress.show(counted(count, 'item'))
    }
    await shell.out(lines)
    progress.end()
    return malformed === 0 ? exit.yes : exit.no
  })
}
