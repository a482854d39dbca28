import { type Alternative, delimiter, segmentText } from '../key/template.ts'
import type { Kind } from '../kind/kind.ts'
import { character, keyCharacters, without } from './text/characters.ts'
import { anything, choice, type Expression, literal, madeOf, sequence, some } from './text/expression.ts'
import { matchedBy } from './text/regular-expression.ts'

/** The kind that fills a placeholder. */
export type KindOf = (placeholder: string) => Kind | undefined

const segmentCharacters = without(keyCharacters, character(delimiter))

/** The texts that fill a placeholder. They are not empty, and only the last placeholder's may contain the delimiter (spec rule 1). */
export function placeholderTexts(kind: Kind | undefined, isLast: boolean): Expression {
  const domain = kind?.domain
  const values = domain?.values === undefined ? undefined : choice(...domain.values.map(literal))
  const all = values ?? (domain === undefined ? anything : matchedBy(domain.pattern))
  return some(madeOf(isLast ? keyCharacters : segmentCharacters, all))
}

/** The keys that an alternative of a template makes from normalised values. */
export function keyTexts({ segments }: Alternative, kindOf: KindOf): Expression {
  return sequence(
    ...segments.flatMap((segment, index) => {
      const start = index === 0 ? [] : [literal(delimiter)]
      if (segment.placeholder === undefined) return [...start, literal(segment.literal)]
      const { placeholder, before, behind } = segment
      const isLast = index === segments.length - 1 && behind === ''
      return [...start, literal(before), placeholderTexts(kindOf(placeholder), isLast), literal(behind)]
    }),
  )
}

/** The source text of an alternative. */
export function sourceOf({ segments }: Alternative): string {
  return segments.map((segment) => segmentText(segment, `{${segment.placeholder}}`)).join(delimiter)
}
