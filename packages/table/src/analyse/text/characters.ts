/** A set of code points: ranges in ascending order that neither touch nor overlap. */
export type Characters = readonly (readonly [first: number, last: number])[]

export const lastCode = 0x10ffff
export const noCharacter: Characters = []
export const everyCharacter: Characters = [[0, lastCode]]

/** Control characters, Unicode's category Cc. */
export const controls: Characters = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
]
/** Halves of a surrogate pair, Unicode's category Cs. */
export const surrogates: Characters = [[0xd800, 0xdfff]]

export function character(text: string): Characters {
  const code = text.codePointAt(0)
  return code === undefined ? noCharacter : [[code, code]]
}

/** The characters from `first` to `last`, or none if `last` comes first. */
export function between(first: number, last: number): Characters {
  return first > last ? noCharacter : [[first, last]]
}

export function union(...sets: readonly Characters[]): Characters {
  const joined: [number, number][] = []
  for (const [first, last] of sets.flat().sort(([a], [b]) => a - b)) {
    const previous = joined.at(-1)
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else joined.push([first, last])
  }
  return joined
}

export function complement(set: Characters): Characters {
  const rest: [number, number][] = []
  let next = 0
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1])
    next = last + 1
  }
  if (next <= lastCode) rest.push([next, lastCode])
  return rest
}

export function intersection(a: Characters, b: Characters): Characters {
  const shared: (readonly [number, number])[] = []
  for (let i = 0, j = 0; ; ) {
    const [mine, theirs] = [a[i], b[j]]
    if (mine === undefined || theirs === undefined) return shared
    const first = Math.max(mine[0], theirs[0])
    const last = Math.min(mine[1], theirs[1])
    if (first <= last) shared.push([first, last])
    if (mine[1] < theirs[1]) i++
    else j++
  }
}

export function without(set: Characters, taken: Characters): Characters {
  return intersection(set, complement(taken))
}

/** The characters of a key (spec rule 1): no control characters, no unpaired surrogates, not the last code point. */
export const keyCharacters = complement(union(controls, surrogates, [[lastCode, lastCode]]))

const plain: Characters = [
  [0x41, 0x5a],
  [0x30, 0x39],
  [0x61, 0x7a],
]

/** A character of the set for an example: a plain letter or digit if it has one. */
export function example(set: Characters): string {
  const code = plain.flatMap((range) => intersection([range], set))[0]?.[0] ?? set[0]?.[0]
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** The UTF-8 bytes of the shortest character of the set. */
export function bytesMin(set: Characters): number {
  const first = set[0]?.[0]
  return first === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(String.fromCodePoint(first))
}
