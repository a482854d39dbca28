/**
 * Text for a person's terminal. Control characters, bidirectional overrides and unpaired surrogates are escaped, so that stored text moves
 * no cursor, sets no title and reverses no line. U+10FFFF, which ends the ranges of queries and is invisible, is escaped, too. So are line
 * breaks: only the caller ends lines.
 */
export function safeText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{10ffff}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code > 0xffff) return `\\u{${code.toString(16).toUpperCase()}}`
    return code === 0x0a ? '\\n' : code === 0x09 ? '\\t' : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** A stored value for a person: text as it is, an absent value as nothing, anything else as JSON. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return safeText(typeof value === 'string' ? value : JSON.stringify(value))
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** The width of a character in columns: two for East Asian wide ones and emoji, none for combining marks. */
export function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}]|[\u200b-\u200d]/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** Breaks text into lines of at most `width` columns, between words if possible, otherwise within a word. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (widthOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    let room = width
    for (const character of word) {
      if (room < columnsOf(character) && line !== '') {
        lines.push(line)
        line = ''
        room = width
      }
      line += character
      room -= columnsOf(character)
    }
  }
  return [...lines, line]
}
