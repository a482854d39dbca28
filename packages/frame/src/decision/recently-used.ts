/** A map that keeps the entries that were used last; to get or set one is to use it. */
export interface RecentlyUsed<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  clear(): void
}

/**
 * Keeps the last so many entries, and at most twice as many. To keep them in the order of their use takes longer than most look-ups: a Map whose first
 * keys were deleted walks over their places to find the first that is left.
 */
export function recentlyUsed<V>(entries_min: number): RecentlyUsed<V> {
  let young = new Map<string, V>()
  let old = young
  const set = (key: string, value: V) => {
    young.set(key, value)
    if (young.size < entries_min) return
    old = young
    young = new Map()
  }
  return {
    get: (key) => {
      const value = young.get(key)
      if (value !== undefined) return value
      const before = old.get(key)
      if (before !== undefined) set(key, before)
      return before
    },
    set,
    delete: (key) => {
      young.delete(key)
      old.delete(key)
    },
    clear: () => {
      young = new Map()
      old = young
    },
  }
}
