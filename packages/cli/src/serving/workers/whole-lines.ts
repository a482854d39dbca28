/** As many bytes as a pipe takes at once from one of several writers (PIPE_BUF of Linux). */
const atOnce_max = 4_096

/** Writes lines in pieces that a pipe does not tear: several workers write to one. Only a line that is longer goes in more than one. */
export function wholeLines(write: (text: string) => void): (text: string) => void {
  return (text) => {
    let piece = ''
    for (const line of text.split(/(?<=\n)/)) {
      if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > atOnce_max) {
        write(piece)
        piece = ''
      }
      piece += line
    }
    if (piece !== '') write(piece)
  }
}
