/**
 * Tells the present instant as text. That of one millisecond is written once: a busy server asks for it many times, and to write it takes as long as a line
 * of the log.
 */
export function presentInstant(): () => string {
  let at_ms = Number.NaN
  let text = ''
  return () => {
    const now_ms = Date.now()
    if (now_ms !== at_ms) {
      at_ms = now_ms
      text = new Date(now_ms).toISOString()
    }
    return text
  }
}
