import type { Consistency } from './decision.ts'
import { memoryBytes } from './memory-bytes.ts'

/**
 * The definitions that one question may use. A key stands for one kind of value, always loaded in the same way. What a question has taken it
 * takes again while it is recent enough, whether or not it is remembered for others.
 */
export interface Definitions {
  /** True if `take` would send nothing for this key. */
  holds(key: string): boolean
  /** From memory if that is recent enough, else loaded. Questions at the same time share one load. */
  take<T>(key: string, load: () => Promise<T>): Promise<T>
  /** The same for many keys, of which the missing ones are loaded together. */
  takeAll<T>(
    keys: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>>
}

/** What is remembered between questions. */
export interface DefinitionMemory {
  /** The view of a question that begins now. */
  begin(consistency: Consistency): Definitions
}

export interface MemoryOptions {
  readonly now: () => Date
  /** How old a definition may be, in milliseconds after the read that fetched it was sent. */
  readonly maxStalenessMs: number
  /** How much is kept at most, over all definitions, in bytes of memory as `memoryBytes` estimates them; 64 MB unless given. */
  readonly bytes_max?: number | undefined
}

interface Sent {
  /** Counts loads and questions in the order in which they began: exact where clocks are not. */
  readonly order: number
  readonly sentAt_ms: number
}

interface Entry extends Sent {
  readonly key: string
  readonly value: Promise<unknown>
  bytes: number
  isFailed: boolean
}

const bytesMaxDefault = 64 * 1024 * 1024

/** The memory of a key and its entry. Callers can make up names, and their absence is remembered, too. */
const besideBytes = (key: string): number => memoryBytes({ key, order: 0, sentAt_ms: 0, value: undefined, bytes: 0, isFailed: false })

/**
 * Remembers definitions (spec rule 18). `bounded` takes one that is younger than the bound, counted from before its read was sent; `strong` takes
 * none whose read was sent before the question began. A failed load is forgotten. Each load of a definition also forgets those past the
 * bound. If there is more than may be kept, the least recently used go first. A definition that alone would be more is not kept.
 */
export function definitionMemory({ now, maxStalenessMs, bytes_max = bytesMaxDefault }: MemoryOptions): DefinitionMemory {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>()
  /** The same, in the order in which their reads were sent. */
  const bySending = new Set<Entry>()
  let order = 0
  let total = 0
  /** The order of the last one that was forgotten since the clock was set back. */
  let forgotten = 0

  let latest_ms = Number.NEGATIVE_INFINITY

  /** If the clock was set back, the ages of definitions are unknown: all of them are forgotten. */
  function time_ms(): number {
    const now_ms = now().getTime()
    if (now_ms < latest_ms) {
      entries.clear()
      bySending.clear()
      total = 0
      forgotten = order
    }
    latest_ms = now_ms
    return now_ms
  }

  // Less than the bound, not equal: the clock counts whole milliseconds.
  const isRecent = ({ sentAt_ms }: Entry, now_ms: number): boolean => now_ms - sentAt_ms < maxStalenessMs

  const isKept = (entry: Entry): boolean => entries.get(entry.key) === entry

  function drop(entry: Entry): void {
    if (!isKept(entry)) return
    entries.delete(entry.key)
    bySending.delete(entry)
    total -= entry.bytes
  }

  function dropOld(now_ms: number): void {
    for (const entry of bySending) {
      if (isRecent(entry, now_ms)) break
      drop(entry)
    }
  }

  /** As the one that was used last. */
  function put(entry: Entry): void {
    const before = entries.get(entry.key)
    if (before !== undefined && before !== entry) drop(before)
    if (before !== entry) {
      bySending.add(entry)
      total += entry.bytes
    }
    entries.delete(entry.key)
    entries.set(entry.key, entry)
  }

  function weigh(entry: Entry, bytes: number): void {
    total += bytes - entry.bytes
    entry.bytes = bytes
    if (bytes > bytes_max) drop(entry)
    for (const oldest of entries.values()) {
      if (total <= bytes_max) break
      drop(oldest)
    }
  }

  function keep(key: string, sent: Sent, load: Promise<unknown>): Entry {
    const value = load.then(
      (loaded) => {
        if (isKept(entry)) {
          put(entry)
          weigh(entry, besideBytes(key) + memoryBytes(loaded))
        }
        return loaded
      },
      (error: unknown) => {
        entry.isFailed = true
        drop(entry)
        throw error
      },
    )
    const entry: Entry = { ...sent, key, value, bytes: 0, isFailed: false }
    dropOld(sent.sentAt_ms)
    put(entry)
    weigh(entry, besideBytes(key))
    return entry
  }

  // The clock is read before the request is sent, so that an age is never shorter than the truth.
  const sending = (): Sent => {
    const sentAt_ms = time_ms()
    return { order: ++order, sentAt_ms }
  }

  return {
    begin(consistency) {
      const began = ++order
      const own = new Map<string, Entry>()
      const isUsable = (entry: Entry, now_ms: number): boolean => {
        if (entry.isFailed) return false
        return consistency === 'strong' ? entry.order > began : entry.order > forgotten && isRecent(entry, now_ms)
      }
      const usable = (key: string): Entry | undefined => {
        const now_ms = time_ms()
        const shared = entries.get(key)
        if (shared !== undefined && isUsable(shared, now_ms)) return shared
        const taken = own.get(key)
        return taken !== undefined && isUsable(taken, now_ms) ? taken : undefined
      }
      const taken = (key: string): Promise<unknown> | undefined => {
        const entry = usable(key)
        if (entry === undefined) return undefined
        if (isKept(entry)) put(entry)
        own.set(key, entry)
        return entry.value
      }
      const load = (key: string, sent: Sent, value: Promise<unknown>): Promise<unknown> => {
        const entry = keep(key, sent, value)
        own.set(key, entry)
        return entry.value
      }
      return {
        holds: (key) => usable(key) !== undefined,
        // A key stands for one kind of value, so its value is a T.
        take: <T>(key: string, read: () => Promise<T>) => (taken(key) ?? load(key, sending(), read())) as Promise<T>,
        takeAll: async <T>(keys: readonly string[], read: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>) => {
          const values = new Map<string, Promise<T>>()
          // As above: a T.
          for (const key of keys) values.set(key, taken(key) as Promise<T>)
          const missing = [...values].flatMap(([key, value]) => (value === undefined ? [key] : []))
          if (missing.length > 0) {
            const sent = sending()
            const batch = read(missing)
            for (const key of missing) {
              const found = batch.then((all) => all.get(key))
              // The read gives a T for each key that it is asked for.
              values.set(key, load(key, sent, found) as Promise<T>)
            }
          }
          const all = await Promise.all(values.values())
          // Values are awaited in the order of the keys.
          return new Map([...values.keys()].map((key, index) => [key, all[index] as T]))
        },
      }
    },
  }
}
