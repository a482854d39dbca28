/** Random choices, all from one seed: the same seed gives the same choices in the same order. */
export interface Random {
  /** From 0 up to but not including 1. */
  unit(): number
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number
  /** True so many times of a hundred. */
  percent(percent: number): boolean
  one<T>(of: readonly T[]): T
  shuffled<T>(of: readonly T[]): T[]
}

/** Mulberry32, on the seed and whatever tells one source from another: a process, a lane. */
export function randomOf(seed: number, ...parts: readonly number[]): Random {
  let state = parts.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e3779b1) + 0x7f4a7c15, seed) | 0
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(unit() * count)
  const one = <T>(of: readonly T[]): T => {
    const chosen = of.slice(below(of.length))
    if (chosen.length === 0) throw new Error('There is nothing to choose from.')
    // Not empty: just checked.
    return chosen[0] as T
  }
  const shuffled = <T>(of: readonly T[]): T[] =>
    of
      .map((value) => [unit(), value] as const)
      .sort(([first], [second]) => first - second)
      .map(([, value]) => value)
  return { unit, below, percent: (percent) => unit() * 100 < percent, one, shuffled }
}

const hexadecimal = [...'0123456789abcdef']
/** Crockford's alphabet, in which ULIDs are written. */
const crockford = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']

const letters = (random: Random, alphabet: readonly string[], count: number) =>
  Array.from({ length: count }, () => random.one(alphabet)).join('')

/** A UUID of version 4. */
export function uuidOf(random: Random): string {
  const hex = (count: number) => letters(random, hexadecimal, count)
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.one([...'89ab'])}${hex(3)}-${hex(12)}`
}

/** A ULID; its time means nothing here. */
export function ulidOf(random: Random): string {
  return `01${letters(random, crockford, 24)}`
}
