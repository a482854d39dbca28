import { FreeholdError } from '../errors.ts'

/** The delimiter between the segments of a key. Only the value of the last placeholder may contain it (spec rule 1). */
export const delimiter = '#'

/**
 * A segment is a literal, or one placeholder with the text before and behind it: `org_{orgId}`. It never has two placeholders, so parsing a key is
 * the inverse of formatting it.
 */
export type Segment =
  | { readonly literal: string; readonly placeholder?: undefined; readonly before?: undefined; readonly behind?: undefined }
  | { readonly placeholder: string; readonly before: string; readonly behind: string; readonly literal?: undefined }

export interface Alternative {
  readonly segments: readonly Segment[]
  readonly placeholders: readonly string[]
  /** The texts before, between and behind the placeholders, with their delimiters. */
  readonly texts: readonly string[]
}

/**
 * A compiled key template. `CLIENT#{client_id}|SYSTEM` has two alternatives. The first whose placeholders all have a value is used, so an
 * absent `client_id` gives `SYSTEM`.
 */
export interface Template {
  readonly source: string
  readonly alternatives: readonly Alternative[]
  /** The placeholders of all alternatives in order of appearance, each once. */
  readonly placeholders: readonly string[]
}

const placeholderForm = /^([^{}]*)\{([A-Za-z_][A-Za-z0-9_]*)\}([^{}]*)$/

/**
 * Characters that no key may contain: they have no UTF-8 form, are invisible, or lie beyond every prefix range (spec rule 1). The `u` flag
 * makes \p{Cs} match unpaired surrogates only.
 */
export const forbiddenInKeys = /[\p{Cc}\p{Cs}\u{10FFFF}]/u

function parseAlternative(source: string, whole: string): Alternative {
  const refuse = (why: string) => new FreeholdError('InvalidDesign', `The key template '${whole}' ${why}.`, { template: whole })
  if (source === '') throw refuse('has an empty alternative: a key is never empty text')
  const segments = source.split(delimiter).map((part, index, parts): Segment => {
    if (part === '' && index !== parts.length - 1) throw refuse('has an empty segment')
    if (forbiddenInKeys.test(part)) throw refuse('holds a control character, an unpaired surrogate or U+10FFFF')
    const [, before = '', placeholder, behind = ''] = placeholderForm.exec(part) ?? []
    if (placeholder !== undefined) return Object.freeze({ placeholder, before, behind })
    if (/[{}]/.test(part)) throw refuse(`has '${part}' between two '#', where a key has text and at most one placeholder in braces`)
    return Object.freeze({ literal: part })
  })
  const alternative = alternativeOf(segments)
  const { placeholders } = alternative
  if (new Set(placeholders).size !== placeholders.length) throw refuse('names one placeholder twice')
  return alternative
}

/** The alternative that has these segments. */
export function alternativeOf(segments: readonly Segment[]): Alternative {
  const placeholders = segments.flatMap((segment) => segment.placeholder ?? [])
  return Object.freeze({
    segments: Object.freeze(segments),
    placeholders: Object.freeze(placeholders),
    texts: Object.freeze(textsBetween(segments)),
  })
}

function textsBetween(segments: readonly Segment[]): string[] {
  const texts = ['']
  for (const [index, segment] of segments.entries()) {
    texts.push(`${texts.pop()}${index > 0 ? delimiter : ''}${segment.literal ?? segment.before}`)
    if (segment.placeholder !== undefined) texts.push(segment.behind)
  }
  return texts
}

/** The text of a segment, with `value` in the place of its placeholder. */
export function segmentText(segment: Segment, value: string): string {
  return segment.placeholder === undefined ? segment.literal : segment.before + value + segment.behind
}

/** Two alternatives with the same outline differ only in the names of their placeholders, so no key could tell them apart. */
export const outline = ({ segments }: Alternative) => segments.map((segment) => segmentText(segment, '{}')).join(delimiter)

const isWithin = (earlier: Alternative, later: Alternative) =>
  earlier.placeholders.every((placeholder) => later.placeholders.includes(placeholder))

/** Compiles a template. Throws `InvalidDesign` if its keys could be ambiguous. A trailing `#` is allowed: it makes a prefix. */
export function parseTemplate(source: string): Template {
  const alternatives = Object.freeze(source.split('|').map((part) => parseAlternative(part, source)))
  const refuse = (why: string) => new FreeholdError('InvalidDesign', `The key template '${source}' ${why}.`, { template: source })
  if (new Set(alternatives.map(outline)).size !== alternatives.length) throw refuse('has two alternatives that make the same keys')
  if (alternatives.some((later, index) => alternatives.slice(0, index).some((earlier) => isWithin(earlier, later))))
    throw refuse('has an alternative that is never used: an earlier one needs no other values')
  return Object.freeze({
    source,
    alternatives,
    placeholders: Object.freeze([...new Set(alternatives.flatMap(({ placeholders }) => placeholders))]),
  })
}

/** The literal text before the first placeholder: `ROLE#` of `ROLE#{roleName}`, `ORG#org_` of `ORG#org_{orgId}`. */
export function literalPrefix({ segments }: Alternative): string {
  const first = segments.findIndex(({ placeholder }) => placeholder !== undefined)
  const texts = segments.slice(0, first < 0 ? undefined : first + 1).map((segment) => segment.literal ?? segment.before)
  return texts.join(delimiter)
}

/** True if each alternative of one of the templates has the placeholder. */
export function isAlwaysIn(templates: readonly Template[], placeholder: string): boolean {
  return templates.some(({ alternatives }) => alternatives.every(({ placeholders }) => placeholders.includes(placeholder)))
}
