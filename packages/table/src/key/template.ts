import { FreeholdError } from '../errors.ts'

/** The delimiter between the segments of a key. No hole but the last may hold it (spec rule 1). */
export const delimiter = '#'

/** A segment is a literal or one hole, never a mix: that is what makes parsing a key the inverse of formatting it. */
export type Segment = { readonly literal: string; readonly hole?: undefined } | { readonly hole: string; readonly literal?: undefined }

export interface Alternative {
  readonly segments: readonly Segment[]
  readonly holes: readonly string[]
}

/**
 * A compiled key template. `CLIENT#{client_id}|SYSTEM` has two alternatives: the first whose holes all have a value is used,
 * so an absent `client_id` gives `SYSTEM`.
 */
export interface Template {
  readonly source: string
  readonly alternatives: readonly Alternative[]
  /** Holes of all alternatives, in order of appearance, each once. */
  readonly holes: readonly string[]
}

const holeForm = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/**
 * What no key may hold, since it has no UTF-8 form, cannot be seen, or lies beyond every prefix range (spec rule 1). The `u` flag
 * makes \p{Cs} match unpaired surrogates only.
 */
export const forbiddenInKeys = /[\p{Cc}\p{Cs}\u{10FFFF}]/u

function parseAlternative(source: string, whole: string): Alternative {
  const refuse = (why: string) => new FreeholdError('InvalidDesign', `The key template '${whole}' ${why}.`, { template: whole })
  if (source === '') throw refuse('has an empty alternative: a key is never empty text')
  const segments = source.split(delimiter).map((part, index, parts): Segment => {
    const hole = holeForm.exec(part)?.[1]
    if (hole !== undefined) return Object.freeze({ hole })
    if (/[{}]/.test(part)) throw refuse(`mixes text and a hole in '${part}': a hole fills a whole segment between two '#'`)
    if (part === '' && index !== parts.length - 1) throw refuse('has an empty segment')
    if (forbiddenInKeys.test(part)) throw refuse('holds a control character, an unpaired surrogate or U+10FFFF')
    return Object.freeze({ literal: part })
  })
  const holes = segments.flatMap((segment) => segment.hole ?? [])
  if (new Set(holes).size !== holes.length) throw refuse('names one hole twice')
  return Object.freeze({ segments: Object.freeze(segments), holes: Object.freeze(holes) })
}

/** Two alternatives are alike where they differ in the names of their holes only: then no key would tell them apart. */
const outline = ({ segments }: Alternative) => segments.map(({ literal }) => literal ?? '{}').join(delimiter)

const isWithin = (earlier: Alternative, later: Alternative) => earlier.holes.every((hole) => later.holes.includes(hole))

/** Compiles a template; throws `InvalidDesign` where it could be ambiguous. A trailing `#` is allowed: it makes a prefix. */
export function parseTemplate(source: string): Template {
  const alternatives = Object.freeze(source.split('|').map((part) => parseAlternative(part, source)))
  const refuse = (why: string) => new FreeholdError('InvalidDesign', `The key template '${source}' ${why}.`, { template: source })
  if (new Set(alternatives.map(outline)).size !== alternatives.length) throw refuse('has two alternatives that make the same keys')
  if (alternatives.some((later, index) => alternatives.slice(0, index).some((earlier) => isWithin(earlier, later))))
    throw refuse('has an alternative that is never used: an earlier one needs no other values')
  return Object.freeze({
    source,
    alternatives,
    holes: Object.freeze([...new Set(alternatives.flatMap(({ holes }) => holes))]),
  })
}

/** The literal text before the first hole: `ROLE#` of `ROLE#{roleName}`. */
export function literalPrefix({ segments }: Alternative): string {
  const first = segments.findIndex(({ hole }) => hole !== undefined)
  const literals = (first < 0 ? segments : segments.slice(0, first)).map(({ literal }) => literal ?? '')
  return literals.join(delimiter) + (first > 0 ? delimiter : '')
}
