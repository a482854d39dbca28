import { bytesMin, type Characters, character, intersection, keyCharacters } from './characters.ts'

/** A set of texts, described as by a regular expression. */
export type Expression =
  | { readonly is: 'one'; readonly of: Characters }
  | { readonly is: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly is: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number }
  /** The texts of `part` without the empty text. */
  | { readonly is: 'some'; readonly part: Expression }

export const one = (of: Characters): Expression => ({ is: 'one', of })
export const sequence = (...parts: readonly Expression[]): Expression => ({ is: 'sequence', parts })
export const choice = (...parts: readonly Expression[]): Expression => ({ is: 'choice', parts })
export const repeat = (part: Expression, min: number, max: number): Expression => ({ is: 'repeat', part, min, max })
export const some = (part: Expression): Expression => ({ is: 'some', part })
export const literal = (text: string): Expression => sequence(...[...text].map((letter) => one(character(letter))))

/** Every text of a key, and the empty text. */
export const anything = repeat(one(keyCharacters), 0, Number.POSITIVE_INFINITY)

/** The texts of an expression that only have these characters. */
export function madeOf(allowed: Characters, expression: Expression): Expression {
  switch (expression.is) {
    case 'one':
      return one(intersection(expression.of, allowed))
    case 'sequence':
    case 'choice':
      return { is: expression.is, parts: expression.parts.map((part) => madeOf(allowed, part)) }
    default:
      return { ...expression, part: madeOf(allowed, expression.part) }
  }
}

/** The UTF-8 bytes of the shortest text of the expression. Infinite if it has no text. */
export function shortest(expression: Expression): number {
  switch (expression.is) {
    case 'one':
      return bytesMin(expression.of)
    case 'sequence':
      return expression.parts.reduce((bytes, part) => bytes + shortest(part), 0)
    case 'choice':
      return Math.min(...expression.parts.map(shortest))
    case 'repeat':
      return expression.min === 0 ? 0 : expression.min * shortest(expression.part)
    case 'some':
      return Math.max(1, shortest(expression.part))
  }
}
