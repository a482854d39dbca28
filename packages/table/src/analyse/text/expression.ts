import { bytesMin, type Characters, character, intersection, keyCharacters } from './characters.ts'

/** A set of texts, as a regular expression says it. */
export type Expression =
  | { readonly is: 'one'; readonly of: Characters }
  | { readonly is: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly is: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number }
  /** The texts of `part` but the empty one. */
  | { readonly is: 'some'; readonly part: Expression }

export const one = (of: Characters): Expression => ({ is: 'one', of })
export const sequence = (...parts: readonly Expression[]): Expression => ({ is: 'sequence', parts })
export const choice = (...parts: readonly Expression[]): Expression => ({ is: 'choice', parts })
export const repeat = (part: Expression, min: number, max: number): Expression => ({ is: 'repeat', part, min, max })
export const some = (part: Expression): Expression => ({ is: 'some', part })
export const literal = (text: string): Expression => sequence(...[...text].map((letter) => one(character(letter))))

/** Every text that a key may be, and the empty one. */
export const anything = repeat(one(keyCharacters), 0, Number.POSITIVE_INFINITY)

/** The texts of an expression that are made of these characters only. */
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

/** UTF-8 bytes that every text of the expression has at least; infinite where there is none. */
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
