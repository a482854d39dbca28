import { Mismatch } from './kind.ts'

/**
 * Characters that nobody sees: format and bidi characters, what Unicode calls default-ignorable, and line separators. A text that differs
 * from another only by them is a look-alike.
 */
const unseen = /[\p{Cf}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u

/** `U+200B`: the character itself could not be seen in a message. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Refuses a text with a character that nobody sees (spec rule 5). */
export function checkUnseen(text: string): string {
  const found = unseen.exec(text)
  if (found !== null) throw new Mismatch(`holds ${codePoint(found[0])}, which nobody sees: write it without`)
  return text
}

/**
 * Refuses a text that could be taken for another: one with a character that nobody sees, or that NFKC would change, as full-width letters
 * and ligatures (spec rule 5; RFC 8264, section 9.17: HasCompat).
 */
export function checkLookAlike(text: string): string {
  const plain = checkUnseen(text).normalize('NFKC')
  if (plain === text) return text
  const changed = [...text].find((character) => character.normalize('NFKC') !== character)
  throw new Mismatch(
    changed === undefined ? `looks like '${plain}': write that` : `holds '${changed}': write '${changed.normalize('NFKC')}'`,
  )
}
