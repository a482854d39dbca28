import { inject } from 'vitest'

/** How much more of a course runs: 1, and more by `npm run test:deep`, which runs each file that imports this one. */
const depth = Number(process.env.TEST_DEPTH ?? 1)

/** True for `npm run test:deep`. Only courses as long as its are expected to meet everything that they can. */
export const isDeep = depth > 1

/** The length of a course. `npm test` does so much of it. */
export const deep = (count: number): number => count * depth

/** As many of a list of costly cases, other ones by each seed. `npm run test:deep` has all. */
export function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isDeep) return all
  const start = Math.abs(inject('propertySeed')) % all.length
  return [...all.slice(start), ...all.slice(0, start)].slice(0, count)
}
