import { FreeholdError } from '../errors.ts'
import { type Alternative, delimiter, type Template } from './template.ts'

/** Values of holes, already normalised by their kinds; absent or null means that the hole has none. */
export type HoleValues = Readonly<Record<string, unknown>>

/** The last code point. It ends every prefix range, so no value may hold it (spec rule 1). */
export const lastCodePoint = '\u{10FFFF}'

// A lone surrogate has no UTF-8 form; the `u` flag makes \p{Cs} match only unpaired ones.
const forbidden = /[\p{Cc}\p{Cs}\u{10FFFF}]/u

/** Why a value cannot fill a hole, or undefined where it can. `isLast`: the hole ends its template and may hold the delimiter. */
export function holeProblem(value: unknown, isLast: boolean): string | undefined {
  if (typeof value !== 'string') return 'is not text'
  if (value === '') return 'is empty'
  if (!isLast && value.includes(delimiter)) return `holds '${delimiter}', which separates the segments of a key`
  if (forbidden.test(value)) return 'holds a control character, an unpaired surrogate or U+10FFFF'
  return undefined
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The alternative that these values fill: the first whose holes are all present. */
export function alternativeFor(template: Template, values: HoleValues): Alternative | undefined {
  return template.alternatives.find(({ holes }) => holes.every((hole) => isPresent(values[hole])))
}

function formatAlternative({ segments }: Alternative, values: HoleValues, entity: string): string {
  let key = ''
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]
    if (index > 0) key += delimiter
    if (segment?.hole === undefined) key += segment?.literal ?? ''
    else {
      const value = values[segment.hole]
      const problem = holeProblem(value, index === segments.length - 1)
      if (problem !== undefined) {
        throw new FreeholdError('InvalidKey', `${entity}.${segment.hole} ${problem}: ${JSON.stringify(value)}.`, {
          entity,
          attribute: segment.hole,
          value,
        })
      }
      key += value
    }
  }
  return key
}

/**
 * The key text for these values, or undefined where a hole of every alternative is absent (a sparse key, spec rule 4).
 * Throws `InvalidKey` naming entity, attribute and value where the key would be ambiguous.
 */
export function formatKey(template: Template, values: HoleValues, entity: string): string | undefined {
  const alternative = alternativeFor(template, values)
  return alternative === undefined ? undefined : formatAlternative(alternative, values, entity)
}

function parseAlternative({ segments }: Alternative, key: string): Record<string, string> | undefined {
  const parts = key.split(delimiter)
  const last = segments.length - 1
  if (parts.length < segments.length) return undefined
  // Only the last hole may hold the delimiter, so whatever is left over belongs to it.
  const texts = [...parts.slice(0, last), parts.slice(last).join(delimiter)]
  const values: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const text = texts[index]
    if (text === undefined) return undefined
    if (segment.hole === undefined) {
      if (text !== segment.literal) return undefined
    } else if (holeProblem(text, index === last) !== undefined) return undefined
    else values[segment.hole] = text
  }
  return values
}

/** The values that give this key: the inverse of `formatKey`. Undefined where the template cannot have made it. */
export function parseKey(template: Template, key: string): Record<string, string> | undefined {
  for (const alternative of template.alternatives) {
    const values = parseAlternative(alternative, key)
    if (values !== undefined) return values
  }
  return undefined
}
