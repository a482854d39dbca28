import { type RecentlyUsed, recentlyUsed } from '../recently-used.ts'

/**
 * Remembers which id a name stood for the last time, so that what hangs on the id can be read side by side with the name itself. It is a
 * guess, which the read of the name confirms or refutes: nothing is decided by it.
 */
export type NameMemory = Pick<RecentlyUsed<string>, 'get' | 'set'>

const namesMax = 10_000

/** Forgets the least recently used names. */
export function nameMemory(names_max = namesMax): NameMemory {
  return recentlyUsed(names_max)
}
