/** A map that keeps so many entries; to get or set one is to use it. */
export interface RecentlyUsed<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  clear(): void
}

/** Forgets the least recently used entry once there are more than `entries_max`. */
export function recentlyUsed<V>(entries_max: number): RecentlyUsed<V> {
  // A Map keeps the order in which its keys were set, so the first is the one that was used longest ago.
  const entries = new Map<string, V>()
  const use = (key: string, value: V) => {
    entries.delete(key)
    entries.set(key, value)
  }
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value !== undefined) use(key, value)
      return value
    },
    set: (key, value) => {
      use(key, value)
      if (entries.size <= entries_max) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => {
      entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
