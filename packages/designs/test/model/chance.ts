import type { Random } from 'fast-check'

/** Random choices, all from one source. */
export interface Chance {
  /** From 0 up to but not including `below`. */
  below(below: number): number
  /** True so many times of a hundred. */
  percent(percent: number): boolean
  /** One of several; undefined of none. */
  one<T>(of: readonly T[]): T | undefined
  /** By weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
}

export function chanceOf(random: Random): Chance {
  const below = (count: number) => (count <= 1 ? 0 : random.nextInt(0, count - 1))
  return {
    below,
    percent: (percent) => below(100) < percent,
    one: (of) => of[below(of.length)],
    weighted: (weights) => {
      // The keys of a record of T are Ts.
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let left = below(entries.reduce((sum, [, weight]) => sum + weight, 0))
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      throw new Error('nothing has a weight')
    },
  }
}
