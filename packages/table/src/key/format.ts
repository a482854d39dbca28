import { FreeholdError } from '../errors.ts'
import { type Alternative, delimiter, forbiddenInKeys, type Template } from './template.ts'

/** Values of placeholders, already normalised by their kinds. An absent or null value means that the placeholder has none. */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/** The last code point. It ends every prefix range, so no value may hold it (spec rule 1). */
export const lastCodePoint = '\u{10FFFF}'

/**
 * Why a value cannot fill a placeholder, or undefined if it can. `isLast`: the placeholder ends its template, so its value may contain `#`.
 */
export function placeholderProblem(value: unknown, isLast: boolean): string | undefined {
  if (typeof value !== 'string') return 'is not text'
  if (value === '') return 'is empty'
  if (!isLast && value.includes(delimiter)) return `holds '${delimiter}', which separates the segments of a key`
  if (forbiddenInKeys.test(value)) return 'holds a control character, an unpaired surrogate or U+10FFFF'
  return undefined
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isFilled({ placeholders }: Alternative, values: PlaceholderValues): boolean {
  for (const placeholder of placeholders) if (!isPresent(values[placeholder])) return false
  return true
}

/** The alternative that these values fill: the first whose placeholders all have a value. */
export function alternativeFor(template: Template, values: PlaceholderValues): Alternative | undefined {
  for (const alternative of template.alternatives) if (isFilled(alternative, values)) return alternative
  return undefined
}

const shownMax = 200

/** A value for a message: quoted, with control characters escaped, and shortened. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return typeof value
  return value.length > shownMax ? `${JSON.stringify(value.slice(0, shownMax))}…` : JSON.stringify(value)
}

function refused(entity: string, attribute: string, problem: string, value: unknown): FreeholdError {
  return new FreeholdError('InvalidKey', `${entity}.${attribute} ${problem}: ${shown(value)}.`, { entity, attribute, value })
}

function formatAlternative(alternative: Alternative, values: PlaceholderValues, entity: string): string {
  const { placeholders, texts } = alternative
  let key = texts[0] ?? ''
  for (let index = 0; index < placeholders.length; index++) {
    const placeholder = placeholders[index] ?? ''
    const behind = texts[index + 1] ?? ''
    const value = values[placeholder]
    const problem = placeholderProblem(value, behind === '')
    if (problem !== undefined) throw refused(entity, placeholder, problem, value)
    key += behind === '' ? value : `${value}${behind}`
  }
  return key
}

const literalCount = ({ segments, placeholders }: Alternative) => segments.length - placeholders.length
const literalLength = ({ texts }: Alternative) => texts.join('').length

/**
 * The alternatives in the order in which a key is parsed. The most literal comes first, so that `ROLE_NAME#SYSTEM#x` is never parsed as the
 * role `x` of a client named SYSTEM.
 */
function readingOrder(template: Template): readonly Alternative[] {
  const { alternatives } = template
  if (alternatives.length === 1) return alternatives
  const order =
    orders.get(template) ??
    [...alternatives].sort(
      (a, b) => literalCount(b) - literalCount(a) || b.segments.length - a.segments.length || literalLength(b) - literalLength(a),
    )
  orders.set(template, order)
  return order
}

const orders = new WeakMap<Template, readonly Alternative[]>()

/** Refuses a value whose key would be parsed as another alternative: the date `9999-12-31`, if that text stands for no date. */
function checkReading(template: Template, used: Alternative, key: string, values: PlaceholderValues, entity: string): void {
  const read = readingOrder(template).find((alternative) => alternative === used || parseAlternative(alternative, key) !== undefined)
  if (read === undefined || read === used) return
  // The wrong value is in the first placeholder that the other alternative does not have at this position.
  const index = used.segments.findIndex(
    ({ placeholder }, position) => placeholder !== undefined && read.segments[position]?.placeholder !== placeholder,
  )
  const placeholder = used.segments[index]?.placeholder ?? used.placeholders[0] ?? ''
  throw refused(
    entity,
    placeholder,
    `is the text that '${template.source}' has in place of an absent value, so give another one or none`,
    values[placeholder],
  )
}

/**
 * The key text for these values. Undefined if every alternative lacks a value (a sparse key, spec rule 4).
 * Throws `InvalidKey`, which names entity, attribute and value, if the key would be ambiguous.
 */
export function formatKey(template: Template, values: PlaceholderValues, entity: string): string | undefined {
  const alternative = alternativeFor(template, values)
  if (alternative === undefined) return undefined
  const key = formatAlternative(alternative, values, entity)
  if (template.alternatives.length > 1) checkReading(template, alternative, key, values, entity)
  return key
}

/** The text of a placeholder within its segment. Undefined if the segment has other text around it. */
function within({ before, behind }: { readonly before: string; readonly behind: string }, text: string): string | undefined {
  const isAround = text.length > before.length + behind.length && text.startsWith(before) && text.endsWith(behind)
  return isAround ? text.slice(before.length, text.length - behind.length) : undefined
}

function parseAlternative({ segments }: Alternative, key: string): Record<string, string> | undefined {
  const parts = key.split(delimiter)
  const last = segments.length - 1
  if (parts.length < segments.length) return undefined
  // Only the value of the last placeholder may contain the delimiter, so the rest of the key belongs to it.
  const texts = [...parts.slice(0, last), parts.slice(last).join(delimiter)]
  const values: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const text = texts[index]
    if (text === undefined) return undefined
    if (segment.placeholder === undefined) {
      if (text !== segment.literal) return undefined
      continue
    }
    const value = within(segment, text)
    if (value === undefined || placeholderProblem(value, index === last && segment.behind === '') !== undefined) return undefined
    values[segment.placeholder] = value
  }
  return values
}

/** True if these values make this key. Nothing is built or checked, since each read of an item asks it of each of its keys. */
export function isKeyOf(template: Template, values: PlaceholderValues, key: unknown): boolean {
  // Most templates have one alternative, whose values are looked at below.
  const { alternatives } = template
  const alternative = alternatives.length === 1 ? alternatives[0] : alternativeFor(template, values)
  if (alternative === undefined || typeof key !== 'string') return false
  const { texts, placeholders } = alternative
  const first = texts[0] ?? ''
  if (!isAt(key, first, 0)) return false
  let at = first.length
  for (let index = 0; index < placeholders.length; index++) {
    const value = values[placeholders[index] ?? '']
    if (typeof value !== 'string' || !isAt(key, value, at)) return false
    at += value.length
    const behind = texts[index + 1] ?? ''
    if (behind !== '' && !isAt(key, behind, at)) return false
    at += behind.length
  }
  return at === key.length
}

/** V8 compares by machine words in `indexOf`, and character by character in `startsWith`. */
function isAt(key: string, part: string, at: number): boolean {
  return key.indexOf(part, at) === at
}

/** The values of this key: the inverse of `formatKey`. Undefined if the template cannot have made the key. */
export function parseKey(template: Template, key: string): Record<string, string> | undefined {
  return readKey(template, key, () => true)?.values
}

/** The same, with the alternative that made the key. `mayBe` says which texts a placeholder can have. */
export function readKey(
  template: Template,
  key: string,
  mayBe: (placeholder: string, text: string) => boolean,
): { readonly alternative: Alternative; readonly values: Readonly<Record<string, string>> } | undefined {
  for (const alternative of readingOrder(template)) {
    const values = parseAlternative(alternative, key)
    if (values !== undefined && alternative.placeholders.every((each) => mayBe(each, values[each] ?? ''))) return { alternative, values }
  }
  return undefined
}
