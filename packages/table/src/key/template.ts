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

function parseAlternative(source: string, whole: string): Alternative {
  const refuse = (why: string) => new FreeholdError('InvalidDesign', `The key template '${whole}' ${why}.`, { template: whole })
  if (source === '') throw refuse('has an empty alternative: a key is never empty text')
  const segments = source.split(delimiter).map((part, index, parts): Segment => {
    const hole = holeForm.exec(part)?.[1]
    if (hole !== undefined) return { hole }
    if (/[{}]/.test(part)) throw refuse(`mixes text and a hole in '${part}': a hole fills a whole segment between two '#'`)
    if (part === '' && index !== parts.length - 1) throw refuse(`has an empty segment`)
    return { literal: part }
  })
  const holes = segments.flatMap((segment) => segment.hole ?? [])
  if (new Set(holes).size !== holes.length) throw refuse('names one hole twice')
  return { segments, holes }
}

/** Compiles a template; throws `InvalidDesign` where it could be ambiguous. A trailing `#` is allowed: it makes a prefix. */
export function parseTemplate(source: string): Template {
  const alternatives = source.split('|').map((part) => parseAlternative(part, source))
  return { source, alternatives, holes: [...new Set(alternatives.flatMap(({ holes }) => holes))] }
}

/** The literal text before the first hole: `ROLE#` of `ROLE#{roleName}`. */
export function literalPrefix({ segments }: Alternative): string {
  const first = segments.findIndex(({ hole }) => hole !== undefined)
  const literals = (first < 0 ? segments : segments.slice(0, first)).map(({ literal }) => literal ?? '')
  return literals.join(delimiter) + (first > 0 ? delimiter : '')
}
