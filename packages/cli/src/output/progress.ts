import type { Shell } from '../shell.ts'
import { columnsOf, safeText } from './safe-text.ts'

/** Shows progress on stderr. */
export interface Progress {
  /** Shows the state of the work, unless it was shown just before. */
  show(sentence: string): void
  /** Clears the line of a terminal. */
  end(): void
}

/** A terminal's line is updated often, a log gets a line now and then. */
const interval_ms = { terminal: 100, log: 5000 } as const
const columns_max = 79
const clear = '\r\u001b[K'

function cut(text: string): string {
  let line = ''
  let room = columns_max
  for (const character of text) {
    room -= columnsOf(character)
    if (room < 0) return line
    line += character
  }
  return line
}

/** A log gets its first line after one interval, so that short work logs nothing. */
export function progressOf(shell: Shell): Progress {
  let last = shell.isInteractive ? 0 : shell.now().getTime()
  let isShown = false
  return {
    show: (sentence) => {
      const now = shell.now().getTime()
      if (now - last < (shell.isInteractive ? interval_ms.terminal : interval_ms.log)) return
      last = now
      isShown = true
      shell.err(shell.isInteractive ? clear + cut(safeText(sentence)) : `${safeText(sentence)}\n`)
    },
    end: () => {
      if (isShown && shell.isInteractive) shell.err(clear)
      isShown = false
    },
  }
}
