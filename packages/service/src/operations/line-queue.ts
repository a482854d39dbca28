/** Lines on their way to somewhere slow. */
export interface LineQueue {
  /** Takes a line without its end. It is dropped if too many wait, and never throws. */
  write(line: object): void
  /** Waits until everything is written that can be. */
  close(): Promise<void>
}

export interface LineQueueOptions {
  /** Appends lines. It may fail: they are then dropped. */
  readonly append: (lines: string) => Promise<void>
  /** How many characters may wait. More lines are dropped, so that a slow disk takes no memory. */
  readonly held_chars_max?: number
  /** Called with the number of lines that were dropped. */
  readonly onDrop?: (count: number) => void
  /** Called when lines are dropped after none were, with the error or undefined. */
  readonly onProblem?: (error: unknown) => void
}

/** Writes lines one batch after another, and never makes anybody wait. */
export function lineQueue({ append, held_chars_max = 16_777_216, onDrop, onProblem }: LineQueueOptions): LineQueue {
  let held: string[] = []
  let held_chars = 0
  let writing: Promise<void> | undefined
  let isDropping = false
  const dropped = (count: number, error?: unknown) => {
    onDrop?.(count)
    if (!isDropping) onProblem?.(error)
    isDropping = true
  }
  const writeAll = async () => {
    // Lines of this turn of the event loop go together.
    await new Promise(setImmediate)
    while (held.length > 0) {
      const lines = held
      const chars = held_chars
      held = []
      try {
        await append(lines.join(''))
        isDropping = false
      } catch (error) {
        dropped(lines.length, error)
      } finally {
        held_chars -= chars
      }
    }
    writing = undefined
  }
  return {
    write: (line) => {
      const text = `${JSON.stringify(line)}\n`
      if (held_chars + text.length > held_chars_max) return dropped(1)
      held.push(text)
      held_chars += text.length
      writing ??= writeAll()
    },
    close: async () => {
      await writing
    },
  }
}
