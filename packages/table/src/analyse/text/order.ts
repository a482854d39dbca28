import { between, lastCode, noCharacter } from './characters.ts'
import { anything, choice, type Expression, literal, one, sequence } from './expression.ts'

/** Code points compare like their UTF-8 bytes, by which DynamoDB orders sort keys. */
function differing(text: string, side: 'below' | 'above'): Expression[] {
  const letters = [...text]
  return letters.map((letter, index) => {
    const code = letter.codePointAt(0) ?? 0
    const other = side === 'below' ? (code === 0 ? noCharacter : between(0, code - 1)) : between(code + 1, lastCode)
    return sequence(literal(letters.slice(0, index).join('')), one(other), anything)
  })
}

/** Every text from `low` on. */
export function from(low: string): Expression {
  return choice(sequence(literal(low), anything), ...differing(low, 'above'))
}

/** Every text up to `high`, and every text that begins with it. */
export function upTo(high: string): Expression {
  const letters = [...high]
  const beginnings = letters.map((_, index) => literal(letters.slice(0, index).join('')))
  return choice(sequence(literal(high), anything), ...beginnings, ...differing(high, 'below'))
}
