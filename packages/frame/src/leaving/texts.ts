// The texts within an item, wherever they stand, and the places within it.

export type Values = Readonly<Record<string, unknown>>
export type ToText = (text: string, name: string) => string

export const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** The same value with other texts; the very same if none has changed. `name`: of the nearest member, since records keep values as `before` and `after`. */
export function withTexts(value: unknown, name: string, to: ToText): unknown {
  if (typeof value === 'string') return to(value, name)
  if (!isObject(value) || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value) || value instanceof Set) {
    const [before, after] = [[...value], [...value].map((each: unknown) => withTexts(each, name, to))]
    if (after.every((each, index) => each === before[index])) return value
    return Array.isArray(value) ? after : new Set(after)
  }
  const before = Object.entries(value)
  const after = before.map(([key, each]): [string, unknown] => {
    const nearest = key === 'before' || key === 'after' ? name : key
    return [to(key, ''), withTexts(each, nearest, to)]
  })
  return after.every(([key, each], index) => key === before[index]?.[0] && each === before[index]?.[1]) ? value : Object.fromEntries(after)
}

export function textsIn(value: unknown, name: string, found: (text: string, name: string) => void): void {
  withTexts(value, name, (text, at) => {
    found(text, at)
    return text
  })
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Finds these texts as whole words, in any case. */
export function wordsOf(texts: readonly string[], inner: string): RegExp | undefined {
  const all = [...new Set(texts)].filter((text) => text.trim().length > 1).sort((one, other) => other.length - one.length)
  if (all.length === 0) return undefined
  return new RegExp(`(?<![\\p{L}\\p{N}${inner}])(?:${all.map(escaped).join('|')})(?!\\.?[\\p{L}\\p{N}${inner.replace('.', '')}])`, 'giu')
}

export const isIn = (pattern: RegExp | undefined, text: string) => pattern !== undefined && text.search(pattern) >= 0
export const without = (pattern: RegExp | undefined, text: string, by: string) =>
  pattern === undefined ? text : text.replace(pattern, () => by)

export function remembering(of: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const answer = known.get(name) ?? of(name)
    known.set(name, answer)
    return answer
  }
}

/** Attributes that say where an item lies and what it is. Its keys are made anew of its values. */
const structure = new Set(['PK', 'SK', 'Type', 'writeId', 'version', 'ttl', 'deleting'])
export const isStructure = (name: string) => structure.has(name) || /^GSI\d+[PS]K$/.test(name)

/** A value at a path of names. */
export const valueAt = (item: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), item)

/** The same without what stands at a path. */
export function withoutPath(item: Values, [name = '', ...rest]: readonly string[]): Values {
  const { [name]: inner, ...others } = item
  if (inner === undefined) return item
  return rest.length === 0 || !isObject(inner) ? others : { ...item, [name]: withoutPath(inner, rest) }
}

export function withPath(item: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  const inner = item[name]
  return { ...item, [name]: rest.length === 0 ? value : withPath(isObject(inner) ? inner : {}, rest, value) }
}
