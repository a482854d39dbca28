import { everything } from '../way.ts'

/** A permission of named parts, such as a module, an action and a resource. In a role `*` stands for any value of a part; a question never holds it. */
export type Pattern<N extends string = string> = { readonly [P in N]: string }

/** Permissions of these parts: as texts, as words and as stored, and how patterns cover them. */
export function patternsOf<N extends string>(parts: readonly N[]) {
  type P = Pattern<N>
  /** Of each pattern only its parts. */
  // It has each of them.
  const partsOf = (values: P): P => Object.fromEntries(parts.map((part) => [part, values[part]])) as P
  const joined = (pattern: P, by: string) => {
    let text = pattern[parts[0] as N]
    for (let index = 1; index < parts.length; index++) text += `${by}${pattern[parts[index] as N]}`
    return text
  }
  /** One text for a pattern. No part holds a control character, and these are stored nowhere. */
  const textOf = (pattern: P): string => joined(pattern, '\u0000')
  const neither = `is neither {${parts.join(', ')}} nor ${parts.join(':')}`
  return {
    parts,
    textOf,
    /** As people write it. */
    wordsOf: (pattern: P): string => joined(pattern, ':'),
    partsOf,
    /** The texts of all patterns that cover a permission: each part as it stands, or any. */
    covering: (permission: P): readonly string[] => {
      let texts: string[] = []
      for (const [index, part] of parts.entries()) {
        const longer: string[] = index === 0 ? [permission[part], everything] : []
        for (const text of texts) longer.push(`${text}\u0000${permission[part]}`, `${text}\u0000${everything}`)
        texts = longer
      }
      return texts
    },
    /** True where a pattern covers a permission, or all that another pattern covers. */
    covers: (pattern: P, permission: P): boolean =>
      parts.every((part) => pattern[part] === everything || pattern[part] === permission[part]),
    /** True if both stand for one permission, at least. */
    overlaps: (one: P, other: P): boolean =>
      parts.every((part) => one[part] === other[part] || one[part] === everything || other[part] === everything),
    /** Each pattern once, in the order of their first mention. */
    distinct: (patterns: Iterable<P>): P[] => {
      const byText = new Map<string, P>()
      for (const pattern of patterns) byText.set(textOf(pattern), partsOf(pattern))
      return [...byText.values()]
    },
    /** A test whether a pattern is among these, however many these are. */
    among: (patterns: readonly P[]): ((one: P) => boolean) => {
      const texts = new Set(patterns.map(textOf))
      return (one) => texts.has(textOf(one))
    },
    /** The parts of a permission as callers write it, or the problem with it: an object of names, or their text if no name holds a colon. */
    written: (value: unknown): Readonly<Record<string, unknown>> | string => {
      if (typeof value === 'string') {
        const names = value.split(':')
        return names.length === parts.length ? Object.fromEntries(parts.map((part, index) => [part, names[index]])) : neither
      }
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return neither
      const isForeign = Object.keys(value).some((name) => !parts.some((part) => part === name))
      return isForeign ? `has a part that is none of ${parts.join(', ')}` : { ...value }
    },
    /** The parts of a stored permission; undefined for a value that is none. */
    storedIn: (stored: unknown): P | undefined => {
      if (typeof stored !== 'object' || stored === null) return undefined
      // They are checked to be text.
      const values = stored as P
      return parts.every((part) => typeof values[part] === 'string' && values[part] !== '') ? partsOf(values) : undefined
    },
  }
}

export type Patterns<N extends string = string> = ReturnType<typeof patternsOf<N>>
