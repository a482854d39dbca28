/**
 * Text for a person's terminal: control characters, bidirectional overrides and unpaired surrogates stand as escapes, so that stored text
 * moves no cursor, sets no title and reverses no line; so does U+10FFFF, which ends the ranges of queries and has no shape. Line breaks are
 * escaped too: what is printed decides where lines end.
 */
export function safeText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{10ffff}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code > 0xffff) return `\\u{${code.toString(16).toUpperCase()}}`
    return code === 0x0a ? '\\n' : code === 0x09 ? '\\t' : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** A stored value for a person: text as it is, anything else as JSON, nothing for what is absent. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return safeText(typeof value === 'string' ? value : JSON.stringify(value))
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Columns that a character takes: two for East Asian wide ones and emoji, none for combining marks. */
export function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}]|[\u200b-\u200d]/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** Breaks text into lines of at most `width` columns: between words where it can, within one that is longer. */
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
