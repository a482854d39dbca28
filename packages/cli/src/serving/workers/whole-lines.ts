/** As many bytes as a pipe takes at once from one of several writers (PIPE_BUF of Linux). */
const atOnce_max = 4_096

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of text.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > atOnce_max) {
      pieces.push(piece)
      piece = ''
    }
    piece += line
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/**
 * Writes lines in pieces that a pipe does not tear: several workers write to one. Only a line that is longer goes in more than one.
 * @param write resolves when a piece is taken, or gives undefined if it is already. A stream would join those that wait into one write
 */
export function wholeLines(write: (piece: string) => Promise<void> | undefined): (text: string) => Promise<void> | undefined {
  let waiting: string[] = []
  let writing: Promise<void> | undefined
  const writeOn = (): Promise<void> | undefined => {
    for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
      const taken = write(piece)
      if (taken !== undefined) return taken.then(writeOn)
    }
    return undefined
  }
  return (text) => {
    waiting.push(...piecesOf(text))
    writing ??= writeOn()?.finally(() => {
      writing = undefined
      waiting = []
    })
    return writing
  }
}
