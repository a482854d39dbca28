/** A map that keeps so many entries; to get or set one is to use it. */
export interface RecentlyUsed<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  clear(): void
}

interface Entry<V> {
  readonly value: V
  /** Counts the moves to the end. */
  turn: number
}

/**
 * Forgets the least recently used entry once there are more than `entries_max`. An entry that is used often is not moved to the end each time, which takes
 * longer than to find it: after its last use it stays until others were set at least half as often as there may be entries.
 */
export function recentlyUsed<V>(entries_max: number): RecentlyUsed<V> {
  // A Map keeps the order in which its keys were set, so the first is the one that was moved longest ago.
  const entries = new Map<string, Entry<V>>()
  let turn = 0
  const move = (key: string, entry: Entry<V>) => {
    entry.turn = ++turn
    entries.delete(key)
    entries.set(key, entry)
  }
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry !== undefined && turn - entry.turn > entries_max / 2) move(key, entry)
      return entry?.value
    },
    set: (key, value) => {
      move(key, { value, turn })
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
