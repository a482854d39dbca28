import { isUnanswered, lastsMax_ms } from '@freehold/frame/decision'
import { invalid } from '../input/invalid.ts'
import { readJsonObject } from '../input/json-object.ts'
import { type AskOptions, withAnswering } from '../opening/with-answering.ts'
import { withDesign } from '../opening/with-design.ts'
import { reasonWords } from '../output/answer.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface AccessOptions extends AskOptions {
  readonly lasts?: string
  readonly evidence?: boolean
}

/** Parses --lasts. Its bound is known once designs are loaded, so it is not parsed with the other options. Throws `InvalidInput`. */
function readLasts(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const lasts_ms = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (lasts_ms >= 1 && lasts_ms <= lastsMax_ms) return lasts_ms
  throw invalid(`--lasts is a whole number of milliseconds from 1 to ${lastsMax_ms} (one day).`)
}

/**
 * Takes a snapshot of a user's permissions, and prints it: as one line with `--json`, otherwise as indented JSON. An empty snapshot is an
 * answer, unless it is empty because something could not be read.
 */
export async function access(shell: Shell, [design, question]: readonly string[], options: AccessOptions): Promise<Exit> {
  const { consistency, evidence } = options
  const lasts_ms = readLasts(options.lasts)
  return withAnswering(shell, design, options, async (module) => {
    const asked = await readJsonObject(shell, question, 'The question')
    return withDesign(shell, { module, name: 'freehold access', isReading: true }, options, async (reached) => {
      const taken = await reached.questions().access(asked, { consistency, lasts_ms, evidence })
      if (options.json === true) await printJson(shell, taken)
      else await shell.out(`${JSON.stringify(taken, null, 2).split('\n').map(safeText).join('\n')}\n`)
      const { reason } = taken
      if (reason?.kind === 'fault' && options.json !== true) shell.err(`${reasonWords(reason)}\n`)
      return isUnanswered(taken) ? exit.unanswered : exit.yes
    })
  })
}
