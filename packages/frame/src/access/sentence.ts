import type { Evidence } from '../decision/decision.ts'

/**
 * How an item is told: its step, and a sentence by state, in which `{attribute}` stands for a value of it or of the question. Of `[ until {end}|, for ever]`
 * the first part is told if it has the value, and else the second, if there is one.
 */
export type Words = {
  readonly is: string
  /** By state: the code of the reason, if such an item denies whatever is asked. */
  readonly codes?: { readonly [S in Evidence['state']]?: string }
} & { readonly [S in Evidence['state']]?: string }

/** A sentence of a declaration, with the values that it names. */
export type Sentence = (told: (name: string) => unknown) => string

/** How an item is told, with its sentences read. */
export interface Telling {
  readonly is: string
  readonly codes: Words['codes'] | undefined
  readonly sentences: { readonly [S in Evidence['state']]?: Sentence }
}

/** Texts, and between them the names of values. */
type Part = readonly string[]
const partOf = (text: string): Part => text.split(/\{(\w+)\}/)

function filled(part: Part, told: (name: string) => unknown): string {
  let text = part[0] ?? ''
  for (let index = 1; index < part.length; index += 2) text += `${told(part[index] ?? '') ?? '""'}${part[index + 1]}`
  return text
}

/** Sentences are read when access is declared: an answer tells many. */
function sentenceOf(text: string): Sentence {
  // Before, between and behind brackets lie parts that are always told.
  const parts = text.split(/\[([^\]|]*)\|?([^\]]*)\]/).map(partOf)
  const [only, ...more] = parts
  if (only?.length === 1 && more.length === 0) return () => text
  return (told) => {
    const isKnown = (part: Part) => part.every((name, index) => index % 2 === 0 || told(name) !== undefined)
    const piece = (part: Part, index: number) =>
      index % 3 === 0 || (index % 3 === 1) === isKnown(parts[index - (index % 3) + 1] ?? []) ? filled(part, told) : ''
    return parts.map(piece).join('')
  }
}

export function tellingOf({ is, codes, ...texts }: Words): Telling {
  const sentences = Object.entries(texts).map(([state, text]) => [state, sentenceOf(text)])
  return { is, codes, sentences: Object.fromEntries(sentences) }
}
