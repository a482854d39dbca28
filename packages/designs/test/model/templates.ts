// The key templates of a design, read a second time: what the code under test makes of them is not asked.

export type Values = Readonly<Record<string, unknown>>

/** Thrown where a value cannot stand in its key (spec rule 1). */
export class RefusedKey extends Error {}

type Segment = { readonly placeholder: string } | { readonly literal: string }
interface Alternative {
  readonly segments: readonly Segment[]
  readonly placeholders: readonly string[]
  readonly literals: number
}

const known = new Map<string, readonly Alternative[]>()

function alternativesOf(template: string): readonly Alternative[] {
  const found = known.get(template)
  if (found !== undefined) return found
  const alternatives = template.split('|').map((source): Alternative => {
    const segments = source.split('#').map((text): Segment => {
      const placeholder = /^\{(\w+)\}$/.exec(text)?.[1]
      return placeholder === undefined ? { literal: text } : { placeholder }
    })
    const placeholders = segments.flatMap((segment) => ('placeholder' in segment ? [segment.placeholder] : []))
    return { segments, placeholders, literals: segments.length - placeholders.length }
  })
  known.set(template, alternatives)
  return alternatives
}

/** The names of the placeholders of a template, each once. */
export function placeholdersOf(template: string): readonly string[] {
  return [...new Set(alternativesOf(template).flatMap(({ placeholders }) => placeholders))]
}

/** The placeholder that is the segment of this number in some alternative. */
export function placeholderAt(template: string, position: number): string | undefined {
  for (const { segments } of alternativesOf(template)) {
    const segment = segments[position]
    if (segment !== undefined && 'placeholder' in segment) return segment.placeholder
  }
  return undefined
}

const isThere = (value: unknown) => value !== undefined && value !== null

/** The values that give this text, or undefined where the alternative cannot have made it. Only a last placeholder may hold `#`. */
function read({ segments }: Alternative, text: string): Record<string, string> | undefined {
  const parts = text.split('#')
  if (parts.length < segments.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    const part = isLast ? parts.slice(index).join('#') : (parts[index] ?? '')
    if ('placeholder' in segment ? part === '' : part !== segment.literal) return undefined
    if ('placeholder' in segment) values[segment.placeholder] = part
  }
  return values
}

/**
 * The text of a key: of the first alternative whose placeholders have values, or undefined where none has. Throws `RefusedKey` for a value that
 * holds `#` before the end, and for one that reads as what stands for an absent value.
 */
export function fill(template: string, values: Values): string | undefined {
  const alternatives = alternativesOf(template)
  const used = alternatives.find(({ placeholders }) => placeholders.every((placeholder) => isThere(values[placeholder])))
  if (used === undefined) return undefined
  const texts = used.segments.map((segment, index, all) => {
    if ('literal' in segment) return segment.literal
    const value = String(values[segment.placeholder])
    if (index < all.length - 1 && value.includes('#')) throw new RefusedKey(`${segment.placeholder} holds '#'`)
    return value
  })
  const text = texts.join('#')
  const isTaken = alternatives.some((other) => other.literals > used.literals && read(other, text) !== undefined)
  if (isTaken) throw new RefusedKey(`'${text}' stands for an absent value`)
  return text
}

/** The values of the placeholders of a template's beginning in this text; empty if it begins otherwise. */
export function placeholdersIn(template: string, text: string): Readonly<Record<string, string>> {
  const [alternative] = alternativesOf(template)
  if (alternative === undefined) return {}
  // A pattern may stop where the keys go on: then its last placeholder is one segment.
  const beginning = text.split('#').slice(0, alternative.segments.length).join('#')
  return read(alternative, beginning) ?? read(alternative, text) ?? {}
}

/** DynamoDB's order: by UTF-8 bytes. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
