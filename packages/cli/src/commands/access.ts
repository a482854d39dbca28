import { readJsonObject } from '../input/json-object.ts'
import { answering, snapshotting } from '../naming/answering.ts'
import { offerNamed } from '../naming/named.ts'
import { withTable } from '../opening/open-table.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'
import type { AskOptions } from './can.ts'

export interface AccessOptions extends AskOptions {
  readonly lasts?: number
  readonly evidence?: boolean
}

/** Takes a snapshot of what a user may do, and prints it: as one line with `--json`, else as JSON in lines. */
export async function access(shell: Shell, [design, question]: readonly string[], options: AccessOptions): Promise<Exit> {
  const { consistency, lasts, evidence } = options
  const offer = answering(offerNamed(shell, design))
  const asked = await readJsonObject(shell, question, 'The question')
  return withTable(shell, { offer, name: 'freehold access' }, options, async ({ runtime }) => {
    const taken = await snapshotting(offer, offer.decider(runtime)).access(asked, { consistency, lasts_ms: lasts, evidence })
    if (options.json === true) await printJson(shell, taken)
    else await shell.out(`${JSON.stringify(taken, null, 2).split('\n').map(safeText).join('\n')}\n`)
    return exit.yes
  })
}
