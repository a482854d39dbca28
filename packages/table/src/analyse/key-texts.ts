import { type Alternative, delimiter } from '../key/template.ts'
import type { Kind } from '../kind/kind.ts'
import { character, keyCharacters, without } from './text/characters.ts'
import { anything, choice, type Expression, literal, madeOf, sequence, some } from './text/expression.ts'
import { matchedBy } from './text/regular-expression.ts'

/** The kind that fills a hole. */
export type KindOf = (hole: string) => Kind | undefined

const segmentCharacters = without(keyCharacters, character(delimiter))

/** What fills a hole: never empty, and without the delimiter unless the hole ends its template (spec rule 1). */
export function holeTexts(kind: Kind | undefined, isLast: boolean): Expression {
  const domain = kind?.domain
  const values = domain?.values === undefined ? undefined : choice(...domain.values.map(literal))
  const all = values ?? (domain === undefined ? anything : matchedBy(domain.pattern))
  return some(madeOf(isLast ? keyCharacters : segmentCharacters, all))
}

/** The keys that an alternative of a template makes of normalised values. */
export function keyTexts({ segments }: Alternative, kindOf: KindOf): Expression {
  return sequence(
    ...segments.flatMap(({ literal: text, hole }, index) => [
      ...(index === 0 ? [] : [literal(delimiter)]),
      hole === undefined ? literal(text ?? '') : holeTexts(kindOf(hole), index === segments.length - 1),
    ]),
  )
}

/** An alternative as a design writes it. */
export function sourceOf({ segments }: Alternative): string {
  return segments.map(({ literal: text, hole }) => (hole === undefined ? text : `{${hole}}`)).join(delimiter)
}
